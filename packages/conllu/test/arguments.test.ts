import { describe, expect, test } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import * as exported from "../src/index.ts";
import {
  parseConll2009,
  parseConllu,
  parseConllX,
  parseSdp,
  type Row,
  readConllu,
  readSdp,
  sentenceTree,
  sentenceWords,
  validateSource,
  validateText,
  viewSentence,
  withEnhancedGraph,
  withTree,
  writeConllu,
  writeSentence,
} from "../src/index.ts";

/** The functions as plain JavaScript calls them. */
type Call = (...values: readonly unknown[]) => unknown;
const call = (value: unknown) => value as Call;

const TEXT = "1\tgo\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
const [SENTENCE] = parseConllu(TEXT);

describe("arguments of another type", () => {
  test.each<[string, () => unknown, string]>([
    ["parseConllu(5)", () => call(parseConllu)(5), "5"],
    ["parseConllu()", () => call(parseConllu)(), "nothing"],
    ["parseConllu(bytes)", () => call(parseConllu)(new Uint8Array(2)), "a Uint8Array of 2 bytes"],
    ["parseConllX(null)", () => call(parseConllX)(null), "null"],
    ["parseConll2009([])", () => call(parseConll2009)([]), "a list of 0"],
    ["parseSdp({})", () => call(parseSdp)({}), "an object"],
    ["readConllu(5)", () => call(readConllu)(5), "5"],
    ["readConllu(a buffer)", () => call(readConllu)(new ArrayBuffer(1)), "an ArrayBuffer"],
    ["readConllu(16-bit)", () => call(readConllu)(new Uint16Array(1)), "a Uint16Array of 2 bytes"],
    ["readSdp(a promise)", () => call(readSdp)(Promise.resolve("")), "a Promise: await it first"],
    ["validateText(5)", () => [...(call(validateText)(5) as Iterable<unknown>)], "5"],
    ["writeConllu(5)", () => call(writeConllu)(5), "5"],
    ["writeConllu(a sentence)", () => call(writeConllu)(SENTENCE), "an object"],
    ["writeConllu(text)", () => call(writeConllu)("text"), '"text"'],
    ["writeSentence(sentences)", () => call(writeSentence)([SENTENCE]), "a list of 1"],
    ["sentenceWords(text)", () => call(sentenceWords)("1\tgo"), '"1\\tgo"'],
    ["sentenceTree()", () => call(sentenceTree)(), "nothing"],
    ["withTree({})", () => call(withTree)({}, {}), "an object"],
    ["withEnhancedGraph(5)", () => call(withEnhancedGraph)(5, {}), "5"],
  ])("%s", (_what, run, found) => {
    expect(thrownBy(run)).toMatchObject({ code: "invalid-argument", found });
  });

  const functions = Object.entries(exported).filter(([, value]) => typeof value === "function");
  test.each(functions)("messages of %s do not name other functions", (name, value) => {
    const others = functions.filter(([other]) => other !== name).map(([other]) => other);
    for (const wrong of [5, "x", {}, [], [5], [{}]]) {
      const message = String((thrownBy(() => call(value)(wrong, wrong)) as Error | undefined)?.message);
      expect(others).not.toContain(/^\w+(?=[.:])/.exec(message)?.[0]);
    }
  });

  test.each<[string, unknown, string]>([
    ["numbers", [68, 111], "68"],
    ["lists of bytes", [[68, 111]], "a list of 2"],
    ["a chunk that is missing", [TEXT, undefined], "nothing"],
  ])("a stream of %s", async (_what, chunks, found) => {
    const read = async () => {
      for await (const _ of call(readConllu)(chunks) as AsyncIterable<unknown>);
    };
    await expect(read()).rejects.toMatchObject({ code: "invalid-argument", found });
  });

  test("of an asynchronous validation", async () => {
    const found = call(validateSource)(5) as AsyncIterator<unknown>;
    await expect(found.next()).rejects.toMatchObject({ code: "invalid-argument", found: "5" });
  });
});

describe("options", () => {
  test.each<[string, () => unknown, object]>([
    ["unknown", () => call(parseConllu)(TEXT, { maxLine: 5 }), { code: "unknown-option", at: "maxLine" }],
    ["unknown of a stream", () => call(readConllu)(TEXT, { name: "a" }), { code: "unknown-option" }],
    [
      "a file name",
      () => call(parseConllu)(TEXT, "a.conllu"),
      { code: "invalid-option", expected: "options" },
    ],
    ["a version", () => call(readSdp)(TEXT, { version: 2016 }), { code: "invalid-option", at: "version" }],
    [
      "a level",
      () => [...(call(validateText)(TEXT, { level: 6 }) as Iterable<unknown>)],
      { code: "invalid-option", at: "level" },
    ],
    [
      "paths",
      () => call(withEnhancedGraph)(SENTENCE, { n: 1, edges: [] }, { paths: "collapse" }),
      { code: "invalid-option", at: "paths" },
    ],
  ])("%s", (_what, run, error) => {
    expect(thrownBy(run)).toMatchObject(error);
  });
});

test("IDs that no sentence has do not take time in proportion to them", () => {
  const [row] = SENTENCE!.rows;
  const far = { ...row!, kind: "range", first: -1e15, last: 1e15 } as Row;
  expect(viewSentence({ ...SENTENCE!, rows: [far, row!] }).text).toBe("go");
  const wrong = { ...SENTENCE!, rows: [{ ...row!, id: 1e308 } as Row] };
  expect(thrownBy(() => viewSentence(wrong))).toMatchObject({ code: "invalid-argument" });
});
