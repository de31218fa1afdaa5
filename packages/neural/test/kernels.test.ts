import { readFileSync } from "node:fs";
import { random } from "@arcwise/core";
import { ByteTable, MatrixMemory, matrix, padded, rowFrom, tableEntries, transposed } from "@arcwise/neural";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kernelsSource } from "../kernels/assemble.mjs";

test("src/kernels.ts is what `npm run kernels` writes", async () => {
  const committed = readFileSync(new URL("../src/kernels.ts", import.meta.url), "utf8");
  expect(await kernelsSource()).toBe(committed);
});

describe("multiply", () => {
  test("adds sums of products for any shape", () => {
    const size = fc.integer({ min: 1, max: 9 });
    const property = fc.property(
      fc.tuple(size, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 9 })),
      fc.boolean(),
      fc.integer({ min: 0, max: 1e6 }),
      ([rows, columns, inner], isTransposed, seed) => {
        const memory = new MatrixMemory();
        const stream = random(seed);
        const a = memory.matrix(isTransposed ? inner : rows, isTransposed ? padded(rows) : inner);
        const b = memory.matrix(inner, padded(columns));
        const c = memory.matrix(rows, padded(columns));
        const guard = memory.allocate(4);
        // Small integers, so that every sum is exact in 32 bits.
        for (let i = 0; i < guard; i++) memory.values[i] = stream.int(9) - 4;
        const before = memory.values.slice();
        const left = isTransposed ? transposed(a) : a;
        memory.multiply(c, left, b, rows, padded(columns), inner);
        for (let i = 0; i < rows; i++) {
          for (let j = 0; j < columns; j++) {
            let sum = before[c.at + i * c.row + j];
            for (let k = 0; k < inner; k++) {
              sum += before[left.at + i * left.row + k * left.column] * before[b.at + k * b.row + j];
            }
            expect(memory.values[c.at + i * c.row + j]).toBe(sum);
          }
        }
        expect([...memory.values.subarray(guard, guard + 4)]).toEqual([0, 0, 0, 0]);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  test("rounds each sum in the order of its products, one product at a time", () => {
    const memory = new MatrixMemory();
    const [rows, columns, inner] = [7, 12, 33];
    const a = memory.matrix(rows, inner);
    const b = memory.matrix(inner, columns);
    const c = memory.matrix(rows, columns);
    const stream = random(3);
    for (let i = 0; i < c.at; i++) memory.values[i] = stream.normal();
    memory.multiply(c, a, b, rows, columns, inner);
    const { values } = memory;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        let sum = 0;
        for (let k = 0; k < inner; k++) {
          const product = Math.fround(values[a.at + i * inner + k] * values[b.at + k * columns + j]);
          sum = Math.fround(sum + product);
        }
        expect(values[c.at + i * columns + j]).toBe(sum);
      }
    }
  });
});

/** The functions of `functions.ts`, each operation rounded to 32 bits. */
function roundedTanh(x: number): number {
  const f = Math.fround;
  const y = f(0.25 * Math.max(-10, Math.min(10, x)));
  const s = f(y * y);
  const numerator = f(y * f(135135 + f(s * f(17325 + f(s * f(378 + s))))));
  const denominator = f(135135 + f(s * f(62370 + f(s * f(3150 + f(28 * s))))));
  const double = (t: number) => f(f(t + t) / f(1 + f(t * t)));
  return double(double(f(numerator / denominator)));
}

describe("cell", () => {
  const units = 12;
  const sigmoid = (x: number) => Math.fround(0.5 + Math.fround(0.5 * roundedTanh(Math.fround(0.5 * x))));

  function step(isFirst: boolean) {
    const memory = new MatrixMemory();
    const gates = memory.allocate(4 * units);
    const [before, cells, tangents, states] = [0, 1, 2, 3].map(() => memory.allocate(units));
    const stream = random(5);
    for (let i = 0; i < cells!; i++) memory.values[i] = 5 * stream.normal();
    memory.values.set([0, -0, Infinity, -Infinity], gates);
    const sums = memory.values.slice(0, cells);
    const at = { gates, before: isFirst ? -1 : before!, cells: cells!, tangents: tangents!, states: states! };
    memory.cell({ ...at, units, rows: 1, statesRow: units });
    const of = (from: number, k: number) => memory.values[from + k];
    return Array.from({ length: units }, (_, k) => {
      const sum = (gate: number) => sums[gates + gate * units + k];
      const [input, forget, output] = [sigmoid(sum(0)), sigmoid(sum(1)), sigmoid(sum(3))];
      const candidate = roundedTanh(sum(2));
      const added = isFirst ? 0 : Math.fround(forget * sums[before! + k]);
      const cell = Math.fround(Math.fround(input * candidate) + added);
      const tangent = roundedTanh(cell);
      return {
        found: [0, 1, 2, 3]
          .map((gate) => of(gates + gate * units, k))
          .concat([cells!, tangents!, states!].map((from) => of(from, k))),
        expected: [input, forget, candidate, output, cell, tangent, Math.fround(output * tangent)],
      };
    });
  }

  test.each([true, false])("rounds each operation to 32 bits, first of a sequence: %s", (isFirst) => {
    for (const { found, expected } of step(isFirst)) expect(found).toEqual(expected);
  });
});

test("a step for several sequences is that of each, also where cells replace those before", () => {
  const [units, rows, wider] = [8, 3, 20];
  const memory = new MatrixMemory();
  const stream = random(6);
  const allocate = (row: number) => {
    const at = memory.allocate(rows * row);
    for (let i = at; i < at + rows * row; i++) memory.values[i] = 2 * stream.normal();
    return at;
  };
  const [gates, cells, tangents, states] = [4 * units, units, units, wider].map(allocate);
  const step = {
    gates: gates!,
    cells: cells!,
    tangents: tangents!,
    states: states!,
    units,
    statesRow: wider,
  };
  const initial = memory.values.slice();
  const result = (run: () => void) => {
    memory.values.set(initial);
    run();
    return memory.values.slice(0, memory.mark);
  };
  for (const before of [cells!, -1]) {
    const together = result(() => memory.cell({ ...step, before, rows }));
    const inTurn = result(() => {
      for (let r = 0; r < rows; r++) {
        memory.cell({
          ...step,
          gates: gates! + 4 * r * units,
          before: before < 0 ? -1 : before + r * units,
          cells: cells! + r * units,
          tangents: tangents! + r * units,
          states: states! + r * wider,
          rows: 1,
        });
      }
    });
    expect(together).toEqual(inTurn);
    expect(together).not.toEqual(initial.slice(0, memory.mark));
  }
});

describe("a table of bytes", () => {
  test("sums rows at any offsets", () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 250, max: 1100 })),
      fc.boolean(),
      fc.integer({ min: 0, max: 1e6 }),
      (eights, count, isExtreme, seed) => {
        const columns = 8 * eights;
        const stream = random(seed);
        const values = Int8Array.from({ length: 1000 }, () => (isExtreme ? -128 : stream.int(256) - 128));
        const table = new ByteTable(values, columns);
        table.reserve(count);
        const rows = Array.from({ length: count }, () => stream.int(values.length - columns + 1));
        table.rows.set(rows);
        table.sum(count);
        const expected = Array.from({ length: columns }, (_, j) =>
          rows.reduce((sum, row) => sum + values[row + j], 0),
        );
        expect([...table.sums]).toEqual(expected);
        expect([...table.rows.subarray(0, count)]).toEqual(rows);
      },
    );
    fc.assert(property, { numRuns: 60 });
  });

  test("does not copy the entries that were allocated for it, until the space next to them is full", () => {
    const entries = tableEntries(24);
    entries.set(Array.from({ length: 24 }, (_, k) => k));
    const table = new ByteTable(entries, 8);
    const copy = new ByteTable(entries, 8);
    const sums = (of: ByteTable, rows: readonly number[]) => {
      of.rows.set(rows);
      of.sum(rows.length);
      return [...of.sums.subarray(0, 2)];
    };
    entries[0] = 100;
    expect([sums(table, [0, 8]), sums(copy, [0, 8])]).toEqual([
      [108, 10],
      [8, 10],
    ]);
    table.reserve(2 ** 17);
    expect(sums(table, [0, 16])).toEqual([116, 18]);
    expect(entries).toHaveLength(24);
  });

  test.each([0, 4, 12, 8.5])("refuses rows of %s entries", (columns) => {
    expect(() => new ByteTable(new Int8Array(64), columns)).toThrow("a multiple of 8");
  });
});

describe("multiply with rounded weights", () => {
  /** Returns matrices A, B and C of a shape, the other sums of products, and C after `multiply`. */
  function products(rows: number, columns: number, inner: number, entry: (i: number) => number) {
    const memory = new MatrixMemory();
    const b = matrix(memory.allocate(inner * (columns + 4)), columns + 4);
    const a = matrix(memory.allocate(rows * (inner + 8)), inner + 8);
    const c = matrix(memory.allocate(rows * (columns + 8)), columns + 8);
    for (let i = 0; i < memory.mark; i++) memory.values[i] = entry(i);
    const before = memory.values.slice(0, memory.mark);
    memory.roundWeights(b, columns, inner);
    const { mark } = memory;
    memory.multiply(c, a, b, rows, columns, inner);
    expect(memory.mark).toBe(mark);
    const entries = (from: number, count: number, distance: number) =>
      Array.from({ length: count }, (_, k) => before[from + k * distance]);
    return Array.from({ length: rows * columns }, (_, cell) => {
      const [i, j] = [Math.floor(cell / columns), cell % columns];
      const inputs = entries(a.at + i * a.row, inner, 1);
      const weights = entries(b.at + j, inner, b.row);
      const at = c.at + i * c.row + j;
      return { inputs, weights, initial: before[at], found: memory.values[at] };
    });
  }
  const largest = (list: readonly number[]) => Math.max(...list.map(Math.abs));
  const total = (list: readonly number[]) => list.reduce((sum, x) => sum + Math.abs(x), 0);

  test("is as near as the integers allow, for any shape", () => {
    const quads = fc.integer({ min: 1, max: 13 });
    const shape = fc.tuple(fc.integer({ min: 1, max: 9 }), quads, quads);
    const property = fc.property(
      shape,
      fc.nat(1e6),
      fc.boolean(),
      ([rows, columns, inner], seed, isSparse) => {
        const stream = random(seed);
        const entry = () => (isSparse && stream.int(3) > 0 ? 0 : stream.normal() * 10 ** (stream.int(5) - 2));
        for (const { inputs, weights, initial, found } of products(rows, 4 * columns, 4 * inner, entry)) {
          const exact = weights.reduce((sum, w, k) => sum + w * inputs[k], initial);
          const ofInputs = largest(inputs) / (2 ** 13 - 1);
          const ofWeights = Math.max(
            largest(weights) / (2 ** 15 - 1),
            total(weights) / (2 ** 18 - 4 * inner - 33),
          );
          const bound = (ofInputs * total(weights) + ofWeights * total(inputs)) / 2;
          const rounding = 1e-6 * (Math.abs(initial) + largest(inputs) * total(weights));
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(bound * 1.01 + rounding);
        }
      },
    );
    fc.assert(property, { numRuns: 100 });
  });

  test.each([1, -1])("does not exceed 32 bits with 1,024 largest inputs and weights of sign %d", (sign) => {
    const found = products(3, 8, 1024, (i) => (i < 1024 * 12 ? sign : 1));
    for (const cell of found) expect(cell.found).toBeCloseTo(1 + 1024 * sign, 0);
  });

  test("computes zeros of rows and columns of zeros", () => {
    for (const { found } of products(5, 12, 8, () => 0)) expect(found).toBe(0);
  });

  test("computes the same with rows that were rounded before, from any row on", () => {
    const memory = new MatrixMemory();
    const [b, a, c] = [memory.matrix(8, 12), memory.matrix(9, 8), memory.matrix(9, 12)];
    const stream = random(4);
    for (let i = 0; i < memory.mark; i++) memory.values[i] = stream.normal();
    expect(memory.withIntegers(a, 9, 8)).toBe(a);
    memory.roundWeights(b, 12, 8);
    const rounded = memory.withIntegers(a, 9, 8);
    const product = (of: typeof a, first: number, inner = 8) => {
      memory.values.fill(0, c.at, c.at + 9 * 12);
      memory.multiply(c, rowFrom(of, first), b, 9 - first, 12, inner);
      return memory.values.slice(c.at, c.at + 9 * 12);
    };
    for (const first of [0, 1, 5]) expect(product(rounded, first)).toEqual(product(a, first));
    // Other widths are products of floats.
    expect(product(rounded, 2, 4)).toEqual(product(a, 2, 4));
    // The integers keep the entries of that time.
    const before = product(rounded, 0);
    memory.values.fill(0, a.at, a.at + 72);
    expect(product(rounded, 0)).toEqual(before);
  });

  test("computes with the floats of transposes, other shapes, and after integers are released", () => {
    const memory = new MatrixMemory();
    const [b, a, c] = [0, 1, 2].map(() => memory.matrix(8, 8));
    const stream = random(4);
    for (let i = 0; i < memory.mark; i++) memory.values[i] = stream.normal();
    const { mark } = memory;
    const before = memory.values.slice(c!.at, mark);
    const ways = [
      () => memory.multiply(c!, a!, b!, 8, 8, 8),
      () => memory.multiply(c!, transposed(a!), b!, 8, 8, 8),
      () => memory.multiply(c!, a!, b!, 8, 4, 8),
      () => memory.multiply(c!, a!, b!, 8, 8, 4),
    ];
    const results = () =>
      ways.map((way) => {
        memory.values.set(before, c!.at);
        way();
        return memory.values.slice(c!.at, mark);
      });
    const floats = results();
    memory.roundWeights(b!, 8, 8);
    const integers = results();
    expect(integers.slice(1)).toEqual(floats.slice(1));
    expect(integers[0]).not.toEqual(floats[0]);
    memory.release(mark);
    expect(results()).toEqual(floats);
  });
});

describe("sumRows", () => {
  test("adds the listed rows of a table in their order", () => {
    const lists = fc.array(fc.array(fc.nat(6), { maxLength: 5 }), { minLength: 1, maxLength: 4 });
    const property = fc.property(lists, fc.integer({ min: 1, max: 20 }), fc.nat(1e6), (rows, quads, seed) => {
      const memory = new MatrixMemory();
      const stream = random(seed);
      const columns = 4 * quads;
      const table = memory.matrix(7, columns);
      const into = matrix(memory.allocate(rows.length * (columns + 4)), columns + 4);
      for (let i = 0; i < memory.mark; i++) memory.values[i] = stream.normal();
      const expected = memory.values.slice(0, memory.mark);
      for (const [r, entries] of rows.entries()) {
        for (const entry of entries) {
          for (let k = 0; k < columns; k++) {
            expected[into.at + r * into.row + k] += expected[table.at + entry * columns + k];
          }
        }
      }
      const start = rows.map((_, r) => rows.slice(0, r).flat().length).concat(rows.flat().length);
      memory.sumRows(into, table, columns, Int32Array.from(start), Int32Array.from(rows.flat()));
      expect(memory.values.slice(0, memory.mark)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

/** A memory that has grown, with a matrix of random entries. */
function grown(rows: number, columns: number, seed: number) {
  const memory = new MatrixMemory();
  memory.release(memory.allocate(2 ** 19));
  const from = matrix(memory.allocate(rows * (columns + 4)), columns + 4);
  const stream = random(seed);
  for (let i = from.at; i < memory.mark; i++) memory.values[i] = stream.normal();
  return { memory, from, entry: (r: number, k: number) => memory.values[from.at + r * from.row + k] };
}

describe("rows of a memory that has grown", () => {
  test("are copied in any order, and one row to all", () => {
    const { memory, from, entry } = grown(5, 12, 1);
    const into = memory.matrix(4, 16);
    memory.gatherRows(into, from, 12, Int32Array.of(3, 0, 3, 4));
    memory.fillRows(rowFrom(into, 2), rowFrom(from, 1), 2, 8);
    const expected = [3, 0, 1, 1].flatMap((row, r) =>
      Array.from({ length: 16 }, (_, k) =>
        k >= 12 ? 0 : r >= 2 && k >= 8 ? entry([3, 4][r - 2]!, k) : entry(row, k),
      ),
    );
    expect([...memory.values.subarray(into.at, memory.mark)]).toEqual(expected);
  });

  test("are rectified, and rectified as sums of pairs, in 64 bits before the result is rounded", () => {
    const { memory, from, entry } = grown(5, 8, 2);
    memory.values.set([0, -0, -1e-45, -3e38], from.at);
    const pairs = [0, 4, 2, 2, 4, 0, 1, 3];
    const into = memory.matrix(4, 8);
    memory.pairRows(into, from, rowFrom(from, 0), Int32Array.from(pairs));
    const leaky = (sum: number) => Math.fround(sum < 0 ? 0.1 * sum : sum);
    const sums = Array.from({ length: 32 }, (_, i) => {
      const [p, k] = [i >> 3, i & 7];
      return leaky(entry(pairs[2 * p]!, k)! + entry(pairs[2 * p + 1]!, k)!);
    });
    expect([...memory.values.subarray(into.at, into.at + 32)]).toEqual(sums);
    const before = [...memory.values.subarray(from.at, from.at + 24)];
    memory.leakyRelu(from.at, 24);
    expect([...memory.values.subarray(from.at, from.at + 24)]).toEqual(before.map(leaky));
  });

  test.each([1, 4, 7, 70])("have terms of heads and distances, for %i positions", (length) => {
    const [units, most] = [12, 31];
    const columns = padded(length);
    const { memory, from: heads, entry } = grown(units, columns, 3);
    const own = { weights: memory.matrix(1, units), at: memory.allocate(64) };
    const stream = random(4);
    for (let i = own.weights.at; i < memory.mark; i++) memory.values[i] = stream.normal();
    const scores = memory.matrix(length, columns + 4);
    const middle = own.at + most;
    memory.headScores(scores, heads, own.weights, { length, units, middle, most });
    for (let m = 0; m < length; m++) {
      for (let h = 0; h < columns + 4; h++) {
        let alone = 0;
        for (let k = 0; k < units; k++) alone += memory.values[own.weights.at + k]! * entry(k, h)!;
        const distance = Math.max(-most, Math.min(most, h - m));
        const expected = h < length ? Math.fround(alone + memory.values[middle + distance]!) : 0;
        expect(memory.values[scores.at + m * scores.row + h]).toBe(expected);
      }
    }
  });
});

describe("sumByteRows", () => {
  test("adds the listed rows of bytes, each multiplied by its scale, in 32 bits", () => {
    const lists = fc.array(fc.array(fc.nat(6), { maxLength: 5 }), { minLength: 1, maxLength: 4 });
    const property = fc.property(lists, fc.integer({ min: 1, max: 20 }), fc.nat(1e6), (rows, quads, seed) => {
      const memory = new MatrixMemory();
      const stream = random(seed);
      const width = 4 * quads;
      const values = Int8Array.from({ length: 7 * width }, () => (stream.uint32() & 255) - 128);
      const scales = Float32Array.from({ length: 7 }, () => Math.abs(stream.normal()));
      const table = memory.byteMatrix({ values, scales, width });
      const into = memory.matrix(rows.length, width);
      for (let i = 0; i < rows.length * width; i++) memory.values[into.at + i] = stream.normal();
      const expected = memory.values.slice(into.at, memory.mark);
      for (const [r, entries] of rows.entries()) {
        for (const entry of entries) {
          for (let k = 0; k < width; k++)
            expected[r * width + k] += Math.fround(values[entry * width + k] * scales[entry]);
        }
      }
      const start = rows.map((_, r) => rows.slice(0, r).flat().length).concat(rows.flat().length);
      memory.sumByteRows(into, table, Int32Array.from(start), Int32Array.from(rows.flat()));
      expect(memory.values.slice(into.at, memory.mark)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

describe("a memory", () => {
  test("grows, keeps its entries, and allocates zeros where others were released", () => {
    const memory = new MatrixMemory();
    const first = memory.allocate(3);
    memory.values[first + 2] = 7;
    const mark = memory.mark;
    const large = memory.allocate(2 ** 19);
    memory.values.fill(1, large);
    memory.release(mark);
    const again = memory.allocate(10);
    expect(again).toBe(large);
    expect([...memory.values.subarray(again, again + 10)]).toEqual(new Array(10).fill(0));
    expect(memory.values[first + 2]).toBe(7);
  });

  test("refuses more than 4 GiB before it allocates anything", () => {
    const memory = new MatrixMemory();
    expect(() => memory.allocate(2 ** 30 + 1)).toThrow("at most 4 GiB");
    expect(memory.mark).toBe(0);
  });
});
