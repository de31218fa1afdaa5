import { completeArcs, filterArcs, isProjective, random } from "@arcwise/core";
import { describe, expect, it } from "vitest";
import { eisnerDecoder, mstDecoder } from "../src/index.ts";
import { problemOf } from "./support.ts";

describe.each([true, false])("the projective decoder with a single root: %s", (singleRoot) => {
  const decoder = eisnerDecoder({ singleRoot });

  it("is never better than the best tree of all, and equal to it when that is projective", () => {
    const r = random(3);
    const mst = mstDecoder({ singleRoot });
    let projective = 0;
    for (let i = 0; i < 200; i++) {
      const problem = problemOf(completeArcs(2 + r.int(30)), (h, m) => r.int(20) - 6 * Math.abs(h - m));
      const best = mst.decode(problem);
      const found = decoder.decode(problem);
      expect(found.score).toBeLessThanOrEqual(best.score);
      if (!isProjective(best.heads)) continue;
      projective++;
      expect(found.score).toBe(best.score);
    }
    expect(projective).toBeGreaterThan(20);
  });

  it("finds the tree that is planted among sparse candidates of 300 words", () => {
    const r = random(4);
    const n = 300;
    const gold = new Int32Array(n + 1).map((_, m) => m - 1);
    const problem = problemOf(
      filterArcs(n, (h, m) => gold[m] === h || r.next() < 0.02),
      (h, m) => (gold[m] === h ? 1 : -r.next()),
    );
    expect(decoder.decode(problem).heads).toEqual(gold);
  });
});
