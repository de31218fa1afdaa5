import { SparseVector } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Few indices that meet often, and the largest ones there are. */
const indices = fc.oneof(fc.nat(20), fc.nat(2 ** 31 - 1), fc.constantFrom(0, 1, 2 ** 31 - 1));
const additions = fc.array(fc.tuple(indices, fc.integer({ min: -3, max: 3 })), { maxLength: 200 });
const commands = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.tuple(indices, fc.integer({ min: -3, max: 3 })) },
    { weight: 1, arbitrary: fc.constant("clear" as const) },
  ),
  { maxLength: 300 },
);

function vectorOf(entries: readonly (readonly [number, number])[], capacity?: number): SparseVector {
  const vector = new SparseVector(capacity);
  for (const [index, value] of entries) vector.add(index, value);
  return vector;
}

function mapOf(entries: readonly (readonly [number, number])[]): Map<number, number> {
  const map = new Map<number, number>();
  for (const [index, value] of entries) map.set(index, (map.get(index) ?? 0) + value);
  return map;
}

function entriesOf({ indices, values, size }: SparseVector): [number, number][] {
  return Array.from({ length: size }, (_, k) => [indices[k], values[k]]);
}

describe("SparseVector", () => {
  it("is a Map of sums, in the order of first additions, through additions and clearings", () => {
    fc.assert(
      fc.property(commands, fc.constantFrom(0, 1, 8, 64, 1000), (steps, capacity) => {
        const vector = new SparseVector(capacity);
        let map = new Map<number, number>();
        for (const step of steps) {
          if (step === "clear") {
            vector.clear();
            map = new Map();
          } else {
            vector.add(...step);
            map.set(step[0], (map.get(step[0]) ?? 0) + step[1]);
          }
          expect(vector.size).toBe(map.size);
        }
        expect(entriesOf(vector)).toEqual([...map]);
        for (const [index, value] of map) expect(vector.get(index)).toBe(value);
        for (let index = 0; index < 25; index++) expect(vector.get(index)).toBe(map.get(index) ?? 0);
      }),
    );
  });

  it("keeps its memory when it is cleared", () => {
    const vector = vectorOf(Array.from({ length: 500 }, (_, k) => [k * 7919, 1]));
    const { indices, values } = vector;
    vector.clear();
    for (let k = 0; k < 500; k++) vector.add(k, 2);
    expect(vector.indices).toBe(indices);
    expect(vector.values).toBe(values);
  });

  it("keeps entries that cancelled", () => {
    expect(
      entriesOf(
        vectorOf([
          [5, 2],
          [5, -2],
          [1, 1],
        ]),
      ),
    ).toEqual([
      [5, 0],
      [1, 1],
    ]);
  });

  it("multiplies, adds and measures as Maps do", () => {
    fc.assert(
      fc.property(additions, additions, fc.integer({ min: -4, max: 4 }), (a, b, scale) => {
        const small = a.map(([index, value]) => [index % 50, value] as const);
        const mapA = mapOf(small);
        const mapB = mapOf(b);
        const vectorA = vectorOf(small);
        const vectorB = vectorOf(b);
        const dense = Float64Array.from({ length: 50 }, (_, i) => (i % 7) - 3);
        let product = 0;
        let square = 0;
        let withDense = 0;
        for (const [index, value] of mapA) {
          product += value * (mapB.get(index) ?? 0);
          square += value * value;
          withDense += value * dense[index];
        }
        expect(vectorA.dotSparse(vectorB)).toBe(product + 0);
        expect(vectorB.dotSparse(vectorA)).toBe(product + 0);
        expect(vectorA.squaredNorm()).toBe(square);
        expect(vectorA.dot(dense)).toBe(withDense + 0);
        expect(vectorA.dot(Float32Array.from(dense))).toBe(withDense + 0);
        vectorA.addScaled(vectorB, scale);
        for (const [index, value] of mapB) mapA.set(index, (mapA.get(index) ?? 0) + scale * value);
        expect(vectorA.size).toBe(mapA.size);
        for (const [index, value] of mapA) expect(vectorA.get(index) + 0).toBe(value + 0);
      }),
    );
  });
});
