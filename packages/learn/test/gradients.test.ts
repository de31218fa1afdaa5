import { random } from "@arcwise/core";
import { describe, expect, it } from "vitest";
import { DenseGradient, GradientRuns, type GradientSink } from "../src/gradients.ts";

const RUN = 5;
const RUNS = 400;
/** Weights from here on come one by one. */
const SINGLES = RUN * RUNS;
const DIMENSION = SINGLES + 300;

/** Writes the same random gradients to a sink, and their sums. */
function write(into: GradientSink, seed: number, count: number): Float64Array {
  const rng = random(seed);
  const sums = new Float64Array(DIMENSION);
  for (let k = 0; k < count; k++) {
    const gradient = Float64Array.from({ length: RUN }, () => rng.normal());
    if (rng.int(2) === 0) {
      const weight = SINGLES + rng.int(DIMENSION - SINGLES);
      into.add(weight, gradient[0]);
      sums[weight] += gradient[0];
      continue;
    }
    const from = RUN * rng.int(RUNS);
    into.addRun(from, gradient, RUN);
    for (let j = 0; j < RUN; j++) sums[from + j] += gradient[j];
  }
  return sums;
}

function sumsOf({ indices, values, size }: GradientRuns): Float64Array {
  const sums = new Float64Array(DIMENSION);
  for (let e = 0; e < size; e++) sums[indices[e]] += values[e];
  return sums;
}

function expectClose(found: Float64Array, expected: Float64Array): void {
  for (let w = 0; w < DIMENSION; w++) expect(found[w]).toBeCloseTo(expected[w], 10);
}

describe("GradientRuns", () => {
  it("sums entries, also after clear and after growth", () => {
    const runs = new GradientRuns(1);
    for (const [seed, count] of [3, 2000, 0, 40, 5000].entries()) {
      runs.clear();
      const sums = write(runs, seed, count);
      expectClose(sumsOf(runs), sums);
    }
  });

  it("has one entry per weight of its runs, however often they are added", () => {
    const runs = new GradientRuns();
    for (let k = 0; k < 7; k++) {
      runs.addRun(10, Float64Array.of(1, 2, 3), 3);
      runs.add(13, 1);
    }
    expect(Array.from(runs.indices.subarray(0, runs.size))).toEqual([10, 11, 12, 13]);
    expect(Array.from(runs.values.subarray(0, runs.size))).toEqual([7, 14, 21, 7]);
  });

  it("drops entries that are exactly 0", () => {
    const runs = new GradientRuns();
    runs.addRun(4, Float64Array.of(0, 2, 0, -1), 4);
    runs.addRun(4, Float64Array.of(0, -2, 0, 0), 4);
    runs.dropZeros();
    expect(runs.size).toBe(1);
    expect([runs.indices[0], runs.values[0]]).toEqual([7, -1]);
    runs.clear();
    runs.add(4, 3);
    expect([runs.size, runs.indices[0], runs.values[0]]).toEqual([1, 4, 3]);
  });
});

describe("DenseGradient", () => {
  it("adds all entries times its factor", () => {
    const into = new Float64Array(DIMENSION);
    const sums = write(new DenseGradient(into, -0.5), 9, 3000);
    expectClose(
      into,
      sums.map((sum) => -0.5 * sum),
    );
  });
});
