import { ModelError, readContainer, type Vector, writeContainer } from "@arcwise/core/container";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createTokenizer,
  loadTokenizer,
  saveTokenizer,
  type TokenizerModel,
  trainTokenizer,
} from "../src/index.ts";
import { TREEBANK } from "./sentences.ts";

let model: TokenizerModel;
let bytes: Uint8Array;

beforeAll(async () => {
  model = await trainTokenizer(TREEBANK.slice(0, 40), { epochs: 2, dev: TREEBANK.slice(0, 10) });
  bytes = saveTokenizer(model);
});

test("a model that is written and read again is equal", () => {
  expect(loadTokenizer(bytes)).toEqual(model);
  expect(saveTokenizer(loadTokenizer(bytes))).toEqual(bytes);
});

test("narrow embeddings make a file smaller, which is written and read again", async () => {
  const narrow = await trainTokenizer(TREEBANK.slice(0, 40), { epochs: 1, embeddingUnits: 16 });
  expect(narrow.tokens.shape).toEqual({ ...model.tokens.shape, embedding: 16 });
  const file = saveTokenizer(narrow);
  expect(file.length).toBeLessThan(0.8 * bytes.length);
  expect(loadTokenizer(file)).toEqual(narrow);
});

describe("values of another type are refused:", () => {
  const wrong = (value: unknown) => value as never;
  const own = (options = {}) => createTokenizer(model, options);
  test.each<[string, () => unknown, string]>([
    ["bytes for a model", () => createTokenizer(wrong(bytes)), "invalid-argument"],
    ["an unknown option", () => own({ maxToken: 5 }), "unknown-option maxToken"],
    ["no tokens", () => own({ maxTokens: 0 }), "invalid-option maxTokens"],
    ["a word for lines", () => own().tokenize("Ann", { lines: wrong("yes") }), "invalid-option lines"],
    ["a number for text", () => own().tokenize(wrong(5)), "invalid-argument"],
    ["bytes in a session", () => own().session().push(wrong(bytes)), "invalid-argument"],
    ["a number of chunks", () => own().stream(wrong(5)), "invalid-argument"],
  ])("%s", (_what, run, expected) => {
    const [code, at] = expected.split(" ");
    expect(run).toThrow(expect.objectContaining(at === undefined ? { code } : { code, at }));
  });
  test("bytes in a stream", async () => {
    const found = createTokenizer(model).stream(wrong([new Uint8Array(2)]));
    await expect(found.next()).rejects.toMatchObject({
      code: "invalid-argument",
      found: "a Uint8Array of 2 bytes",
    });
  });
});

interface Mutable {
  header: Record<string, unknown> & {
    characters: { shape: Record<string, number> };
    tokens: { shape: Record<string, number> };
  };
  vectors: Record<string, Vector>;
}

describe("a file with a correct checksum is refused when", () => {
  test.each<[string, (file: Mutable) => unknown, string]>([
    ["the cost is not a probability", ({ header }) => (header.sentenceCost = 2), "header.sentenceCost"],
    ["a field is unknown", ({ header }) => (header.more = 1), 'unknown field "more"'],
    ["widths are not padded", ({ header }) => (header.tokens.shape.units = 6), "multiples of 4"],
    ["there are too many classes", ({ header }) => (header.tokens.shape.classes = 3), "classes"],
    ["characters have classes of tokens", ({ header }) => (header.characters.shape.classes = 4), "2 or 3"],
    ["features are of another kind", ({ header }) => (header.isWide = true), "characters.keys"],
    ["features lack keys", ({ header }) => (header.characters.shape.features! += 1), "characters.keys"],
    [
      "a key is duplicated",
      ({ vectors }) => vectors["characters.keys"]!.copyWithin(1, 0, 1),
      "each key once",
    ],
    [
      "a word is empty",
      ({ header }) => {
        header.multiword = { forms: [{ form: "x", words: ["", "x"], always: true }], affixes: [] };
      },
      "multiword.forms[0].words[0]",
    ],
    [
      "an affix rule makes empty words",
      ({ header }) => {
        header.multiword = { forms: [], affixes: [{ kind: "suffix", affix: "'s", words: ["", ""] }] };
      },
      "multiword.affixes[0].words",
    ],
  ])("%s", (_, change, message) => {
    const container = readContainer(bytes, "tokenizer");
    const file = structuredClone(container) as unknown as Mutable;
    change(file);
    const crafted = writeContainer({ kind: "tokenizer", ...file });
    expect(() => loadTokenizer(crafted)).toThrow(message);
    expect(() => loadTokenizer(crafted)).toThrow(ModelError);
  });
});

test("a tokeniser that was read cuts like the one that was written", () => {
  const text = "Ann doesn't sing. The cat saw 10 000 birds!";
  expect(createTokenizer(loadTokenizer(bytes)).tokenize(text)).toEqual(createTokenizer(model).tokenize(text));
});
