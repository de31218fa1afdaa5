import { random } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { centredVectors } from "../src/scoring/vectors/centred-vectors.ts";

/** Vectors that share a large part, vary most in one direction, and otherwise are random. */
function vectorsOf(count: number, dimension: number, seed: number) {
  const stream = random(seed);
  const common = Float64Array.from({ length: dimension }, () => stream.normal());
  const direction = Float64Array.from({ length: dimension }, () => stream.normal());
  const own = Array.from({ length: count }, () => {
    const along = stream.normal();
    return Array.from(common, (value, d) => 10 * value + along * direction[d]! + 0.4 * stream.normal());
  });
  return {
    dimension,
    words: own.map((_, i) => `w${i}`),
    values: Float32Array.from(own.flat()),
  };
}

const rowsOf = ({ dimension, values }: { dimension: number; values: Float32Array }) =>
  Array.from({ length: values.length / dimension }, (_, i) => [
    ...values.subarray(i * dimension, (i + 1) * dimension),
  ]);
const product = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, d) => sum + value * b[d]!, 0);
const cosine = (a: readonly number[], b: readonly number[]) =>
  product(a, b) / Math.sqrt(product(a, a) * product(b, b));

describe("centredVectors", () => {
  it("has a mean of 0, whatever the vectors", () => {
    const property = fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 8 }), (n, d) => {
      const rows = rowsOf(centredVectors(vectorsOf(n, d, 100 * n + d)));
      for (let k = 0; k < d; k++)
        expect(rows.reduce((sum, row) => sum + row[k]!, 0) / rows.length).toBeCloseTo(0, 6);
    });
    fc.assert(property, { numRuns: 50 });
  });

  it("removes the direction of most variance from fifty dimensions on", () => {
    const given = vectorsOf(300, 100, 1);
    const meanOf = (rows: readonly (readonly number[])[]) => {
      let sum = 0;
      for (let i = 1; i < rows.length; i++) sum += Math.abs(cosine(rows[i - 1]!, rows[i]!));
      return sum / (rows.length - 1);
    };
    expect(meanOf(rowsOf(given))).toBeGreaterThan(0.85);
    // Of random vectors of a hundred dimensions it is 0.08.
    expect(meanOf(rowsOf(centredVectors(given)))).toBeLessThan(0.15);
    expect(meanOf(rowsOf(centredVectors(vectorsOf(300, 49, 1))))).toBeGreaterThan(0.5);
  });

  it("keeps vectors of zeros, and the order of words", () => {
    const given = { dimension: 2, words: ["a", "b", "c"], values: Float32Array.of(3, 0, 0, 0, 0, 4) };
    const { words, values } = centredVectors(given);
    expect(words).toEqual(given.words);
    expect([...values]).toEqual([0.5, -0.5, 0, 0, -0.5, 0.5]);
  });

  it.each([
    ["too few numbers", { dimension: 2, words: ["a", "b"], values: Float32Array.of(1, 2) }],
    ["no number", { dimension: 1, words: ["a", "b"], values: Float32Array.of(1, Number.NaN) }],
  ])("leaves %s as they are", (_, given) => {
    expect(centredVectors(given)).toBe(given);
  });
});
