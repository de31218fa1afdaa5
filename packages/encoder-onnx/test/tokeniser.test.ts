import { describe, expect, it, test } from "vitest";
import { type EncoderContents, jsonFile } from "../src/files.ts";
import { wordTokeniser } from "../src/tokeniser.ts";
import { TINY_TOKENIZER } from "./tiny-encoder.ts";

type Json = Readonly<Record<string, unknown>>;

function tokeniserOf(
  tokenizer: Json,
  { settings = {}, config = {} }: { settings?: Json | undefined; config?: Json | undefined } = {},
) {
  const file = (value: Json, source: string) =>
    jsonFile({ bytes: new TextEncoder().encode(JSON.stringify(value)), source });
  return wordTokeniser({
    tokenizer: file(tokenizer, "tokenizer.json"),
    tokenizerConfig: file(settings, "tokenizer_config.json"),
    config: file(config, "config.json"),
  } as unknown as EncoderContents);
}

/** The texts of pieces, by the vocabulary of a tokeniser of the tests. */
function shown(vocabulary: readonly string[], ids: readonly number[]): string {
  return ids.map((id) => vocabulary[id]).join(" ");
}

const TEMPLATE = (before: string, after: string) => ({
  type: "TemplateProcessing",
  single: [
    { SpecialToken: { id: before, type_id: 0 } },
    { Sequence: { id: "A", type_id: 0 } },
    { SpecialToken: { id: after, type_id: 0 } },
  ],
  pair: [],
});

const UNIGRAM = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁cat", "s", "a", "b", "c", "<", ">"];
const unigram = (normalizer: unknown = { type: "NFKC" }) => ({
  added_tokens: UNIGRAM.slice(0, 4).map((content, id) => ({ id, content, special: true })),
  normalizer,
  pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always" },
  post_processor: TEMPLATE("<s>", "</s>"),
  model: {
    type: "Unigram",
    unk_id: 3,
    vocab: UNIGRAM.map((piece, id) => [piece, id < 4 ? 0 : -piece.length]),
  },
});

const BYTES = ["<s>", "</s>", "<pad>", "Ġ", "c", "a", "t", "ca", "Ġca", "Ġcat", "ï", "¿", "½", "Å", "ĳ"];
const bytes = {
  added_tokens: BYTES.slice(0, 3).map((content, id) => ({ id, content, special: true })),
  normalizer: null,
  pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true },
  post_processor: { type: "RobertaProcessing", sep: ["</s>", 1], cls: ["<s>", 0] },
  model: {
    type: "BPE",
    unk_token: null,
    vocab: Object.fromEntries(BYTES.map((piece, id) => [piece, id])),
    merges: ["c a", "Ġ ca", "Ġca t"],
  },
};

describe("pieces of given words", () => {
  const words = tokeniserOf(TINY_TOKENIZER);
  const vocabulary = Object.keys(TINY_TOKENIZER.model.vocab);
  it.each([
    ["Sleeping", "sleep ##ing"],
    ["cats", "cat ##s"],
    ["saw.", "saw ."],
    ["the cat", "the cat"],
    ["Ñ", "n"],
    ["日本", "[UNK] [UNK]"],
    ["", "[UNK]"],
    [" ", "[UNK]"],
    ["\u0000", "[UNK]"],
    ["\u00ad", "[UNK]"],
    ["\ud83d", "[UNK]"],
    ["[SEP]", "[UNK]"],
    ["[CLS]cat", "[UNK] cat"],
    ["a".repeat(101), "[UNK]"],
    ["a".repeat(100_000), "[UNK]"],
  ])("WordPiece: %j is %s", (word, pieces) => {
    expect(shown(vocabulary, words.pieces(word))).toBe(pieces);
    expect(shown(vocabulary, words.pieces(word))).toBe(pieces);
  });

  it.each([
    ["cats", "▁cat s"],
    ["ab", "▁ a b"],
    ["ｃats", "▁cat s"],
    ["z", "▁ <unk>"],
    ["", "<unk>"],
    ["</s>", "<unk>"],
    ["abc".repeat(200), `▁${" a b c".repeat(85)} a`],
  ])("Unigram: %j is %s", (word, pieces) => {
    expect(shown(UNIGRAM, tokeniserOf(unigram()).pieces(word))).toBe(pieces);
  });

  it.each([
    ["cat", "Ġcat"],
    ["ca", "Ġca"],
    ["ő", "Ġ Å ĳ"],
    ["", "Ġ"],
    ["</s>", "Ġ Ġ ï ¿ ½"],
  ])("BPE of bytes: each word follows a space: %j is %s", (word, pieces) => {
    expect(shown(BYTES, tokeniserOf(bytes).pieces(word))).toBe(pieces);
  });
});

test.each([
  ["WordPiece", TINY_TOKENIZER, [2], [3]],
  ["Unigram", unigram(), [0], [2]],
  ["BPE of bytes", bytes, [0], [1]],
  ["without a template", { ...unigram(), post_processor: null }, [], []],
])("special pieces: %s", (_, tokenizer, before, after) => {
  const found = tokeniserOf(tokenizer);
  expect([found.before.map(({ id }) => id), found.after.map(({ id }) => id)]).toEqual([before, after]);
});

test("types of pieces are as the template has them", () => {
  const { post_processor: _, ...rest } = unigram();
  const single = [{ Sequence: { id: "A", type_id: 1 } }, { SpecialToken: { id: "</s>", type_id: 2 } }];
  const found = tokeniserOf({ ...rest, post_processor: { type: "TemplateProcessing", single, pair: [] } });
  expect(found).toMatchObject({ before: [], after: [{ id: 2, type: 2 }], type: 1 });
});

test.each([
  [{ config: { pad_token_id: 7 }, settings: { pad_token: "<pad>" } }, 7],
  [{ settings: { pad_token: "<pad>" } }, 1],
  [{ settings: { pad_token: { content: "<pad>" } } }, 1],
  [{}, 0],
])("the piece of the padding, %j", (settings, padding) => {
  expect(tokeniserOf(unigram(), settings).padding).toBe(padding);
});

describe("the normaliser Nmt, which the library does not know", () => {
  const sequence = { type: "Sequence", normalizers: [{ type: "Nmt" }, { type: "NFKC" }] };
  it.each([
    ["c\u0001a\u200bt\u007f", "▁ c a ▁ <unk>"],
    ["ca\tb", "▁ c a ▁ b"],
    ["\u0001", "<unk>"],
    ["ca", "▁ c a"],
  ])("%j is %s", (word, pieces) => {
    expect(shown(UNIGRAM, tokeniserOf(unigram(sequence)).pieces(word))).toBe(pieces);
    expect(shown(UNIGRAM, tokeniserOf(unigram({ type: "Nmt" })).pieces(word))).toBe(pieces);
  });
});

test.each([
  ["another normaliser", unigram({ type: "Unheard" }), /Unheard/],
  ["no model", { model: null }, /tokenizer\.json/],
  ["an empty object", {}, /tokenizer\.json/],
])("refuses %s", (_, tokenizer, message) => {
  expect(() => tokeniserOf(tokenizer)).toThrow(
    expect.objectContaining({
      code: "invalid-data",
      file: "tokenizer.json",
      message: expect.stringMatching(message),
    }),
  );
});

describe("what a file of a tokeniser may contain", () => {
  const { model, added_tokens: added } = TINY_TOKENIZER;
  const withId = (id: unknown) => ({
    ...TINY_TOKENIZER,
    model: { ...model, vocab: { ...model.vocab, dog: id } },
  });
  const replacing = (Regex: string, content = "") => ({
    ...TINY_TOKENIZER,
    normalizer: { type: "Sequence", normalizers: [{ type: "Replace", pattern: { Regex }, content }] },
  });
  const splitting = (Regex: string) => ({
    ...TINY_TOKENIZER,
    pre_tokenizer: { type: "Split", pattern: { Regex }, behavior: "Isolated" },
  });
  it.each<[string, Json, Json?]>([
    ["a number that a list cannot have", withId(4e9)],
    ["a negative number", withId(-1)],
    ["a fraction", withId(1.5)],
    ["a text as a number", withId("5")],
    ["an added piece", { ...TINY_TOKENIZER, added_tokens: [...added, { id: 1e9, content: "x" }] }],
    ["a padding", TINY_TOKENIZER, { pad_token_id: -1 }],
    ["nested repetitions", replacing("(a+)+b")],
    ["nested repetitions of a class", replacing("(?:[^a-c]{2,})*x")],
    ["repeated alternatives", splitting("(a|aa)+$b")],
    ["a group that is repeated some times", splitting("(?:a*){20}b")],
    ["a repeated group with an optional part", splitting("(a?a)+b")],
    ["an optional part that is repeated some times", splitting("(a?){20}b")],
    ["many optional parts in a row", splitting(`${"a?".repeat(30)}b`)],
    ["many parts of a few times in a row", splitting(`${"a{1,3}".repeat(15)}b`)],
    ["many alternatives in a row", splitting(`${"(a|aa)".repeat(20)}b`)],
    ["many repetitions in a row", splitting("a*a*a*a*b")],
    ["a reference", splitting("(a*)\\1b")],
    ["a long text to insert", replacing("a", "b".repeat(1000))],
  ])("refuses %s", (_, tokenizer, config) => {
    expect(() => tokeniserOf(tokenizer, { config })).toThrow(
      expect.objectContaining({ code: "invalid-data", file: "tokenizer.json" }),
    );
  });

  it.each([
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s+",
    " {2,}",
    "[^(|*+)]+",
  ])("accepts the expressions of published tokenisers, %s", (source) => {
    expect(tokeniserOf(splitting(source)).pieces("cat").length).toBeGreaterThan(0);
  });

  it("cuts what normalisers make longer, and refuses what grows without bounds", () => {
    const double = { type: "Replace", pattern: { String: "s" }, content: "ss" };
    const doubled = (length: number) => ({
      ...unigram({ type: "Sequence", normalizers: Array.from({ length }, () => double) }),
      pre_tokenizer: null,
    });
    expect(tokeniserOf(doubled(4)).pieces("s")).toHaveLength(16);
    expect(tokeniserOf(doubled(4)).pieces("s".repeat(200))).toHaveLength(256);
    expect(() => tokeniserOf(doubled(60))).toThrow(expect.objectContaining({ code: "invalid-data" }));
  });
});
