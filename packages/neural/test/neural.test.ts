import { random } from "@arcwise/core";
import { Adam, exponential, MatrixMemory, padded, tanh, transposed } from "@arcwise/neural";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import wabt from "wabt";
import { kernelsModule } from "./kernels.ts";

describe("the kernels", () => {
  test("are those of their text (`vitest -u` assembles it anew)", async () => {
    const { parseWat } = await wabt();
    const assembled = parseWat("kernels.wat", kernelsModule(), { simd: true });
    assembled.validate();
    const text = Buffer.from(assembled.toBinary({}).buffer).toString("base64");
    await expect(
      `/** The kernels of \`MatrixMemory\`: \`test/kernels.ts\`, assembled, in base 64. */\nexport const KERNELS =\n  "${text}";\n`,
    ).toMatchFileSnapshot("../src/kernels.ts");
  });

  test("step as Adam does (Kingma and Ba 2015, algorithm 1)", () => {
    const memory = new MatrixMemory();
    const [size, decay, rate] = [24, 0.9, 0.01];
    const [first, slopes] = [memory.allocate(size), memory.allocate(size)];
    const adam = new Adam(memory, first, slopes, size);
    const stream = random(4);
    const expected = Float64Array.from({ length: size }, () => stream.normal());
    memory.values.set(expected, first);
    const [means, squares] = [new Float64Array(size), new Float64Array(size)];
    for (let step = 1; step <= 5; step++) {
      const gradient = Float32Array.from(expected, () => stream.normal());
      memory.values.set(gradient, slopes);
      adam.update(adam.begin(rate), 4, 20, 0.5);
      for (let i = 4; i < 20; i++) {
        const slope = 0.5 * gradient[i]!;
        means[i] = decay * means[i]! + (1 - decay) * slope;
        squares[i] = decay * squares[i]! + (1 - decay) * slope ** 2;
        const correction = 1 - decay ** step;
        expected[i]! -= (rate * (means[i]! / correction)) / (Math.sqrt(squares[i]! / correction) + 1e-8);
      }
      // What was stepped with is cleared, what was not stays.
      expect([...memory.values.subarray(slopes + 4, slopes + 20)]).toEqual(new Array(16).fill(0));
      expect(memory.values[slopes + 20]).toBe(gradient[20]);
    }
    for (let i = 0; i < size; i++) expect(memory.values[first + i]).toBeCloseTo(expected[i]!, 5);
  });
});

describe("functions out of arithmetic", () => {
  test("are those that they should be", () => {
    for (let x = -12; x <= 12; x += 0.01) expect(Math.abs(tanh(x) - Math.tanh(x))).toBeLessThan(1e-8);
    for (let x = -63; x <= 0; x += 0.01) {
      expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-9);
    }
    expect(exponential(-65)).toBe(0);
  });
});

describe("multiplication of matrices", () => {
  test("equals sums of products, whatever the shape", () => {
    const size = fc.integer({ min: 1, max: 9 });
    const property = fc.property(
      fc.tuple(size, fc.integer({ min: 1, max: 50 }), size),
      fc.boolean(),
      fc.integer({ min: 0, max: 1e6 }),
      ([rows, columns, inner], turned, seed) => {
        const memory = new MatrixMemory();
        const stream = random(seed);
        const a = memory.matrix(turned ? inner : rows, turned ? padded(rows) : inner);
        const b = memory.matrix(inner, padded(columns));
        const c = memory.matrix(rows, padded(columns));
        const guard = memory.allocate(4);
        for (let i = 0; i < guard; i++) memory.values[i] = stream.int(9) - 4;
        const before = memory.values.slice();
        const left = turned ? transposed(a) : a;
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

  test("memory grows, keeps its numbers, and gives none that were used before", () => {
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
});
