import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { formatOfOutput, OUTPUT_FORMATS } from "../src/analysis/output-format.ts";
import { WRITTEN_FORMATS } from "../src/convert/write.ts";
import { SEARCH_FORMATS } from "../src/search/writers.ts";
import { arcwise, conllu, folderWith } from "./support.ts";

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

  test.each([
    ["convert", ["convert", "gold.conllu"]],
    ["search", ["search", "{upos:VERB}", "gold.conllu"]],
  ])("%s writes what the ending of its output says", async (_, argv) => {
    const folder = folderWith({ "gold.conllu": gold });
    const inFolder = argv.map((arg) => (arg === "gold.conllu" ? join(folder, arg) : arg));
    for (const [name, start] of [
      ["page.html", "<!doctype html>"],
      ["list.json", "[\n{"],
      ["lines.jsonl", '{"'],
      ["packed.html.gz", "<!doctype html>"],
    ] as const) {
      const path = join(folder, name);
      expect((await arcwise([...inFolder, "-o", path])).code).toBe(0);
      const bytes = readFileSync(path);
      const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
      expect(text.slice(0, start.length)).toBe(start);
      if (name.endsWith(".json")) expect(JSON.parse(text)).toHaveLength(1);
    }
    const pdf = join(folder, "page.pdf");
    expect((await arcwise([...inFolder, "-o", pdf])).code).toBe(2);
    expect(existsSync(pdf)).toBe(false);
  });

  test("convert writes a file per sentence into a folder", async () => {
    const trees = [
      conllu("s", "Cats/NOUN/2/nsubj sleep/VERB/0/root"),
      conllu("S", "Sleep/VERB/0/root"),
      conllu("../a b", "Bark/VERB/0/root"),
      "1\tRun\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
      conllu(".5", "Sit/VERB/0/root"),
    ];
    const folder = folderWith({ "gold.conllu": trees.join("") });
    const argv = ["convert", join(folder, "gold.conllu"), "--to"];
    const made = join(folder, "new/drawings");
    const { code, err } = await arcwise([...argv, "svg", "-o", `${made}/`]);
    expect([code, err]).toEqual([0, `wrote 5 files into ${made}/\n`]);
    expect(readdirSync(made).sort()).toEqual(["4.svg", "5.svg", "S-2.svg", "a-b.svg", "s.svg"]);
    expect(readFileSync(join(made, "S-2.svg"), "utf8")).toMatch(/^<svg [\s\S]*>Sleep<[\s\S]*<\/svg>\n$/);
    expect((await arcwise([...argv, "conllu", "-o", made])).code).toBe(0);
    expect(readFileSync(join(made, "s.conllu"), "utf8")).toBe(trees[0]);
    // The file of a sentence never takes the place of an input.
    expect((await arcwise([argv[0]!, join(made, "s.conllu"), "--to", "conllu", "-o", made])).code).toBe(2);
    expect(readFileSync(join(made, "s.conllu"), "utf8")).toBe(trees[0]);
    expect((await arcwise([argv[0]!, join(folder, "gold.conllu"), "-o", made])).code).toBe(2);
  });

  test("convert writes the files of all sentences into a folder, or none", async () => {
    const tree = (id: string) => conllu(id, "Cats/NOUN/2/nsubj sleep/VERB/0/root");
    const crossing = conllu("3", "A/X/3/dep b/X/4/dep c/X/0/root d/X/3/dep");
    const folder = folderWith({ some: tree("1") + tree("2") + crossing, "1.brackets": "as it was" });
    for (const out of [folder, join(folder, "new/deep")]) {
      const { code } = await arcwise(["convert", "--to", "brackets", join(folder, "some"), "-o", `${out}/`]);
      expect(code).not.toBe(0);
    }
    expect(readdirSync(folder).sort()).toEqual(["1.brackets", "some"]);
    expect(readFileSync(join(folder, "1.brackets"), "utf8")).toBe("as it was");
  });

  test("convert needs a format, by the ending or --to", async () => {
    const folder = folderWith({ "gold.conllu": gold });
    const argv = ["convert", join(folder, "gold.conllu")];
    expect((await arcwise([...argv, "-o", join(folder, "out")])).code).toBe(2);
    expect((await arcwise(argv)).code).toBe(2);
    expect((await arcwise([...argv, "--to", "conllu", "-o", join(folder, "out.pdf")])).code).toBe(0);
    expect(readFileSync(join(folder, "out.pdf"), "utf8")).toBe(gold);
  });
});
