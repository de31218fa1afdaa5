import {
  type Arcs,
  checkTree,
  completeArcs,
  filterArcs,
  heads,
  NoTree,
  random,
  scoreTree,
} from "@arcwise/core";
import { bestTree } from "@arcwise/decoder-laws";
import { describe, expect, it } from "vitest";
import { createArborescenceSolver, mstDecoder } from "../src/index.ts";
import { matrixOf, problemOf, SCORES, tied } from "./support.ts";

describe.each([true, false])("with a single root: %s", (singleRoot) => {
  describe.each(Object.entries(SCORES))("%s scores", (_, scores) => {
    it("finds a tree as good as the best of all trees, in all forms", () => {
      const r = random(1);
      const decoder = mstDecoder({ singleRoot });
      const solver = createArborescenceSolver();
      for (let i = 0; i < 160; i++) {
        const n = 1 + r.int(i < 155 ? 5 : 6);
        const problem = problemOf(completeArcs(n), scores(r));
        const best = bestTree(problem, { singleRoot });
        const dense = new Int32Array(n + 1);
        const sparse = new Int32Array(n + 1);
        const found = solver.dense(n, matrixOf(problem), dense, singleRoot);
        expect(found).toBe(best !== undefined);
        expect(solver.sparse(problem.arcs, problem.arcScores, sparse, singleRoot)).toBe(found);
        if (best === undefined) {
          expect(() => decoder.decode(problem)).toThrow(NoTree);
          continue;
        }
        expect(checkTree(dense, { singleRoot })).toBeUndefined();
        expect(checkTree(sparse, { singleRoot })).toBeUndefined();
        const decoding = decoder.decode(problem);
        expect(checkTree(decoding.heads, { singleRoot })).toBeUndefined();
        expect(decoding.bound).toBe(decoding.score);
        expect(decoding.score).toBe(scoreTree(problem, decoding.heads));
        for (const tree of [dense, sparse, decoding.heads]) {
          if (!tied(problem, tree, best.heads))
            expect.fail(`${tree} against ${best.heads}: ${problem.arcScores}`);
        }
      }
    });
  });

  it.each([
    [20, 1],
    [20, 0.3],
    [200, 0.02],
    [60, 0.1],
    [300, 1],
  ])("all forms agree at n = %i with %d of the arcs", (n, share) => {
    const r = random(n);
    const solver = createArborescenceSolver();
    const dense = new Int32Array(n + 1);
    const sparse = new Int32Array(n + 1);
    const listed = new Int32Array(n + 1);
    for (let i = 0; i < (n > 100 ? 4 : 30); i++) {
      const problem = problemOf(
        filterArcs(n, () => r.next() < share),
        () => r.int(i % 2 === 0 ? 1000 : 4) - 500,
      );
      const found = solver.dense(n, matrixOf(problem), dense, singleRoot);
      expect(solver.sparse(problem.arcs, problem.arcScores, sparse, singleRoot)).toBe(found);
      expect(solver.arcs(problem.arcs, problem.arcScores, listed, singleRoot)).toBe(found);
      if (!found) continue;
      expect(checkTree(dense, { singleRoot })).toBeUndefined();
      expect(checkTree(sparse, { singleRoot })).toBeUndefined();
      expect(scoreTree(problem, sparse)).toBe(scoreTree(problem, dense));
      expect(listed).toEqual(share < 1 / 16 ? sparse : dense);
    }
  });
});

describe("scores whose differences a double cannot hold", () => {
  it.each([true, false])("a huge arc that no tree contains hides nothing (single root: %s)", (singleRoot) => {
    // 2 hangs off 1 alone, so that 2 -> 1 is in no tree; whether 3 or 4 is the head of 1 is for the small
    // ones to say.
    const scores: Record<string, number> = { "0 3": 0, "3 4": 0, "1 2": 0, "2 1": 1e300, "3 1": 5, "4 1": 7 };
    const problem = problemOf(completeArcs(4), (h, m) => scores[`${h} ${m}`] ?? -Infinity);
    expect(mstDecoder({ singleRoot }).decode(problem).heads).toEqual(heads("4 1 0 3"));
  });

  it("a huge root arc of a word that cannot be the only root hides nothing", () => {
    const scores: Record<string, number> = {
      "0 1": 1e300,
      "0 2": 3,
      "0 3": 4,
      "2 3": 1,
      "3 2": 1,
      "2 1": 5,
      "3 1": 6,
    };
    const problem = problemOf(completeArcs(3), (h, m) => scores[`${h} ${m}`] ?? -Infinity);
    expect(mstDecoder().decode(problem)).toMatchObject({ heads: heads("3 3 0"), score: 11 });
  });

  it("an arc whose head hangs off the modifier is found out behind several huge ones", () => {
    const r = random(5);
    const kinds = [1e300, 1e200, 1e100, 1e18];
    const decoder = mstDecoder();
    let refined = 0;
    for (let i = 0; i < 3000; i++) {
      const problem = problemOf(completeArcs(4 + r.int(2)), (h) =>
        r.next() < 0.6 ? -Infinity : h > 0 && r.next() < 0.3 ? kinds[r.int(4)] : r.int(9),
      );
      const best = bestTree(problem);
      if (best === undefined) continue;
      if (best.score < 1e6 && problem.arcScores.some((score) => score > 1e6)) refined++;
      expect(tied(problem, decoder.decode(problem).heads, best.heads)).toBe(true);
    }
    expect(refined).toBeGreaterThan(50);
  });

  it("differences beyond the largest double do not prune arcs", () => {
    const scores: Record<string, number> = { "0 1": -1.7e308, "2 1": 1.7e308, "1 2": 0 };
    for (const decoder of [mstDecoder(), mstDecoder({ singleRoot: false })]) {
      const problem = problemOf(completeArcs(2), (h, m) => scores[`${h} ${m}`] ?? -Infinity);
      expect(decoder.decode(problem)).toMatchObject({ heads: heads("0 1"), score: -1.7e308 });
    }
  });
});

describe("size", () => {
  it("10,000 words: a chain, a comb of nested cycles and random sparse candidates", () => {
    const n = 10_000;
    const r = random(6);
    const decoder = mstDecoder();
    const chain = new Int32Array(n + 1).map((_, m) => m - 1);
    const up = filterArcsOf(n, (m) => (m < n ? [m - 1, m + 1] : [m - 1]));
    expect(decoder.decode(problemOf(up, (h, m) => (h < m ? 1 : 0))).heads).toEqual(chain);
    // Every word prefers the next one: a cycle at the far end, which grows by a word at each contraction.
    expect(decoder.decode(problemOf(up, (h, m) => (h > m ? 2 : 1))).heads).toEqual(chain);
    const random10 = filterArcsOf(n, (m) => [0, m - 1, ...Array.from({ length: 10 }, () => 1 + r.int(n))]);
    const problem = problemOf(random10, () => r.normal());
    const { heads: found, score } = decoder.decode(problem);
    expect(checkTree(found)).toBeUndefined();
    expect(score).toBeGreaterThan(0);
  });

  it("2,000 words, all arcs", () => {
    const n = 2000;
    const r = random(8);
    const gold = new Int32Array(n + 1).map((_, m) => (m === 0 ? -1 : r.int(m)));
    gold.forEach((h, m) => {
      if (h === 0 && m > 1) gold[m] = 1;
    });
    const width = n + 1;
    const scores = new Float64Array(width * width);
    for (let m = 1; m <= n; m++) {
      for (let h = 0; h <= n; h++) scores[m * width + h] = h === gold[m] ? 1 : r.next();
    }
    const found = new Int32Array(width);
    const solver = createArborescenceSolver();
    expect(solver.dense(n, scores, found, true)).toBe(true);
    expect(found).toEqual(gold);
    for (let i = 0; i < scores.length; i++) scores[i] = r.normal();
    expect(solver.dense(n, scores, found, true)).toBe(true);
    expect(checkTree(found)).toBeUndefined();
  });
});

describe("what is refused", () => {
  const arcs = completeArcs(2);
  const zeros = () => new Float64Array(arcs.head.length);
  const solver = createArborescenceSolver();

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("a score of %d", (score) => {
    for (let a = 0; a < arcs.head.length; a++) {
      const arcScores = zeros();
      arcScores[a] = score;
      expect(() => mstDecoder().decode({ arcs, arcScores, parts: [] })).toThrow(RangeError);
      expect(() => solver.arcs(arcs, arcScores, new Int32Array(3), true)).toThrow(RangeError);
      const matrix = matrixOf({ arcs, arcScores, parts: [] });
      expect(() => solver.dense(2, matrix, new Int32Array(3), true)).toThrow(RangeError);
    }
  });

  it("arrays that do not fit", () => {
    expect(() => solver.dense(2, new Float64Array(8), new Int32Array(3), true)).toThrow(RangeError);
    expect(() => solver.dense(2, new Float64Array(9), new Int32Array(2), true)).toThrow(RangeError);
    expect(() => solver.dense(-1, new Float64Array(9), new Int32Array(0), true)).toThrow(RangeError);
    expect(() => solver.arcs(arcs, new Float64Array(3), new Int32Array(3), true)).toThrow(RangeError);
  });
});

it("looks neither at the diagonal nor at row 0 of a matrix", () => {
  const r = random(9);
  const clean = problemOf(completeArcs(8), () => r.normal());
  const matrix = matrixOf(clean);
  for (let i = 0; i <= 8; i++) {
    matrix[i] = Number.NaN;
    matrix[i * 9 + i] = i % 2 === 0 ? Number.NaN : 1e9;
  }
  const found = new Int32Array(9);
  expect(createArborescenceSolver().dense(8, matrix, found, true)).toBe(true);
  expect(found).toEqual(mstDecoder().decode(clean).heads);
});

it("leaves heads alone when there is no tree", () => {
  const found = Int32Array.of(7, 7, 7);
  expect(createArborescenceSolver().dense(2, new Float64Array(9).fill(-Infinity), found, true)).toBe(false);
  expect(found).toEqual(Int32Array.of(7, 7, 7));
});

/** Makes arcs from lists of heads in time linear in their number. */
function filterArcsOf(n: number, headsOf: (modifier: number) => number[]): Arcs {
  const lists = Array.from({ length: n }, (_, i) =>
    [...new Set(headsOf(i + 1))].filter((h) => h !== i + 1).sort((a, b) => a - b),
  );
  const start = new Int32Array(n + 2);
  lists.forEach((list, i) => {
    start[i + 2] = start[i + 1] + list.length;
  });
  return {
    n,
    start,
    head: Int32Array.from(lists.flat()),
    modifier: Int32Array.from(lists.flatMap((list, i) => list.map(() => i + 1))),
  };
}
