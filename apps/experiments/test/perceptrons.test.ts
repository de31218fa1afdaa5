import { random } from "@arcwise/core";
import { perceptron, trainOnline } from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simulateGeneralisation } from "../src/perceptrons/generalisation.ts";
import { dot, minimalMistakeBound } from "../src/perceptrons/mistake-bound.ts";

const SIZE = 4;

/** Mistakes of the perceptron in one pass over differences of features, each of one wrong output. */
async function mistakes(gaps: readonly Float64Array[], seed: number): Promise<number> {
  const dimension = gaps[0]!.length;
  let count = 0;
  const task = {
    size: gaps.length,
    dimension,
    decode: (example: number, weights: ArrayLike<number>) => (dot(weights, gaps[example]!) > 0 ? 0 : 1),
    difference(example: number, output: number, into: { add(index: number, value: number): void }) {
      if (output === 1) for (const [i, value] of gaps[example]!.entries()) into.add(i, value);
      return output;
    },
  };
  await trainOnline(task, perceptron(dimension), {
    epochs: 1,
    seed,
    onProgress: ({ done, cost }) => {
      if (done === gaps.length) count = cost;
    },
  });
  return count;
}

/** The bound of theorem 2 at V = U / γ. */
function boundAt(gaps: readonly Float64Array[], weights: ArrayLike<number>): number {
  const radius = Math.sqrt(Math.max(...gaps.map((gap) => dot(gap, gap))));
  const squares = gaps.reduce((sum, gap) => sum + Math.max(0, 1 - dot(gap, weights)) ** 2, 0);
  return (radius * Math.sqrt(dot(weights, weights)) + Math.sqrt(squares)) ** 2;
}

/** Differences of features with a separating plane, some of them reversed. */
function randomGaps(seed: number, noise: number): Float64Array[] {
  const rng = random(seed);
  return Array.from({ length: 25 }, () => {
    const gap = Float64Array.from({ length: SIZE }, () => rng.normal());
    gap[0] = Math.abs(gap[0]!) + 1;
    return rng.next() < noise ? gap.map((value) => -value) : gap;
  });
}

const boundOf = (gaps: readonly Float64Array[], dimension: number): number => {
  const examples = gaps.map((gap) => [gap]);
  return minimalMistakeBound(examples, dimension).bound;
};

describe("the least bound of mistakes", () => {
  it("is exact for orthogonal examples: each of them is a mistake", async () => {
    const gaps = Array.from({ length: 7 }, (_, k) => Float64Array.from({ length: 7 }, (_, i) => +(i === k)));
    expect(await mistakes(gaps, 1)).toBe(7);
    expect(boundOf(gaps, 7)).toBeCloseTo(7, 5);
  });

  it("is R² / γ² where one direction separates all examples by γ", () => {
    const gaps = [Float64Array.of(3, 4), Float64Array.of(3, -4)];
    expect(boundOf(gaps, 2)).toBeLessThanOrEqual(2);
    const many = Array.from({ length: 20 }, (_, k) => gaps[k % 2]!);
    expect(boundOf(many, 2)).toBeCloseTo(25 / 9, 4);
  });

  it("is not above the bound at other weights, nor below the mistakes", async () => {
    const ratios: number[] = [];
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), fc.constantFrom(0, 0.1, 0.3), async (seed, noise) => {
        const gaps = randomGaps(seed, noise);
        const examples = gaps.map((gap) => [gap]);
        const { bound, weights } = minimalMistakeBound(examples, SIZE);
        expect(bound).toBeLessThanOrEqual(gaps.length);
        expect(bound).toBeCloseTo(Math.min(gaps.length, boundAt(gaps, weights)), 6);
        const rng = random(seed).fork(1);
        for (let k = 0; k < 50; k++) {
          const scale = Math.exp(rng.normal());
          const other = weights.map((value) => value + 0.1 * scale * rng.normal());
          expect(boundAt(gaps, other)).toBeGreaterThan(bound * (1 - 1e-4));
        }
        const count = await mistakes(gaps, seed);
        expect(count).toBeLessThanOrEqual(bound);
        if (count > 0) ratios.push(bound / count);
      }),
      { numRuns: 40 },
    );
    // The bound is within a small factor of the mistakes: not 20 times as many.
    expect(Math.min(...ratios)).toBeLessThan(2);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThan(6);
  });

  it("counts the wrong output that is nearest to gold", () => {
    const gaps = [Float64Array.of(1, 0), Float64Array.of(0.5, 0)];
    const many = Array.from({ length: 30 }, () => gaps);
    expect(minimalMistakeBound(many, 2).bound).toBeCloseTo(4, 3);
  });
});

it.each([0, 0.1])(
  "theorem 3: the voted perceptron is wrong no more often than the bounds say (noise %d)",
  async (noise) => {
    for (const examples of [20, 80]) {
      const options = { samples: 20, tested: 50, seed: 3 };
      const row = await simulateGeneralisation({ dimension: 6, margin: 0.3, noise }, examples, options);
      expect(row.voted).toBeGreaterThan(0);
      // 1,000 tests: 0.05 is more than three standard deviations.
      expect(row.voted).toBeLessThan(row.mistakes + 0.05);
      expect(row.mistakes).toBeLessThanOrEqual(row.bound);
    }
  },
);
