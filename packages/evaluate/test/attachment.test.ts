import { ConlluError } from "@arcwise/conllu";
import { heads } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { attachmentScores, SentenceMismatch, sentenceCounts, treePairs } from "../src/index.ts";
import type { ScoringOptions } from "../src/scoring.ts";
import { PAIRS, tree, ud, words } from "./examples.ts";

describe("scores worked by hand", () => {
  test("all words, full labels", () => {
    // Right heads: she, saw, big, dog; here, is. Of these, dog has the wrong label, and so has here.
    expect(attachmentScores(PAIRS)).toEqual({
      words: 8,
      sentences: 2,
      correctHeads: 6,
      correctLabels: 6,
      correctArcs: 4,
      uas: 6 / 8,
      las: 4 / 8,
      la: 6 / 8,
      exactMatchUnlabelled: 1 / 2,
      exactMatchLabelled: 0,
      rootAccuracy: 1,
    });
  });

  test.each<[options: ScoringOptions, counts: [words: number, heads: number, labels: number, arcs: number]]>([
    [{}, [8, 6, 6, 4]],
    [{ punctuation: "keep", subtypes: true }, [8, 6, 6, 4]],
    [{ punctuation: "conllx" }, [7, 6, 5, 4]],
    [{ punctuation: "upos" }, [7, 6, 5, 4]],
    [{ subtypes: false }, [8, 6, 7, 5]],
    [{ punctuation: "upos", subtypes: false }, [7, 6, 6, 5]],
  ])("%j", (options, [count, heads, labels, arcs]) => {
    expect(attachmentScores(PAIRS, options)).toMatchObject({
      words: count,
      correctHeads: heads,
      correctLabels: labels,
      correctArcs: arcs,
    });
  });

  test("no words at all: every score is 0", () => {
    expect(attachmentScores([])).toMatchObject({ words: 0, sentences: 0, uas: 0, exactMatchLabelled: 0 });
  });

  test("a sentence without a scored word is not counted", () => {
    const dots = { words: words("..."), gold: tree("0", "root"), predicted: tree("0", "root") };
    const scores = attachmentScores([...PAIRS, dots], { punctuation: "conllx" });
    expect(scores).toMatchObject({ words: 7, sentences: 2, exactMatchUnlabelled: 1 / 2 });
  });

  test("the root is right when its set of dependents is", () => {
    const pair = (predicted: string) => ({
      words: words("a b c"),
      gold: tree("0 1 1", "x x x"),
      predicted: tree(predicted, "x x x"),
    });
    const accuracy = (predicted: string) => attachmentScores([pair(predicted)]).rootAccuracy;
    expect([accuracy("0 3 1"), accuracy("0 0 1"), accuracy("2 0 1")]).toEqual([1, 0, 0]);
  });
});

describe("the punctuation rule of CoNLL-X: every character is of a category P*", () => {
  test.each([
    [".", true],
    ["...", true],
    ["-LRB-", false],
    ["«", true],
    ["—", true],
    ["،", true],
    ["。」", true],
    ["\u{10100}", true], // AEGEAN WORD SEPARATOR LINE, beyond the basic plane
    ["$", false], // Sc
    ["+", false], // Sm
    ["`", false], // Sk
    ["''", true],
    ["a.", false],
    ["5", false],
    ["😀", false],
  ])("%s is left out: %s", (form, isLeftOut) => {
    const pair = { words: [{ form, upos: "NOUN" }], gold: tree("0", "root"), predicted: tree("0", "root") };
    expect(attachmentScores([pair], { punctuation: "conllx" }).words).toBe(isLeftOut ? 0 : 1);
  });

  test("the rule upos depends on the gold tag alone", () => {
    const pair = (upos: string) => ({
      words: [{ form: "!", upos }],
      gold: tree("0", "root"),
      predicted: tree("0", "root"),
    });
    expect(attachmentScores([pair("PUNCT"), pair("SYM")], { punctuation: "upos" }).words).toBe(1);
  });
});

describe("sentence counts", () => {
  test.each<["uas" | "las" | "la", number[]]>([
    ["uas", [4, 2]],
    ["las", [3, 1]],
    ["la", [5, 1]],
  ])("%s", (metric, correct) => {
    const counts = sentenceCounts(PAIRS, metric);
    expect([Array.from(counts.correct), Array.from(counts.total)]).toEqual([correct, [6, 2]]);
  });

  test("summed, they give the scores", () => {
    const options = { punctuation: "upos", subtypes: false } as const;
    const scores = attachmentScores(PAIRS, options);
    const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);
    for (const metric of ["uas", "las", "la"] as const) {
      const { correct, total } = sentenceCounts(PAIRS, metric, options);
      expect(sum(correct) / sum(total)).toBe(scores[metric]);
    }
  });
});

describe("trees that cannot be scored", () => {
  test.each<[name: string, predicted: string, labels: string, message: string]>([
    ["too few heads", "0", "root", "pair 1, predicted: expected 3 heads and labels, found 2 and 2"],
    ["too few labels", "0 1", "root", "pair 1, predicted: expected 3 heads and labels, found 3 and 2"],
    ["a cycle", "2 1", "x x", "pair 1, predicted: cycle"],
    [
      "a head out of range",
      "0 3",
      "x x",
      "pair 1, predicted: expected the head of word 2 to be from 0 to 2, got 3",
    ],
  ])("%s", (_name, predicted, labels, message) => {
    const pair = { words: words("a b"), gold: tree("0 1", "root x"), predicted: tree(predicted, labels) };
    expect(thrownBy(() => attachmentScores([PAIRS[0]!, pair]))).toMatchObject({ code: "invalid-argument" });
    expect(() => attachmentScores([PAIRS[0]!, pair])).toThrow(message);
    expect(() => sentenceCounts([PAIRS[0]!, pair], "uas")).toThrow(message);
  });

  test("an unknown punctuation rule", () => {
    const options = { punctuation: "none" } as unknown as ScoringOptions;
    expect(() => attachmentScores(PAIRS, options)).toThrow(
      expect.objectContaining({ code: "invalid-option", at: "punctuation" }),
    );
  });
});

describe("pairs from CoNLL-U", () => {
  const gold = "# sent_id = s1\n1-2 ab\n1 a _ DET _ 2 det\n2 b _ NOUN _ 0 root";

  test("gold gives words and tags, multiword tokens are ignored", () => {
    const [pair] = treePairs(ud(gold), ud("1 a _ X _ 0 root\n2 b _ X _ 1 dep"));
    expect(pair!.words.map(({ form, upos }) => `${form}/${upos}`)).toEqual(["a/DET", "b/NOUN"]);
    expect(pair!.gold).toEqual({ heads: heads("2 0"), labels: ["", "det", "root"] });
    expect(pair!.predicted).toEqual({ heads: heads("0 1"), labels: ["", "root", "dep"] });
  });

  test.each<[name: string, system: string, message: string]>([
    ["a surplus sentence", `${gold}\n\n1 c _ X _ 0 root`, "sentence 2: expected 1 sentence, got 2"],
    [
      "another form",
      "1 a _ X _ 0 root\n2 c _ X _ 1 dep",
      'sentence 1: expected "b" as word 2 of "s1", got "c"',
    ],
    ["a missing word", "1 a _ X _ 0 root", 'sentence 1: expected 2 words of "s1", got 1'],
  ])("%s", (_name, system, message) => {
    expect(() => treePairs(ud(gold), ud(system))).toThrow(SentenceMismatch);
    expect(() => treePairs(ud(gold), ud(system))).toThrow(message);
  });

  test("heads that are missing", () => {
    expect(() => treePairs(ud(gold), ud("1 a _ X _ 0 root\n2 b _ X _ _ dep"))).toThrow(ConlluError);
  });
});

const LABEL = fc.constantFrom("x", "x:y", "z");

test("scores over random trees equal a count word by word", () => {
  const word = fc.record({ form: fc.constantFrom("a", ".", "b!"), upos: fc.constantFrom("X", "PUNCT") });
  const pick = fc.record({
    word,
    gold: fc.nat(),
    predicted: fc.nat(),
    goldLabel: LABEL,
    predictedLabel: LABEL,
  });
  fc.assert(
    fc.property(fc.array(fc.array(pick, { minLength: 1, maxLength: 6 }), { maxLength: 4 }), (sentences) => {
      const pairs = sentences.map((picks) => ({
        words: picks.map(({ word }) => word),
        gold: grown(picks.map(({ gold, goldLabel }) => [gold, goldLabel])),
        predicted: grown(picks.map(({ predicted, predictedLabel }) => [predicted, predictedLabel])),
      }));
      const all = pairs.flatMap(({ words, gold, predicted }) =>
        words.map(({ form }, i) => ({
          counted: !/^[.!]+$/.test(form),
          head: gold.heads[i + 1] === predicted.heads[i + 1],
          label: gold.labels[i + 1]!.split(":")[0] === predicted.labels[i + 1]!.split(":")[0],
        })),
      );
      const counted = all.filter((word) => word.counted);
      expect(attachmentScores(pairs, { punctuation: "conllx", subtypes: false })).toMatchObject({
        words: counted.length,
        correctHeads: counted.filter(({ head }) => head).length,
        correctLabels: counted.filter(({ label }) => label).length,
        correctArcs: counted.filter(({ head, label }) => head && label).length,
      });
    }),
  );
});

/** Returns a tree in which each word depends on an earlier one or the root. */
function grown(picks: readonly [pick: number, label: string][]) {
  return tree(picks.map(([pick], i) => pick % (i + 1)).join(" "), picks.map(([, label]) => label).join(" "));
}
