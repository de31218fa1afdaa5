import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bins } from "../src/bins.ts";
import {
  attachmentScores,
  type ErrorAnalysis,
  errorAnalysis,
  type TreePair,
  worstSentences,
} from "../src/index.ts";
import type { ScoreRow } from "../src/tallies.ts";
import { PAIRS, tree, words } from "./examples.ts";

/** `key words heads arcs` a row. */
const scores = (rows: readonly ScoreRow[]) =>
  rows.map(({ key, words, correctHeads, correctArcs }) => `${key} ${words} ${correctHeads} ${correctArcs}`);

/** `key gold predicted: heads right in gold, in predicted; arcs right in gold, in predicted` a row. */
const classes = (rows: ErrorAnalysis["label"]) =>
  rows.map(
    ({ key, gold, predicted, unlabelled: u, labelled: l }) =>
      `${key} ${gold} ${predicted}: ${u.correctGold} ${u.correctPredicted}; ` +
      `${l.correctGold} ${l.correctPredicted}`,
  );

describe("an analysis worked by hand", () => {
  const analysis = errorAnalysis(PAIRS);

  test("by sentence length, projectivity of the tree and tag", () => {
    expect(scores(analysis.sentenceLength)).toEqual(["1-5 2 2 1", "6-10 6 4 3"]);
    expect(scores(analysis.treeProjectivity)).toEqual(["projective 8 6 4"]);
    expect(scores(analysis.tag)).toEqual([
      "VERB 2 2 2",
      "ADJ 1 1 1",
      "ADV 1 1 0",
      "DET 1 0 0",
      "NOUN 1 1 0",
      "PRON 1 1 1",
      "PUNCT 1 0 0",
    ]);
  });

  test("by arc length and direction", () => {
    // Gold lengths: 1 root 2 1 3 4, 1 root; predicted: 1 root 1 1 3 1, 1 root.
    expect(classes(analysis.arcLength)).toEqual([
      "root 2 2: 2 2; 2 2",
      "1 3 5: 3 3; 2 2",
      "2 1 0: 0 0; 0 0",
      "3 1 1: 1 1; 0 0",
      "4 1 0: 0 0; 0 0",
    ]);
    expect(classes(analysis.direction)).toEqual([
      "root 2 2: 2 2; 2 2",
      "left 4 4: 3 3; 2 2",
      "right 2 2: 1 1; 0 0",
    ]);
  });

  test("by depth, which can differ between the trees for a right arc", () => {
    // Gold depths: 2 1 3 3 2 2, 2 1; predicted: 2 1 4 3 2 3, 2 1.
    expect(classes(analysis.depth)).toEqual([
      "1 2 2: 2 2; 2 2",
      "2 4 3: 3 3; 1 1",
      "3 2 2: 1 1; 1 1",
      "4 0 1: 0 0; 0 0",
    ]);
    const moved: TreePair = {
      words: words("a b c"),
      gold: tree("0 1 2", "x x x"),
      predicted: tree("3 0 2", "x x x"),
    };
    // Only c is right; its depth is 3 in gold and 2 in the prediction.
    expect(classes(errorAnalysis([moved]).depth)).toEqual([
      "1 1 1: 0 0; 0 0",
      "2 1 1: 0 1; 0 1",
      "3 1 1: 1 0; 1 0",
    ]);
  });

  test("by label, with the fractions", () => {
    expect(classes(analysis.label)).toEqual([
      "root 2 2: 2 2; 2 2",
      "advmod:lmod 1 0: 1 0; 0 0",
      "amod 1 1: 1 1; 1 1",
      "det 1 1: 0 0; 0 0",
      "nsubj 1 1: 1 1; 1 1",
      "obj 1 0: 1 0; 0 0",
      "punct 1 1: 0 0; 0 0",
      "advmod 0 1: 0 1; 0 0",
      "nmod 0 1: 0 1; 0 0",
    ]);
    const { labelled } = analysis.arcLength[1]!;
    expect(labelled).toEqual({
      correctGold: 2,
      correctPredicted: 2,
      precision: 2 / 5,
      recall: 2 / 3,
      f1: 0.5,
    });
  });

  test("scoring options apply", () => {
    const { label, tag } = errorAnalysis(PAIRS, { punctuation: "upos", subtypes: false });
    expect(label.map(({ key }) => key)).toEqual(["root", "advmod", "amod", "det", "nsubj", "obj", "nmod"]);
    expect(tag.map(({ key }) => key)).not.toContain("PUNCT");
  });

  test("non-projective arcs and trees", () => {
    // Gold: c -> a over b, which depends on the root d. Predicted: d -> a.
    const pair: TreePair = {
      words: words("a b c d"),
      gold: tree("3 4 4 0", "x x x r"),
      predicted: tree("4 4 4 0", "x x x r"),
    };
    const result = errorAnalysis([pair]);
    expect(scores(result.treeProjectivity)).toEqual(["non-projective 4 3 3"]);
    expect(classes(result.projectivity)).toEqual([
      "projective 3 4: 3 3; 3 3",
      "non-projective 1 0: 0 0; 0 0",
    ]);
    expect(scores(result.tag)).toEqual(["_ 4 3 3"]);
  });
});

describe("confusions", () => {
  test("pairs of labels, with and without the right head", () => {
    const { confusions } = errorAnalysis(PAIRS);
    expect(confusions[0]).toEqual({ gold: "root", predicted: "root", words: 2, rightHeads: 2 });
    expect(confusions.filter(({ gold, predicted }) => gold !== predicted)).toEqual([
      { gold: "advmod:lmod", predicted: "advmod", words: 1, rightHeads: 1 },
      { gold: "obj", predicted: "nmod", words: 1, rightHeads: 1 },
    ]);
    expect(confusions.find(({ gold }) => gold === "det")).toMatchObject({ words: 1, rightHeads: 0 });
  });
});

test("bins end at their bounds", () => {
  const bins = new Bins([1, 2, 5]);
  expect([1, 2, 3, 5, 6].map((value) => bins.names[bins.of(value)])).toEqual(["1", "2", "3-5", "3-5", ">5"]);
});

test("invalid trees are refused", () => {
  const pair = { words: words("a"), gold: tree("0", "r"), predicted: tree("1", "r") };
  expect(() => errorAnalysis([pair])).toThrow("pair 0, predicted: word 1 is its own head");
});

/** Any tree: the words in a random order, each attached to the root or to one before it. */
const randomTree = (n: number) =>
  fc
    .tuple(
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i + 1),
        { minLength: n, maxLength: n },
      ),
      fc.array(fc.nat(), { minLength: n, maxLength: n }),
      fc.array(fc.constantFrom("x", "y", "z"), { minLength: n, maxLength: n }),
    )
    .map(([order, picks, labels]) => {
      const heads = new Int32Array(n + 1).fill(-1);
      order.forEach((m, i) => {
        const pick = picks[i]! % (i + 1);
        heads[m] = pick === 0 ? 0 : order[pick - 1]!;
      });
      return { heads, labels: ["", ...labels] };
    });

const randomPairs = fc.array(
  fc.integer({ min: 1, max: 8 }).chain((n) =>
    fc.record({
      words: fc.array(fc.record({ form: fc.constantFrom("a", "."), upos: fc.constantFrom("X", "Y") }), {
        minLength: n,
        maxLength: n,
      }),
      gold: randomTree(n),
      predicted: randomTree(n),
      predictedWords: fc.array(fc.record({ form: fc.constant("a"), upos: fc.constantFrom("X", "Y", "") }), {
        minLength: n,
        maxLength: n,
      }),
    }),
  ),
  { maxLength: 5 },
);

describe("over random trees", () => {
  const CLASSES = ["arcLength", "depth", "direction", "projectivity", "label"] as const;
  const SCORES = ["sentenceLength", "treeProjectivity", "tag"] as const;
  const sum = <T>(rows: readonly T[], value: (row: T) => number) =>
    rows.reduce((total, row) => total + value(row), 0);

  test("each breakdown adds up to the attachment scores", () => {
    fc.assert(
      fc.property(randomPairs, (pairs) => {
        const options = { punctuation: "conllx" } as const;
        const { words, correctHeads, correctArcs } = attachmentScores(pairs, options);
        const analysis: ErrorAnalysis = errorAnalysis(pairs, options);
        for (const name of SCORES) {
          const rows = analysis[name];
          const totals = [
            sum(rows, (r) => r.words),
            sum(rows, (r) => r.correctHeads),
            sum(rows, (r) => r.correctArcs),
          ];
          expect([name, ...totals]).toEqual([name, words, correctHeads, correctArcs]);
        }
        for (const name of CLASSES) {
          const rows = analysis[name];
          expect([name, sum(rows, (r) => r.gold), sum(rows, (r) => r.predicted)]).toEqual([
            name,
            words,
            words,
          ]);
          expect([
            name,
            sum(rows, (r) => r.unlabelled.correctGold),
            sum(rows, (r) => r.unlabelled.correctPredicted),
          ]).toEqual([name, correctHeads, correctHeads]);
          expect([
            name,
            sum(rows, (r) => r.labelled.correctGold),
            sum(rows, (r) => r.labelled.correctPredicted),
          ]).toEqual([name, correctArcs, correctArcs]);
        }
        expect(sum(analysis.confusions, (cell) => cell.words)).toBe(words);
        expect(sum(analysis.confusions, (cell) => cell.rightHeads)).toBe(correctHeads);
      }),
    );
  });
});

describe("against counts over all words", () => {
  /** Every word of every sentence that is scored, as plain data. */
  const allWords = (pairs: readonly TreePair[]) =>
    pairs.flatMap(({ words, gold, predicted, predictedWords }, index) =>
      words.flatMap(({ form, upos = "" }, i) => {
        if (form === ".") return [];
        const [g, p] = [gold.heads[i + 1]!, predicted.heads[i + 1]!];
        const tagAt = (at: number) => (at === 0 ? "root" : words[at - 1]!.upos || "_");
        const isRightLabel = gold.labels[i + 1] === predicted.labels[i + 1];
        return [
          {
            index,
            isRight: g === p,
            isRightArc: g === p && isRightLabel,
            heads: [tagAt(g), tagAt(p)],
            tags: [upos || "_", predictedWords?.[i]?.upos || "_"],
          },
        ];
      }),
    );
  const options = { punctuation: "conllx" } as const;

  test.each([
    ["headConfusions", "heads"],
    ["tagConfusions", "tags"],
  ] as const)("%s", (name, member) => {
    fc.assert(
      fc.property(randomPairs, (pairs) => {
        const counts: Record<string, [number, number]> = {};
        for (const word of allWords(pairs)) {
          const key = word[member].join(" ");
          const [count, right] = counts[key] ?? [0, 0];
          counts[key] = [count + 1, right + (word.isRight ? 1 : 0)];
        }
        const confusions = errorAnalysis(pairs, options)[name];
        expect(
          Object.fromEntries(
            confusions.map(({ gold, predicted, words, rightHeads }) => [
              `${gold} ${predicted}`,
              [words, rightHeads],
            ]),
          ),
        ).toEqual(counts);
        const sizes = confusions.map(({ words }) => words);
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      }),
    );
  });

  test("worstSentences", () => {
    fc.assert(
      fc.property(randomPairs, fc.nat(6), (pairs, count) => {
        const words = allWords(pairs);
        const all = pairs.flatMap((_, index) => {
          const own = words.filter((word) => word.index === index);
          const wrong = own.filter(({ isRightArc }) => !isRightArc).length;
          const wrongHeads = own.filter(({ isRight }) => !isRight).length;
          const las = (own.length - wrong) / own.length;
          return wrong === 0 ? [] : [{ index, words: own.length, wrongHeads, wrongArcs: wrong, las }];
        });
        // Repeated selection of the worst one.
        const expected: typeof all = [];
        while (expected.length < count && all.length > 0) {
          const worst = all.reduce((best, one) =>
            one.wrongArcs > best.wrongArcs || (one.wrongArcs === best.wrongArcs && one.las < best.las)
              ? one
              : best,
          );
          expected.push(worst);
          all.splice(all.indexOf(worst), 1);
        }
        expect(worstSentences(pairs, { ...options, count })).toEqual(expected);
      }),
    );
  });

  test("predicted words of another number are refused", () => {
    const pair = { words: words("a"), gold: tree("0", "r"), predicted: tree("0", "r"), predictedWords: [] };
    expect(() => errorAnalysis([pair])).toThrow("pair 0: expected 1 predicted words, found 0");
  });

  test("tags are confused only if words are predicted", () => {
    expect(errorAnalysis(PAIRS).tagConfusions).toEqual([]);
    expect(errorAnalysis(PAIRS).headConfusions.filter((cell) => cell.words > cell.rightHeads)).toEqual([
      { gold: "NOUN", predicted: "ADJ", words: 1, rightHeads: 0 },
      { gold: "VERB", predicted: "NOUN", words: 1, rightHeads: 0 },
    ]);
  });
});
