import { readFileSync } from "node:fs";
import {
  type ConlluSentence,
  parseConllu,
  sentenceId,
  sentenceText,
  sentenceTree,
  validateText,
  type WordRow,
  writeConllu,
} from "@arcwise/conllu";
import { isProjective, rootWords } from "@arcwise/core";
import { describe, expect, test } from "vitest";

const SPLITS = [
  { split: "train", sentences: 246, nonProjective: 9 },
  { split: "dev", sentences: 41, nonProjective: 2 },
  { split: "test", sentences: 41, nonProjective: 2 },
] as const;

const read = (file: string): string => readFileSync(new URL(`../sample/${file}`, import.meta.url), "utf8");

const treebank = new Map(SPLITS.map(({ split }) => [split, parseConllu(read(`${split}.conllu`))]));
const everything = [...treebank.values()].flat();

const words = (sentence: ConlluSentence): WordRow[] =>
  sentence.rows.filter((row): row is WordRow => row.kind === "word");

/** Returns the text of the forms: ranges instead of their words, spaces except where SpaceAfter=No. */
function detokenised(sentence: ConlluSentence): string {
  let text = "";
  let covered = 0;
  let word = 0;
  for (const row of sentence.rows) {
    if (row.kind === "empty") continue;
    if (row.kind === "range") covered = row.last;
    else if (++word <= covered) continue;
    text += row.form + (row.misc.split("|").includes("SpaceAfter=No") ? "" : " ");
  }
  return text.trimEnd();
}

const nonProjective = (sentences: readonly ConlluSentence[]): number =>
  sentences.filter((sentence) => !isProjective(sentenceTree(sentence).heads)).length;

describe.each(SPLITS)("the $split split of the sample", ({ split, sentences, nonProjective: least }) => {
  const text = read(`${split}.conllu`);

  test("is valid CoNLL-U by every rule of the validator", () => {
    const errors = [...validateText(text, { file: split })].filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message)).toEqual([]);
  });

  test("is written back byte for byte", () => {
    expect(writeConllu(parseConllu(text))).toBe(text);
  });

  test("has the sentences that its README counts, non-projective ones among them", () => {
    const parsed = treebank.get(split) ?? [];
    expect(parsed).toHaveLength(sentences);
    expect(nonProjective(parsed)).toBeGreaterThanOrEqual(least);
    const figures = [parsed.length, parsed.reduce((sum, one) => sum + words(one).length, 0)];
    const cells = [...figures, nonProjective(parsed)].map((n) => n.toLocaleString("en-US"));
    const row = `| ${[split, ...cells].join(" | ")} |`;
    expect(read("README.md")).toContain(row);
  });
});

describe("the sample", () => {
  test("has at least 250 sentences, a dozen non-projective", () => {
    expect(everything.length).toBeGreaterThanOrEqual(250);
    expect(nonProjective(everything)).toBeGreaterThanOrEqual(12);
  });

  test("repeats no sentence and no identifier, within a split or between them", () => {
    expect(new Set(everything.map(sentenceId)).size).toBe(everything.length);
    expect(new Set(everything.map(detokenised)).size).toBe(everything.length);
  });

  test.each(everything.map((sentence) => ({ id: sentenceId(sentence) ?? "", sentence })))(
    "$id is a well-annotated sentence",
    ({ sentence }) => {
      expect(detokenised(sentence)).toBe(sentenceText(sentence));
      expect([...rootWords(sentenceTree(sentence).heads)]).toHaveLength(1);
      expect(faults(sentence)).toEqual([]);
    },
  );
});

/** Relations whose words are leaves but for the rest of a fixed expression and, of some, a modifier. */
const LEAVES = new Set(["aux", "aux:pass", "case", "cc", "cop", "det", "expl", "fixed", "mark", "punct"]);
const AUXILIARIES = new Set("be can could do have may might must shall should will would".split(" "));

/** Returns violations of the guidelines of Universal Dependencies that can be checked word by word. */
function faults(sentence: ConlluSentence): string[] {
  const rows = words(sentence);
  const found: string[] = [];
  for (const [i, { form, lemma, upos, deprel, head }] of rows.entries()) {
    const say = (what: string): number => found.push(`word ${i + 1}, ${form}: ${what}`);
    const dependents = rows.filter((row) => row.head === i + 1);
    const strays = dependents.filter((row) => row.deprel !== "fixed" && row.deprel !== "advmod");
    if (LEAVES.has(deprel) && strays.length > 0) say(`${deprel} governs ${strays.map((row) => row.form)}`);
    for (const relation of ["nsubj", "obj", "iobj", "ccomp", "xcomp", "cop"]) {
      if (dependents.filter((row) => row.deprel === relation).length > 1) say(`has two ${relation}`);
    }
    if (deprel === "cop" && lemma !== "be") say(`copula with lemma ${lemma}`);
    if (deprel.startsWith("aux") && !AUXILIARIES.has(lemma)) say(`auxiliary with lemma ${lemma}`);
    if ((deprel === "punct") !== (upos === "PUNCT")) say(`${upos} as ${deprel}`);
    if (/^(conj|flat|fixed|appos)$/.test(deprel) && head > i + 1) say(`${deprel} to the left of its head`);
    const relations = new Set(dependents.map((row) => row.deprel));
    if (relations.has("aux:pass") && relations.has("nsubj")) say("active subject of a passive");
    if (relations.has("nsubj:pass") && !relations.has("aux:pass")) say("passive subject without auxiliary");
  }
  return found;
}

test("arcs of punctuation cross no others, and no arc crosses because of punctuation", () => {
  for (const sentence of everything) {
    const rows = words(sentence);
    const heads = [0, ...rows.map((row) => row.head)];
    const under = (word: number, h: number): boolean => {
      for (let at = word; at > 0; at = heads[at]!) if (at === h) return true;
      return h === 0;
    };
    for (let m = 1; m < heads.length; m++) {
      const h = heads[m]!;
      const gap: number[] = [];
      for (let k = Math.min(h, m) + 1; k < Math.max(h, m); k++) if (!under(k, h)) gap.push(k);
      const where = `${sentenceId(sentence)}, word ${m}`;
      if (rows[m - 1]!.deprel === "punct") expect(gap, where).toEqual([]);
      else if (gap.length > 0)
        expect(
          gap.every((k) => rows[k - 1]!.deprel === "punct"),
          where,
        ).toBe(false);
    }
  }
});
