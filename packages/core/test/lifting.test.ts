import { heads, isProjective, projectivize, random } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAbove, randomTree, trees } from "./support.ts";

/**
 * The transformation as the paper states it: look at all arcs, lift the shortest crossed one, start again.
 */
function liftByDefinition(original: Int32Array): Int32Array {
  const all = original.slice();
  for (;;) {
    let best = 0;
    for (let m = 1; m < all.length; m++) {
      const [from, to] = [Math.min(m, all[m]), Math.max(m, all[m])];
      let crossed = false;
      for (let w = from + 1; w < to; w++) crossed ||= !isAbove(all, all[m], w);
      if (crossed && (best === 0 || Math.abs(all[m] - m) < Math.abs(all[best] - best))) best = m;
    }
    if (best === 0) return all;
    all[best] = all[all[best]];
  }
}

describe("projectivize", () => {
  // "Z nich je jen jedna na kvalitu": figure 1 of the paper; the preposition is lifted over "jedna".
  const czech = heads("5 1 0 5 3 3 6");

  it("lifts the example of Nivre and Nilsson", () => {
    expect(projectivize(czech)).toEqual(heads("3 1 0 5 3 3 6"));
  });

  it("leaves projective trees and its argument as they are", () => {
    const projective = heads("2 0 2 3");
    expect(projectivize(projective)).toEqual(projective);
    const before = czech.slice();
    projectivize(czech);
    expect(czech).toEqual(before);
  });

  it("lifts the shortest arc first, as defined", () => {
    fc.assert(
      fc.property(trees(11), (all) => {
        const lifted = projectivize(all);
        expect([...lifted]).toEqual([...liftByDefinition(all)]);
        expect(isProjective(lifted)).toBe(true);
        for (let m = 1; m < all.length; m++) expect(isAbove(all, lifted[m], all[m])).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("is quick on long sentences and on very crossed ones", () => {
    const chain = Int32Array.from({ length: 50_001 }, (_, m) => m - 1);
    expect(projectivize(chain)).toEqual(chain);
    expect(isProjective(projectivize(randomTree(random(2), 2_000)))).toBe(true);
  });

  it("refuses a cycle", () => {
    expect(() => projectivize(heads("2 1"))).toThrow(RangeError);
    expect(() => projectivize(heads("2 1"))).toThrow(/not a tree: cycle/);
  });
});
