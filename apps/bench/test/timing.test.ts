import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extrapolate, growth, measure, percentile } from "../src/measures/timing.ts";
import { formatRange, formatTime } from "../src/results/format.ts";

const LENGTHS = [10, 20, 50, 100, 200, 400, 800];

describe("growth", () => {
  test.each([
    { exponent: 1, factor: 3 },
    { exponent: 2, factor: 1e-6 },
    { exponent: 3.5, factor: 0.02 },
    { exponent: 0, factor: 7 },
  ])("finds the exponent $exponent of a power law", ({ exponent, factor }) => {
    const fitted = growth(LENGTHS.map((n) => ({ n, cost: factor * n ** exponent })));
    expect(fitted?.exponent).toBeCloseTo(exponent, 10);
    expect(fitted).toMatchObject({ from: 50, to: 800, points: 5 });
  });

  test("ignores fixed costs of short sentences", () => {
    const costs = LENGTHS.map((n) => ({ n, cost: (n < 50 ? 1000 : 0) + n ** 3 }));
    expect(growth(costs)?.exponent).toBeCloseTo(3, 10);
  });

  test("uses short lengths when there are too few long ones, and reports the range", () => {
    const costs = [10, 20, 50].map((n) => ({ n, cost: n * n }));
    expect(growth(costs)).toMatchObject({ from: 10, to: 50, points: 3 });
  });

  test("is undefined for one or two lengths", () => {
    expect(growth([])).toBeUndefined();
    expect(growth([50, 100].map((n) => ({ n, cost: n })))).toBeUndefined();
  });

  test("averages noise: 2.1 among times a tenth too high and too low", () => {
    const costs = LENGTHS.map((n, i) => ({ n, cost: n ** 2.1 * (i % 2 === 0 ? 1.1 : 0.9) }));
    expect(growth(costs)?.exponent).toBeGreaterThan(2);
    expect(growth(costs)?.exponent).toBeLessThan(2.2);
  });
});

describe("percentile", () => {
  test.each([
    { sorted: [5], share: 0.3, expected: 5 },
    { sorted: [1, 2, 3], share: 0.5, expected: 2 },
    { sorted: [1, 2, 3, 4], share: 0.5, expected: 2.5 },
    { sorted: [0, 10, 20], share: 0.05, expected: 1 },
    { sorted: [0, 10, 20], share: 1, expected: 20 },
  ])("$share of $sorted is $expected", ({ sorted, share, expected }) => {
    expect(percentile(sorted, share)).toBeCloseTo(expected, 12);
  });

  test("lies between the values around it", () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const sorted = list.toSorted((a, b) => a - b);
        const at = share * (sorted.length - 1);
        const value = percentile(sorted, share);
        expect(value).toBeGreaterThanOrEqual(sorted[Math.floor(at)]! - 1e-9);
        expect(value).toBeLessThanOrEqual(sorted[Math.ceil(at)]! + 1e-9);
      }),
    );
  });

  test("refuses empty input and shares outside of [0, 1]", () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
    expect(() => percentile([1], 1.5)).toThrow(RangeError);
    expect(() => percentile([1], Number.NaN)).toThrow(RangeError);
  });
});

describe("extrapolate", () => {
  test("continues the growth between the last two lengths", () => {
    expect(
      extrapolate(
        [10, 20].map((n) => ({ n, cost: n ** 3 })),
        40,
      ),
    ).toBeCloseTo(64_000, 6);
  });
  test("assumes at least linear growth, and returns 0 for one length", () => {
    expect(
      extrapolate(
        [10, 20].map((n) => ({ n, cost: 5 + 0 * n })),
        40,
      ),
    ).toBe(10);
    expect(extrapolate([{ n: 10, cost: 5 }], 40)).toBe(0);
  });
});

describe("measure", () => {
  test("times one call of a pass of several, a slow one longer than a fast one", () => {
    const busy = (rounds: number) => () => {
      let sum = 0;
      for (let i = 0; i < rounds; i++) sum += Math.sqrt(i);
      return sum;
    };
    const budget = { time: 20, warmUp: 5, passes: 5 };
    const fast = measure(busy(1_000), 4, budget);
    const slow = measure(busy(200_000), 4, budget);
    expect(fast.low).toBeGreaterThan(0);
    expect(fast.low).toBeLessThanOrEqual(fast.median);
    expect(fast.median).toBeLessThanOrEqual(fast.high);
    expect(slow.low).toBeGreaterThan(3 * fast.low);
    expect(fast.passes).toBeGreaterThanOrEqual(5);
  });

  test("makes the minimal number of passes when one takes longer than the budget", () => {
    let calls = 0;
    const pass = () => {
      calls++;
      const until = performance.now() + 3;
      while (performance.now() < until);
      return 1;
    };
    const { passes, median } = measure(pass, 1, { time: 1, warmUp: 0, passes: 4 });
    expect(passes).toBeGreaterThanOrEqual(4);
    expect(calls).toBeGreaterThan(passes);
    expect(median).toBeGreaterThanOrEqual(3);
  });

  test("rethrows errors", () => {
    const pass = () => {
      throw new Error("broken");
    };
    expect(() => measure(pass, 1, { time: 1, warmUp: 1, passes: 1 })).toThrow("broken");
  });
});

test.each([
  { ms: 0.000_312, text: "312 ns" },
  { ms: 0.004_21, text: "4.21 µs" },
  { ms: 0.0451, text: "45.1 µs" },
  { ms: 0.9999, text: "1.00 ms" },
  { ms: 12_345, text: "12.3 s" },
])("$ms ms is written $text", ({ ms, text }) => {
  expect(formatTime(ms)).toBe(text);
});

test("a range is in the unit of its median", () => {
  expect(formatRange(0.0009, 1.5, 0.002)).toBe("0.90–1500");
});
