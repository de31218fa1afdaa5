import { type ConlluSentence, parseConllu, rawText, validateText, writeConllu } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinTreebanks, languagesOf, treebanksOf } from "../src/index.ts";
import { corrected } from "../src/treebanks/corrections.ts";
import { VARIATIONS } from "../src/treebanks/variations.ts";
import { TREEBANK } from "./treebank.ts";

/** Rows `ID FORM UPOS FEATS HEAD DEPREL MISC`, one per line. */
function sentence(...lines: string[]): ConlluSentence {
  const rows = lines.map((line) => {
    const [id, form, upos = "_", feats = "_", head = "_", deprel = "_", misc = "_"] = line.split(" ");
    return [id, form, id!.includes("-") ? "_" : form, upos, "_", feats, head, deprel, "_", misc].join("\t");
  });
  return parseConllu(`${rows.join("\n")}\n\n`)[0]!;
}

const textOf = (own: ConlluSentence | undefined) => own && rawText([own]).text.trim();
const treesOf = (own: ConlluSentence) =>
  own.rows.flatMap((row) => (row.kind === "word" ? [`${row.id} ${row.form} ${row.head}`] : []));

const ITS = sentence(
  "1-2 its",
  "1 it PRON _ 3 nsubj",
  "2 s AUX Mood=Ind|Typo=Yes 3 cop CorrectForm='s",
  "3 late ADJ _ 0 root SpaceAfter=No",
  "4 . PUNCT _ 3 punct",
);
const WITH_OUT = sentence(
  "1 go VERB _ 0 root",
  "2 with ADP Typo=Yes 4 case CorrectForm=without",
  "3 out X _ 2 goeswith CorrectForm=_",
  "4 me PRON _ 1 obl SpaceAfter=No",
  "5 . PUNCT _ 1 punct",
);
const JOINED = sentence(
  "1 so ADV _ 2 advmod CorrectSpaceAfter=Yes|SpaceAfter=No",
  "2 late ADJ Degree=Pos 0 root",
);

describe("a sentence without its typing errors", () => {
  test.each([
    ["a word within a token", ITS, "it's late."],
    ["a word that is left out", WITH_OUT, "go without me."],
    ["a space", JOINED, "so late"],
    ["a word with two corrections", sentence("1 to ADV _ 0 root CorrectForm=too|CorrectForm=two"), "too"],
  ])("%s", (_, own, text) => expect(textOf(corrected(own))).toBe(text));

  test("has a tree, and neither corrections nor Typo=Yes", () => {
    const found = corrected(WITH_OUT)!;
    expect(treesOf(found)).toEqual(["1 go 0", "2 without 3", "3 me 1", "4 . 1"]);
    expect(writeConllu([found])).not.toMatch(/Typo|Correct/);
  });

  test("is not made where the features of the correct word are not known, or without errors", () => {
    expect(
      corrected(sentence("1 runs VERB Typo=Yes 0 root CorrectForm=run|CorrectNumber=Plur")),
    ).toBeUndefined();
    expect(TREEBANK.every((own) => corrected(own) === undefined)).toBe(true);
  });
});

describe("other ways of writing", () => {
  const own = sentence(
    "1-2 I've",
    "1 I PRON _ 3 nsubj",
    "2 've AUX _ 3 aux",
    "3 seen VERB _ 0 root",
    "4 the DET _ 5 det",
    "5 house NOUN _ 3 obj SpaceAfter=No",
    "6 . PUNCT _ 3 punct",
  );

  test.each([
    ["capitals", "I'VE SEEN THE HOUSE."],
    ["lowercase", "i've seen the house."],
    ["headline", "I've Seen the House"],
    ["unstopped", "I've seen the house"],
  ])("%s", (name, text) => expect(textOf(VARIATIONS[name]!(own))).toBe(text));

  test("are absent in scripts without case", () => {
    const chinese = sentence("1 他 PRON _ 2 nsubj", "2 来 VERB _ 0 root");
    expect(Object.values(VARIATIONS).map((vary) => vary(chinese))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("are well-formed sentences with the same heads", () => {
    for (const vary of Object.values(VARIATIONS)) {
      const found = vary(own)!;
      expect([...validateText(writeConllu([found]), { level: 1 })]).toEqual([]);
      const heads = (given: ConlluSentence) =>
        given.rows.map((row) => (row.kind === "word" ? row.head : "-"));
      expect(heads(found)).toEqual(heads(own).slice(0, found.rows.length));
    }
  });
});

describe("several treebanks", () => {
  const paragraphs = (count: number, form: string) =>
    Array.from({ length: count }, () => {
      const [own] = [sentence(`1 ${form} X _ 0 root`)];
      return { ...own, comments: ["# newpar"] };
    });
  const join = (treebanks: Parameters<typeof treebanksOf>[0], variation = 0, seed = 1) =>
    joinTreebanks(treebanksOf(treebanks, "treebanks"), { seed, variation });
  const forms = (sentences: readonly ConlluSentence[]) => sentences.map(({ rows }) => rows[0]!.form);

  test("alternate in proportion to their sizes", () => {
    const joined = forms(join([{ sentences: paragraphs(60, "a") }, { sentences: paragraphs(20, "b") }]));
    for (let from = 0; from < 80; from += 20)
      expect(joined.slice(from, from + 20).filter((form) => form === "b")).toHaveLength(5);
  });

  test("are learned as often as their weights say", () => {
    const count = (weight: number) => join([{ sentences: paragraphs(200, "a"), weight }]).length;
    expect(count(2)).toBe(400);
    expect(count(0.5)).toBeGreaterThan(70);
    expect(count(0.5)).toBeLessThan(130);
  });

  test("keep all sentences of one treebank in their order", () => {
    expect(join(TREEBANK)).toEqual(TREEBANK);
  });

  test("are joined the same way by the same seed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, share) => {
          const treebanks = [{ sentences: TREEBANK, weight: 0.7 }, { sentences: [ITS, WITH_OUT] }];
          expect(join(treebanks, share, seed)).toEqual(join(treebanks, share, seed));
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each([
    ["a weight of 0", [{ sentences: TREEBANK, weight: 0 }], "invalid-option"],
    ["a misspelt member", [{ sentences: TREEBANK, wieght: 1 }], "unknown-option"],
    ["a string", "treebank.conllu", "invalid-argument"],
  ])("refuse %s", (_, given, code) => {
    expect(() => treebanksOf(given as never, "treebanks")).toThrow(expect.objectContaining({ code }));
    expect(() => treebanksOf(given as never, "treebanks")).toThrow(ArcwiseError);
  });
});

test.each([
  ["UD_Welsh-CCG", "Welsh"],
  ["cy_ccg-ud-train", "Welsh"],
  ["UD_English-EWT-train, en_gum-ud-train, UD_Old_French-SRCMF", "English, Old French"],
  ["corrected", undefined],
])("the languages of %s are %s", (names, expected) => {
  expect(languagesOf(names)).toBe(expected);
});
