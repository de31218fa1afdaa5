import { completeArcs, filterArcs, random } from "@arcwise/core";
import { bestTree } from "@arcwise/decoder-laws";
import { describe, expect, test } from "vitest";
import { arcConfidence, mbrDecoder } from "../src/index.ts";
import { arcMarginals, randomScores } from "./support.ts";

describe("minimum-Bayes-risk decoding", () => {
  test("differs from the best tree where many worse trees agree", () => {
    // Word 1 is the root in the one best tree (0 -> 1 -> 2, 1 -> 3); word 2 is in several others.
    const arcs = completeArcs(3);
    const probable: Record<string, number> = {
      "0>1": 5,
      "1>2": 5,
      "1>3": 5,
      "0>2": 8,
      "2>1": 3,
      "3>1": 3,
      "2>3": 3,
    };
    const arcScores = Float64Array.from(arcs.head, (h, a) =>
      Math.log(probable[`${h}>${arcs.modifier[a]}`] ?? 0.1),
    );
    const best = bestTree({ arcs, arcScores, parts: [] })!;
    const { heads, confidence, score } = mbrDecoder().decode({ arcs, arcScores, parts: [] });
    expect([...best.heads]).toEqual([-1, 0, 1, 1]);
    expect([...heads]).toEqual([-1, 2, 0, 1]);
    expect(score).toBeLessThan(best.score);
    expect([...confidence.slice(1)].every((p) => p > 0.4)).toBe(true);
  });
});

test("confidence is the marginal of each word's arc, 0 if the arc is not a candidate", () => {
  const arcs = filterArcs(3, (h, m) => !(h === 3 && m === 1));
  const { marginals } = arcMarginals(arcs, randomScores(arcs, random(1), 1));
  const confidence = arcConfidence(arcs, marginals, Int32Array.of(-1, 3, 0, 2));
  expect(confidence[1]).toBe(0);
  expect(confidence[2]).toBe(marginals[arcs.start[2]]);
  expect(() => arcConfidence(arcs, marginals, new Int32Array(2))).toThrow(RangeError);
});
