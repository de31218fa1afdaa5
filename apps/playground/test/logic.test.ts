import { gzipSync } from "node:zlib";
import { parseConllu } from "@arcwise/conllu";
import { describe, expect, test } from "vitest";
import { viewOf } from "../src/app/view-names.ts";
import { withoutWord } from "../src/model/explain.ts";
import { modelFile } from "../src/model/model-file.ts";
import { differences } from "../src/parse/differences.ts";
import { type ParseSettings, settingsFromParameters, settingsToParameters } from "../src/parse/settings.ts";
import { fixed } from "../src/shared/fixed.ts";
import { inputKind, wordLists } from "../src/shared/input.ts";
import { keyName, targetOf } from "../src/shared/keyboard.ts";
import { LatestJob } from "../src/shared/latest.ts";
import { packText, unpackText } from "../src/shared/link.ts";
import { distinctForm, withSame } from "../src/shared/sentences.ts";

const CONLLU =
  "# text = Dogs bark\n1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n";

test.each([
  ["Dogs bark.", "text"],
  ["1\tDogs", "text"],
  ["2024\tis a year", "text"],
  [CONLLU, "conllu"],
  [`${CONLLU.split("\n")[1]}`, "conllu"],
])("the input %j is %s", (text, kind) => {
  expect(inputKind(text)).toBe(kind);
});

test("a word has its number where its form occurs twice", () => {
  const [sentence] = parseConllu(
    "1\tthe\t_\t_\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\t_\t_\t_\t0\troot\t_\t_\n3\tthe\t_\t_\t_\t_\t2\tdet\t_\t_\n\n",
  );
  expect([0, 1, 2, 3].map((position) => distinctForm(sentence!, position))).toEqual([
    ...["ROOT", "the (1)", "dog", "the (3)"],
  ]);
});

test("words are between spaces, sentences between line feeds", () => {
  expect(wordLists(" Dogs  bark .\n\nCats sleep\n")).toEqual([
    ["Dogs", "bark", "."],
    ["Cats", "sleep"],
  ]);
});

test.each([
  [-0.04, 1, "0.0"],
  [-0, 2, "0.00"],
  [-0.06, 1, "-0.1"],
  [1.25, 1, "1.3"],
])("%d with %i decimals is %s", (value, decimals, text) => {
  expect(fixed(value, decimals)).toBe(text);
});

describe("texts in links", () => {
  test.each([
    "",
    "Dogs bark.",
    "~ begins like a packed text",
    `${"Größe & 語 ".repeat(500)}`,
    CONLLU.repeat(40),
  ])("come back: %j", async (text) => {
    const packed = await packText(text);
    expect(await unpackText(packed)).toBe(text);
    expect(packed.length).toBeLessThanOrEqual(Math.max(200, text.length));
  });

  test.each(["~", "~%%%", "~AAAA"])("that are damaged are refused: %s", async (packed) => {
    await expect(unpackText(packed)).rejects.toMatchObject({ code: "invalid-data" });
  });

  test("that are too long are refused, packed or not, before they are unpacked", async () => {
    const long = "a ".repeat(5_000_000);
    const packed = await packText(long);
    expect(packed.length).toBeLessThan(20_000);
    for (const text of [packed, long])
      await expect(unpackText(text)).rejects.toMatchObject({
        message: expect.stringContaining("link: expected a text"),
      });
  });
});

test("settings come back from the parameters of a link", () => {
  const defaults = settingsFromParameters({});
  expect(settingsToParameters(defaults)).toEqual({});
  const changed: ParseSettings = {
    ...defaults,
    input: "words",
    lines: "on",
    layout: "tree",
    graph: "enhanced",
    tags: [],
    probabilities: true,
    trees: 5,
    decoder: "ad3",
  };
  expect(settingsFromParameters(settingsToParameters(changed))).toEqual(changed);
});

test("parameters that are unknown are ignored", () => {
  const wrong = {
    input: "x",
    layout: "",
    graph: "semantic",
    trees: "-3",
    decoder: "best",
    probabilities: "maybe",
  };
  expect(settingsFromParameters(wrong)).toEqual(settingsFromParameters({}));
  expect(viewOf("nothing")).toBe("parse");
});

test.each([
  [{ key: "z", ctrlKey: true, shiftKey: true }, "Ctrl+Shift+z"],
  [{ key: "Z", metaKey: true, shiftKey: true }, "Ctrl+Shift+z"],
  [{ key: "?", shiftKey: true }, "?"],
  [{ key: "ArrowLeft", altKey: true, shiftKey: true }, "Alt+Shift+ArrowLeft"],
])("the name of the key %j is %s", (event, name) => {
  expect(keyName(event as KeyboardEvent)).toBe(name);
});

test.each([
  ["ArrowRight", 2, 0],
  ["ArrowLeft", 0, 2],
  ["Home", 1, 0],
  ["End", 1, 2],
  ["a", 1, undefined],
])("%s moves the focus from %i to %s of three", (key, from, to) => {
  expect(targetOf(key, from, 3)).toBe(to);
});

describe("a file that is opened", () => {
  const model = Uint8Array.of(1, 0, 2, 0, 3);
  const header = (name: string, size: number) => {
    const block = new Uint8Array(512);
    const write = (text: string, at: number) => block.set(new TextEncoder().encode(text), at);
    write(name, 0);
    write(size.toString(8).padStart(11, "0"), 124);
    write("ustar", 257);
    return block;
  };
  const entry = (name: string, content: Uint8Array) => {
    const padded = new Uint8Array(512 * Math.ceil(content.length / 512));
    padded.set(content);
    return [header(name, content.length), padded];
  };
  const archive = (...blocks: Uint8Array[]) =>
    new Uint8Array(gzipSync(Buffer.concat([...blocks, new Uint8Array(1024)])));

  test("is a model, a gzipped one, or in a package", async () => {
    const readme = entry("package/README.md", new TextEncoder().encode("text"));
    const packed = archive(...readme, ...entry("package/my.model", model));
    for (const bytes of [model, new Uint8Array(gzipSync(model)), packed])
      expect([...(await modelFile(bytes))!]).toEqual([...model]);
  });

  test("is a text", async () => {
    expect(await modelFile(new TextEncoder().encode(CONLLU))).toBeUndefined();
  });

  test("is refused without a model, or damaged", async () => {
    const without = archive(...entry("package/README.md", model));
    for (const bytes of [without, Uint8Array.of(0x1f, 0x8b, 1, 2)])
      await expect(modelFile(bytes)).rejects.toMatchObject({ code: "invalid-model" });
  });

  test.each(["-1000", "", "99", "0x10", "1e3", "77777777777", "0000000000 1"])(
    "is refused with the size %j, which is not an octal number within the archive",
    async (size) => {
      const tar = new Uint8Array(1536);
      const write = (text: string, at: number) => tar.set(new TextEncoder().encode(text), at);
      write("package/package.json", 0);
      write(size, 124);
      write("ustar", 257);
      write("x", 600);
      await expect(modelFile(new Uint8Array(gzipSync(tar)))).rejects.toMatchObject({ code: "invalid-model" });
    },
  );
});

test("a sentence without a word has the other words in their order", () => {
  const [sentence] = parseConllu(CONLLU);
  expect(withoutWord(sentence!, 1).rows).toMatchObject([{ id: 1, form: "bark", head: -1 }]);
});

test("differences of trees are counted", () => {
  const tree = (heads: number[], labels: string[]) => ({
    heads: Int32Array.from([-1, ...heads]),
    labels: ["", ...labels],
    score: 0,
  });
  const best = tree([2, 0, 2], ["nsubj", "root", "obj"]);
  expect(differences(best, best)).toEqual({ heads: 0, labels: 0 });
  expect(differences(best, tree([3, 0, 2], ["det", "root", "obl"]))).toEqual({ heads: 1, labels: 1 });
});

test("of jobs that wait only the last one runs, after the running one", async () => {
  const jobs = new LatestJob();
  const ran: number[] = [];
  const ends: (() => void)[] = [];
  const job = (n: number) => () => {
    ran.push(n);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  for (const n of [1, 2, 3]) jobs.run(job(n));
  expect(ran).toEqual([1]);
  ends[0]!();
  await expect.poll(() => ran).toEqual([1, 3]);
  ends[1]!();
  await new Promise((resolve) => setTimeout(resolve));
  jobs.run(job(4));
  expect(ran).toEqual([1, 3, 4]);
});

test("equal sentences stay the same objects", () => {
  const read = () => parseConllu("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
  const before = read();
  const found = read();
  expect(withSame(found, before)).toEqual(before);
  expect(withSame(found, before)[0]).toBe(before[0]);
  expect(withSame(found, [before[1]!])[0]).toBe(found[0]);
});
