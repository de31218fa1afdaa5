import { readFileSync } from "node:fs";
import { random } from "@arcwise/core";
import { Adam, MatrixMemory, Parameters, padded, transposed } from "@arcwise/neural";
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
            let sum = before[c.at + i * c.row + j]!;
            for (let k = 0; k < inner; k++) {
              sum += before[left.at + i * left.row + k * left.column]! * before[b.at + k * b.row + j]!;
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
          const product = Math.fround(values[a.at + i * inner + k]! * values[b.at + k * columns + j]!);
          sum = Math.fround(sum + product);
        }
        expect(values[c.at + i * columns + j]).toBe(sum);
      }
    }
  });
});

describe("adam", () => {
  test("steps as in Kingma and Ba 2015, algorithm 1", () => {
    const memory = new MatrixMemory();
    const [size, decay, rate] = [24, 0.9, 0.01];
    const parameters = new Parameters(memory, size, true);
    const adam = new Adam(parameters);
    const stream = random(4);
    const expected = Float64Array.from({ length: size }, () => stream.normal());
    parameters.values.set(expected);
    const [means, squares] = [new Float64Array(size), new Float64Array(size)];
    for (let step = 1; step <= 5; step++) {
      const gradients = Float32Array.from(expected, () => stream.normal());
      parameters.gradients.set(gradients);
      adam.update(adam.begin(rate), 4, 20, 0.5);
      for (let i = 4; i < 20; i++) {
        const gradient = 0.5 * gradients[i]!;
        means[i] = decay * means[i]! + (1 - decay) * gradient;
        squares[i] = decay * squares[i]! + (1 - decay) * gradient ** 2;
        const correction = 1 - decay ** step;
        expected[i]! -= (rate * (means[i]! / correction)) / (Math.sqrt(squares[i]! / correction) + 1e-8);
      }
      // Gradients in the range are cleared, those outside stay.
      expect([...parameters.gradients.subarray(4, 20)]).toEqual(new Array(16).fill(0));
      expect(parameters.gradients[20]).toBe(gradients[20]);
    }
    for (let i = 0; i < size; i++) expect(parameters.values[i]).toBeCloseTo(expected[i]!, 5);
  });

  test("continues from its state to the same bits", () => {
    const run = (steps: number, resume?: { adam: Adam; parameters: Parameters }) => {
      const parameters = new Parameters(new MatrixMemory(), 8, true);
      const adam = new Adam(parameters);
      if (resume) {
        parameters.values.set(resume.parameters.values);
        adam.state.means.set(resume.adam.state.means);
        adam.state.squares.set(resume.adam.state.squares);
        adam.steps = resume.adam.steps;
      }
      for (let step = 0; step < steps; step++) {
        parameters.gradients.set(parameters.values.map((value, i) => value - i + 0.5));
        adam.update(adam.begin(0.1), 0, 8, 1);
      }
      return { adam, parameters };
    };
    expect(run(3, run(2)).parameters.values).toEqual(run(5).parameters.values);
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
