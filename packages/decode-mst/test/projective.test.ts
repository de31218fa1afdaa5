import {
  completeArcs,
  type Decoder,
  filterArcs,
  NoTree,
  type ParsingProblem,
  type PartKind,
  partLayout,
  random,
  scoreTree,
  UnsupportedPart,
} from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  eisnerDecoder,
  PROJECTIVE_KINDS,
  projectiveDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "../src/index.ts";
import type { ProjectiveOptions } from "../src/options.ts";
import {
  projectiveTrees,
  randomProblem,
  rankedTrees,
  roots,
  sparseArcs,
  withScores,
} from "./projective-oracle.ts";

type Make = (options?: ProjectiveOptions) => Decoder;

const MODELS: readonly (readonly [string, Make, readonly PartKind[]])[] = [
  ["arcs alone", projectiveDecoder, []],
  ["siblings", projectiveSiblingDecoder, ["nextSibling", "lastSibling"]],
  ["grandparents", projectiveDecoder, ["grandparent"]],
  [
    "grand-siblings",
    projectiveGrandSiblingDecoder,
    ["grandparent", "nextSibling", "lastSibling", "grandSibling"],
  ],
  ["grand-siblings without others", projectiveDecoder, ["grandSibling"]],
  ["tri-siblings without grandparents", projectiveTriSiblingDecoder, ["nextSibling", "triSibling"]],
  ["all", projectiveTriSiblingDecoder, PROJECTIVE_KINDS],
];

describe.each(MODELS)("%s", (_, make, kinds) => {
  /** One instance for all sentences, so that what one leaves behind would show in the next. */
  const decoders = { true: make(), false: make({ singleRoot: false }) };

  function check(problem: ParsingProblem, singleRoot: boolean): void {
    const best = rankedTrees(problem, singleRoot)[0];
    const decode = () => decoders[`${singleRoot}`].decode(problem);
    if (best === undefined) {
      expect(decode).toThrow(NoTree);
      return;
    }
    const { heads, score, bound } = decode();
    expect(score).toBeCloseTo(best.score, 9);
    expect(score).toBe(scoreTree(problem, heads));
    expect(bound).toBe(score);
    if (singleRoot && problem.arcs.n > 0) expect(roots(heads)).toBe(1);
    expect(projectiveTrees(problem.arcs.n).some((tree) => tree.join() === heads.join())).toBe(true);
  }

  test("finds the best of all projective trees", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(1, 0.8, 0.5),
        fc.constantFrom(0, 0, 0.05, 0.3),
        fc.boolean(),
        fc.boolean(),
        (seed, n, density, pruned, ties, singleRoot) => {
          check(randomProblem(random(seed), { n, kinds, density, pruned, ties }), singleRoot);
        },
      ),
      { numRuns: 80 },
    );
  });

  test.each([true, false])("finds the best of the trees of seven words, single root: %s", (singleRoot) => {
    check(randomProblem(random(7), { n: 7, kinds }), singleRoot);
    check(withScores(random(8), sparseArcs(random(9), 7, 4), kinds), singleRoot);
  });

  test("finds a planted tree in long sentences of few candidates", () => {
    const decoder = decoders.true;
    for (const n of [10, 31, 60]) {
      const rng = random(n);
      const arcs = sparseArcs(rng, n, 1);
      const planted = new Int32Array(n + 1).fill(-1);
      for (let a = 0; a < arcs.head.length; a++) planted[arcs.modifier[a]] = arcs.head[a];
      const wide = filterArcs(n, (h, m) => planted[m] === h || rng.next() < 4 / n);
      const problem = withScores(rng, wide, kinds);
      for (let a = 0; a < wide.head.length; a++) {
        if (planted[wide.modifier[a]] === wide.head[a]) problem.arcScores[a] += 40;
      }
      expect([...decoder.decode(problem).heads]).toEqual([...planted]);
    }
  });
});

describe("models agree where their parts coincide", () => {
  test.each([true, false])("arcs alone: with Eisner's algorithm, single root: %s", (singleRoot) => {
    const decoder = projectiveDecoder({ singleRoot });
    const eisner = eisnerDecoder({ singleRoot });
    for (let seed = 0; seed < 30; seed++) {
      const rng = random(seed);
      const n = 8 + seed;
      const problem = withScores(rng, seed % 2 === 0 ? completeArcs(n) : sparseArcs(rng, n, 5), []);
      const expected = eisner.decode(problem);
      const found = decoder.decode(problem);
      expect(found.heads).toEqual(expected.heads);
      expect(found.score).toBe(expected.score);
    }
  });
});

describe("inputs and refusals", () => {
  const decoder = projectiveDecoder();

  test("no words, one word", () => {
    const none = { arcs: completeArcs(0), arcScores: new Float64Array(0), parts: [] };
    expect(decoder.decode(none)).toEqual({ heads: Int32Array.of(-1), score: 0, bound: 0 });
    const one = { arcs: completeArcs(1), arcScores: Float64Array.of(2), parts: [] };
    expect(decoder.decode(one)).toEqual({ heads: Int32Array.of(-1, 0), score: 2, bound: 2 });
  });

  test.each([
    [projectiveSiblingDecoder, "grandparent"],
    [projectiveSiblingDecoder, "triSibling"],
    [projectiveGrandSiblingDecoder, "triSibling"],
    [projectiveDecoder, "sibling"],
    [projectiveDecoder, "headBigram"],
    [projectiveTriSiblingDecoder, "sibling"],
  ] as const)("%o refuses %s", (make, kind) => {
    const problem = randomProblem(random(1), { n: 3, kinds: [kind] });
    expect(() => make().decode(problem)).toThrow(UnsupportedPart);
    expect(make().handles.has(kind)).toBe(false);
  });

  test("a global scorer is refused", () => {
    const problem = randomProblem(random(1), { n: 3, kinds: [] });
    const global = { name: "depth", score: () => 0 };
    expect(() => decoder.decode({ ...problem, global })).toThrow(UnsupportedPart);
  });

  test("throws NoTree when all trees have crossing arcs", () => {
    const arcs = filterArcs(4, (h, m) => ["0>2", "4>1", "2>4", "2>3"].includes(`${h}>${m}`));
    const problem = { arcs, arcScores: new Float64Array(4), parts: [] };
    expect(() => decoder.decode(problem)).toThrow(NoTree);
  });

  test.each([Number.NaN, Infinity])("a score of %d is an error, in arcs and in parts", (bad) => {
    for (const kind of PROJECTIVE_KINDS) {
      const problem = randomProblem(random(2), { n: 4, kinds: [kind] });
      problem.parts[0].scores[3] = bad;
      expect(() => decoder.decode(problem)).toThrow(RangeError);
    }
    const problem = randomProblem(random(2), { n: 4, kinds: [] });
    problem.arcScores[5] = bad;
    expect(() => decoder.decode(problem)).toThrow(RangeError);
  });

  test("arrays that do not fit the arcs are an error", () => {
    const problem = randomProblem(random(2), { n: 4, kinds: ["nextSibling"] });
    const other = partLayout("nextSibling", completeArcs(3));
    const kind = partLayout("grandSibling", problem.arcs);
    expect(() => decoder.decode({ ...problem, arcScores: new Float64Array(3) })).toThrow(RangeError);
    expect(() => decoder.decode({ ...problem, parts: [other] })).toThrow(RangeError);
    expect(() => decoder.decode({ ...problem, parts: [{ ...kind, kind: "grandparent" }] })).toThrow(
      RangeError,
    );
  });

  test("results do not alias the memory of the decoder", () => {
    const first = decoder.decode(randomProblem(random(4), { n: 6, kinds: PROJECTIVE_KINDS }));
    const copy = first.heads.slice();
    decoder.decode(randomProblem(random(5), { n: 6, kinds: [] }));
    expect(first.heads).toEqual(copy);
  });

  test.each([1, -1])("scores near the largest number, times %d, do not overflow", (sign) => {
    for (let seed = 0; seed < 5; seed++) {
      const problem = randomProblem(random(seed), { n: 5, kinds: PROJECTIVE_KINDS });
      // All of one sign, so that partial sums are as large as they can get.
      const positive = (scores: Float64Array) => scores.map((score) => sign * (4 + Math.atan(score)));
      const huge = (scores: Float64Array) => scores.map((score) => score * 2 ** 1021);
      const change = (by: typeof huge, { arcs, arcScores, parts }: ParsingProblem): ParsingProblem => ({
        arcs,
        arcScores: by(arcScores),
        parts: parts.map((table) => ({ ...table, scores: by(table.scores) })),
      });
      const moderate = change(positive, problem);
      const { heads } = decoder.decode(moderate);
      expect(decoder.decode(change(huge, moderate)).heads).toEqual(heads);
    }
  });
});
