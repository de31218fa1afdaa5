import { existsSync, readdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { formatOfOutput, OUTPUT_FORMATS } from "../src/analysis/output-format.ts";
import { WRITTEN_FORMATS } from "../src/convert/write.ts";
import { SEARCH_FORMATS } from "../src/search/writers.ts";
import { conllu, inFolder } from "./support.ts";

const COMMANDS = { parse: OUTPUT_FORMATS, convert: WRITTEN_FORMATS, search: SEARCH_FORMATS };

test.each<[keyof typeof COMMANDS, string, string | undefined]>([
  ["parse", "a.conllu", "conllu"],
  ["parse", "a.conllu.gz", "conllu"],
  ["parse", "folder.svg/a.JSON", "json"],
  ["parse", "a.b.jsonl", "jsonl"],
  ["parse", "a.ndjson", "jsonl"],
  ["parse", "a.txt", "tree"],
  ["parse", "a.svg", "svg"],
  ["parse", "a.htm", "html"],
  ["parse", "a.tex", "tikz"],
  ["convert", "a.txt", "text"],
  ["convert", "a.conllx", "conllx"],
  ["convert", "a.sdp.gz", "sdp"],
  ["search", "a.txt", "text"],
  ["search", "a.html", "html"],
  ["parse", "-", undefined],
  ["parse", "a", undefined],
  ["parse", "a.gz", undefined],
  ["parse", "version-1.2", undefined],
  ["parse", ".hidden", undefined],
  ["parse", "folder.pdf/a", undefined],
  ["parse", "/dev/stdout", undefined],
])("%s writes %s as %s", (command, output, format) => {
  const formats: readonly string[] = COMMANDS[command];
  expect(formatOfOutput({ output, given: undefined, formats })).toBe(format);
  expect(formatOfOutput({ output, given: "json", formats })).toBe("json");
});

test.each<[keyof typeof COMMANDS, string, string]>([
  ["parse", "a.pdf", ".conllu, "],
  ["parse", "a.sdp", ".jsonl, "],
  ["parse", "a.model", "--output-format"],
  ["convert", "a.docx.gz", ".conllx, "],
  ["search", "a.svg", ".txt, "],
])("%s refuses %s and lists its endings", (command, output, part) => {
  const formats: readonly string[] = COMMANDS[command];
  const choose = () => formatOfOutput({ output, given: undefined, formats });
  expect(choose).toThrow(
    expect.objectContaining({ code: "invalid-command", message: expect.stringContaining(part) }),
  );
  expect(formatOfOutput({ output, given: "html", formats })).toBe("html");
});

describe("a command", () => {
  const gold = conllu("s", "Cats/NOUN/2/nsubj sleep/VERB/0/root");

  test.each(["convert @gold.conllu", "search {upos:VERB} @gold.conllu"])(
    "%s writes what the ending of its output says",
    async (line) => {
      const { run, path, bytes } = inFolder({ "gold.conllu": gold });
      for (const [name, start] of [
        ["page.html", "<!doctype html>"],
        ["list.json", "[\n{"],
        ["lines.jsonl", '{"'],
        ["packed.html.gz", "<!doctype html>"],
      ] as const) {
        expect((await run(`${line} -o @${name}`)).code).toBe(0);
        const text = (name.endsWith(".gz") ? gunzipSync(bytes(name)) : bytes(name)).toString();
        expect(text.slice(0, start.length)).toBe(start);
        if (name.endsWith(".json")) expect(JSON.parse(text)).toHaveLength(1);
      }
      expect((await run(`${line} -o @page.pdf`)).code).toBe(2);
      expect(existsSync(path("page.pdf"))).toBe(false);
    },
  );

  test("convert writes a file per sentence into a folder", async () => {
    const trees = [
      conllu("s", "Cats/NOUN/2/nsubj sleep/VERB/0/root"),
      conllu("S", "Sleep/VERB/0/root"),
      conllu("../a b", "Bark/VERB/0/root"),
      "1\tRun\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
      conllu(".5", "Sit/VERB/0/root"),
    ];
    const { run, path, text } = inFolder({ "gold.conllu": trees.join("") });
    const { code, err } = await run("convert @gold.conllu --to svg -o @new/drawings/");
    expect([code, err]).toEqual([0, `wrote 5 files into ${path("new/drawings")}/\n`]);
    const names = ["4.svg", "5.svg", "S-2.svg", "a-b.svg", "s.svg"];
    expect(readdirSync(path("new/drawings")).sort()).toEqual(names);
    expect(text("new/drawings/S-2.svg")).toMatch(/^<svg [\s\S]*>Sleep<[\s\S]*<\/svg>\n$/);
    expect((await run("convert @gold.conllu --to conllu -o @new/drawings")).code).toBe(0);
    expect(text("new/drawings/s.conllu")).toBe(trees[0]);
    // The file of a sentence never takes the place of an input.
    const own = await run("convert @new/drawings/s.conllu --to conllu -o @new/drawings");
    expect([own.code, text("new/drawings/s.conllu")]).toEqual([2, trees[0]]);
    expect((await run("convert @gold.conllu -o @new/drawings")).code).toBe(2);
  });

  test("convert writes the files of all sentences into a folder, or none", async () => {
    const tree = (id: string) => conllu(id, "Cats/NOUN/2/nsubj sleep/VERB/0/root");
    const crossing = conllu("3", "A/X/3/dep b/X/4/dep c/X/0/root d/X/3/dep");
    const files = { some: tree("1") + tree("2") + crossing, "1.brackets": "as it was" };
    const { run, names, text } = inFolder(files);
    for (const out of ["@.", "@new/deep"]) {
      const { code } = await run(`convert --to brackets @some -o ${out}/`);
      expect(code).not.toBe(0);
    }
    expect(names()).toEqual(["1.brackets", "some"]);
    expect(text("1.brackets")).toBe("as it was");
  });

  test("convert needs a format, by the ending or --to", async () => {
    const { run, text } = inFolder({ "gold.conllu": gold });
    expect((await run("convert @gold.conllu -o @out")).code).toBe(2);
    expect((await run("convert @gold.conllu")).code).toBe(2);
    expect((await run("convert @gold.conllu --to conllu -o @out.pdf")).code).toBe(0);
    expect(text("out.pdf")).toBe(gold);
  });
});
