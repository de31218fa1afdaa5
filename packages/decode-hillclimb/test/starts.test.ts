import { arcIndex, checkTree, completeArcs, filterArcs, random } from "@arcwise/core";
import { expect, test } from "vitest";
import { Starts } from "../src/starts.ts";

/** Arcs between near words; two and two words prefer one another, so that walks go around between them. */
function pairs(n: number, preference: number) {
  const arcs = filterArcs(n, (h, m) => h === 0 || Math.abs(h - m) < 5);
  const partner = (m: number) => (m % 2 === 1 ? m + 1 : m - 1);
  const scores = Float64Array.from(arcs.head, (h, a) => (h === partner(arcs.modifier[a]!) ? preference : 0));
  return { arcs, scores };
}

/** Draws the heads of trees. */
function draw(starts: Starts, { arcs, scores }: ReturnType<typeof pairs>, count: number): Int32Array[] {
  starts.prepare(arcs, scores);
  const stream = random(3);
  return Array.from({ length: count }, (_, k) => {
    const arcOf = new Int32Array(arcs.n + 1);
    starts.draw(stream.fork(k), arcOf);
    return Int32Array.from(arcOf, (arc, m) => (m === 0 ? -1 : arcs.head[arc]!));
  });
}

test.each([true, false])(
  "where walks get long, starts are drawn in quadratic time, single root: %s",
  (singleRoot) => {
    // Walks between partners take exp(30) steps on average, and the exact sampler a second for each tree.
    const problem = pairs(400, 30);
    const trees = draw(new Starts(singleRoot, 1), problem, 40);
    for (const heads of trees) {
      expect(checkTree(heads, { singleRoot })).toBeUndefined();
      for (let m = 1; m < heads.length; m++)
        expect(arcIndex(problem.arcs, heads[m]!, m)).toBeGreaterThanOrEqual(0);
    }
    expect(new Set(trees.map((heads) => heads.join())).size).toBe(40);
    expect(draw(new Starts(singleRoot, 1), problem, 40)).toEqual(trees);
  },
);

test("starts in long sentences prefer what scores more", () => {
  const n = 120;
  const { arcs, scores } = pairs(n, 30);
  // Of the heads beside the partner, the root and the words on the left are worth more.
  for (let a = 0; a < scores.length; a++)
    if (scores[a] === 0 && arcs.head[a]! < arcs.modifier[a]!) scores[a] = 4;
  const trees = draw(new Starts(false, 1), { arcs, scores }, 20);
  let [left, right] = [0, 0];
  for (const heads of trees) {
    for (let m = 1; m <= n; m++) {
      if (Math.abs(heads[m]! - m) === 1) continue;
      if (heads[m]! < m) left++;
      else right++;
    }
  }
  expect(left).toBeGreaterThan(10 * right);
});

test("a pruned arc is in no start", () => {
  const arcs = completeArcs(130);
  const scores = Float64Array.from(arcs.head, (h, a) =>
    Math.abs(h - arcs.modifier[a]!) === 1 ? 40 : -Infinity,
  );
  for (let m = 1; m <= arcs.n; m++) scores[arcIndex(arcs, 0, m)] = 0;
  for (const heads of draw(new Starts(true, 1), { arcs, scores }, 10)) {
    for (let m = 1; m <= arcs.n; m++) expect(scores[arcIndex(arcs, heads[m]!, m)]).not.toBe(-Infinity);
  }
});
