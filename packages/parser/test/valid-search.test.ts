import {
  arcIndex,
  completeArcs,
  type Decoder,
  isProjective,
  isTree,
  type Sentence,
  scoreTree,
} from "@arcwise/core";
import { eisnerDecoder, mstDecoder } from "@arcwise/decode-mst";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LocalLabels } from "../src/validity/label-chooser.ts";
import { LabelRules } from "../src/validity/label-rules.ts";
import { type ValidityProblem, validTree } from "../src/validity/valid-search.ts";
import { treesOver } from "./support.ts";

const LABELS = ["root", "nsubj", "conj", "punct", "cc", "advmod"];
const RULES = new LabelRules(LABELS);
const ALL = Int32Array.from(LABELS.keys());
/** Added to the scores of labels: those that break rules come first. */
const BIAS = [0, 4, 1, 3, 3, 1];

/** A sentence with scores of all arcs and all their labels. */
interface Scores {
  readonly words: Sentence;
  /** Score of h -> m at `h (n + 1) + m`. */
  readonly arcs: readonly number[];
  /** Score of label l on h -> m at `(h (n + 1) + m) labels + l`. */
  readonly labels: readonly number[];
  /** Labels that arcs have as a rule. */
  readonly usual: readonly number[];
  /** Scores of whole trees, in the order of `treesOver`. */
  readonly trees: readonly number[];
}

const WORDS = fc.constantFrom(
  { form: "w", upos: "NOUN" },
  { form: ".", upos: "PUNCT" },
  { form: "not", upos: "PART", feats: "Polarity=Neg" },
);
const score = fc.double({ min: -4, max: 4, noNaN: true });
const list = (length: number) => fc.array(score, { minLength: length, maxLength: length });

/** Sentences of up to `most` words. */
function sentences(most: number, usual: fc.Arbitrary<readonly number[]>): fc.Arbitrary<Scores> {
  return fc.integer({ min: 1, max: most }).chain((n) =>
    fc.record({
      words: fc.array(WORDS, { minLength: n, maxLength: n }),
      arcs: list((n + 1) ** 2),
      labels: list((n + 1) ** 2 * LABELS.length),
      usual,
      trees: list((n + 1) ** n),
    }),
  );
}

function arcLabels({ words, labels, usual }: Scores, h: number, m: number) {
  const at = (h * (words.length + 1) + m) * LABELS.length;
  const scores = Float64Array.from(labels.slice(at, at + LABELS.length), (own, l) => own + BIAS[l]!);
  return { usual: Int32Array.from(usual), others: ALL, scores };
}

function arcProblem({ words, arcs: scores, labels }: Scores) {
  const arcs = completeArcs(words.length);
  const arcScores = Float64Array.from(
    arcs.head,
    (h, a) => scores[h * (words.length + 1) + arcs.modifier[a]!]!,
  );
  return { arcs, arcScores, parts: [], labels };
}

/** Decoders, with the trees and scores that they choose by. */
const DECODERS: Readonly<Record<string, (scores: Scores) => Decoder>> = {
  mst: () => mstDecoder(),
  eisner: () => eisnerDecoder(),
  "one of whole trees": ({ words, trees }) => ({
    ...{ name: "own", trees: "any", singleRoot: true, handles: new Set() },
    decode(problem) {
      const ranked = treesOver(completeArcs(words.length))
        .map((heads, t) => ({ heads, score: scoreTree(problem, heads) + trees[t]! }))
        .sort((a, b) => b.score - a.score);
      return { ...ranked[0]!, bound: ranked[0]!.score };
    },
  }),
};

function validityProblem(scores: Scores, decoder: Decoder): ValidityProblem {
  const problem = arcProblem(scores);
  return {
    ...{ words: scores.words, rules: RULES, arcs: problem.arcs },
    labels: new LocalLabels((heads, asked) => asked.map((m) => arcLabels(scores, heads[m]!, m))),
    isDecided: () => false,
    decode(losses) {
      const arcScores = problem.arcScores.map((own, a) => own + losses[a]!);
      const found = decoder.decode({ ...problem, arcScores });
      return { ...found, labels: new Int32Array(found.heads.length) };
    },
  };
}

/** The tree of the decoder, each arc with its best label; and the valid tree. */
function solved(scores: Scores, decoder: Decoder) {
  const problem = validityProblem(scores, decoder);
  const found = problem.decode(new Float64Array(problem.arcs.head.length));
  const tree = { ...found, labels: problem.labels.labels(found.heads, () => false) };
  return { tree, valid: validTree(problem, tree) };
}

/** Returns the highest score of a valid tree with usual labels, among all trees and labels. */
function optimum(scores: Scores, name: string): number {
  const { words, trees } = scores;
  const problem = arcProblem(scores);
  let best = -Infinity;
  for (const [t, heads] of treesOver(completeArcs(words.length)).entries()) {
    if (name === "eisner" && !isProjective(heads)) continue;
    const whole = name === "one of whole trees" ? trees[t]! : 0;
    best = Math.max(best, scoreTree(problem, heads) + whole + leastLoss(scores, heads));
  }
  return best;
}

/** Returns what the best valid labels of a tree lose, by enumeration; -Infinity: there are none. */
function leastLoss(scores: Scores, heads: Int32Array): number {
  const labels = new Int32Array(heads.length).fill(-1);
  const from = (m: number): number => {
    if (m === heads.length) return RULES.violation({ heads, labels }, scores.words) ? -Infinity : 0;
    const { usual, scores: own } = arcLabels(scores, heads[m]!, m);
    const free = Math.max(...Array.from(usual, (label) => own[label]!));
    const losses = Array.from(usual, (label) => {
      labels[m] = label;
      return own[label]! - free + from(m + 1);
    });
    return Math.max(...losses);
  };
  return from(1);
}

describe.each(Object.keys(DECODERS))("valid trees of the decoder %s", (name) => {
  it("have the highest score of all labelled trees that keep the rules", () => {
    fc.assert(
      fc.property(sentences(3, fc.constant([...ALL])), (scores) => {
        const { valid } = solved(scores, DECODERS[name]!(scores));
        expect(valid!.score).toBeCloseTo(optimum(scores, name), 9);
        expect(valid!.bound).toBeCloseTo(valid!.score, 9);
      }),
      { numRuns: 150 },
    );
  });

  it("are trees with one root that keep the rules, whatever labels are usual", () => {
    fc.assert(
      fc.property(sentences(4, fc.subarray([...ALL], { minLength: 1 })), (scores) => {
        const { valid } = solved(scores, DECODERS[name]!(scores));
        expect(isTree(valid!.heads)).toBe(true);
        if (name === "eisner") expect(isProjective(valid!.heads)).toBe(true);
        expect(RULES.violation(valid!, scores.words)).toBeUndefined();
        if (scores.words.length > 3) return;
        expect(valid!.score).toBeGreaterThanOrEqual(optimum(scores, name) - 1e-9);
      }),
      { numRuns: 60 },
    );
  });

  it("are the trees of the decoder where these keep the rules", () => {
    let count = 0;
    fc.assert(
      fc.property(sentences(4, fc.constant([...ALL])), (scores) => {
        const { tree, valid } = solved(scores, DECODERS[name]!(scores));
        if (RULES.violation(tree, scores.words) !== undefined) return;
        count++;
        expect(valid).toEqual(tree);
      }),
      { numRuns: 200 },
    );
    expect(count).toBeGreaterThan(0);
  });
});

describe("a search of valid trees", () => {
  /** A sentence whose words all want to be the subject of word 1, or of another word for a little less. */
  function subjects(n: number) {
    const counts = { decoded: 0 };
    const arcs = completeArcs(n);
    const words = Array.from({ length: n }, () => ({ form: "w" }));
    const arcScores = Float64Array.from(arcs.head, (h, a) => {
      const m = arcs.modifier[a]!;
      return h === (m === 1 ? 0 : 1) ? 1 : -((h * m) % 7) / 10;
    });
    const decoder = mstDecoder();
    const scores = Float64Array.from(LABELS, (label) =>
      label === "nsubj" ? 5 : label === "punct" ? 4.8 : 0,
    );
    const problem: ValidityProblem = {
      ...{ words, rules: RULES, arcs },
      labels: new LocalLabels((_, asked) => asked.map(() => ({ usual: ALL, others: ALL, scores }))),
      isDecided: () => false,
      decode(losses) {
        counts.decoded++;
        const own = arcScores.map((score, a) => score + losses[a]!);
        const found = decoder.decode({ arcs, arcScores: own, parts: [] });
        return { ...found, labels: new Int32Array(n + 1) };
      },
    };
    const found = problem.decode(new Float64Array(arcScores.length));
    const tree = { ...found, labels: problem.labels.labels(found.heads, () => false) };
    return { problem, tree, counts };
  }

  it.each([60, 400])("ends with a valid tree where it cannot look at all of them: %d words", (n) => {
    const { problem, tree, counts } = subjects(n);
    const { words, arcs } = problem;
    const valid = validTree(problem, tree)!;
    expect(RULES.violation(valid, words)).toBeUndefined();
    expect(isTree(valid.heads)).toBe(true);
    expect(valid.bound).toBeGreaterThanOrEqual(valid.score);
    expect(counts.decoded * arcs.head.length).toBeLessThan(3.1e7);
    expect(arcIndex(arcs, valid.heads[1]!, 1)).toBeGreaterThanOrEqual(0);
  });

  it("shares its steps with other searches of the sentence", () => {
    const { problem, tree, counts } = subjects(60);
    const steps = { left: 700 };
    const trees = [1, 2, 3].map(() => validTree({ ...problem, steps }, tree)!);
    expect(steps.left).toBeLessThanOrEqual(0);
    expect(counts.decoded).toBeLessThan(710);
    // Without a step, the first heads have labels that keep the rules.
    expect(trees[2]!.heads).toEqual(tree.heads);
    for (const valid of trees) expect(RULES.violation(valid, problem.words)).toBeUndefined();
  });
});
