import { createHash } from "node:crypto";
import { random } from "@arcwise/core";
import { bitsFor, exp, expm1, goldenSection, log, log1p, power, powerOfTwo } from "@arcwise/core/arithmetic";
import { describe, expect, test } from "vitest";
import { binaryExponent } from "../src/arithmetic/powers.ts";

const FUNCTIONS = { exp, expm1, log, log1p };

/** Arguments of all magnitudes and signs, and many near those where a function changes its formula. */
function argumentsOf(name: keyof typeof FUNCTIONS): Float64Array {
  const stream = random(52);
  const around = [-745, -709, -56 * Math.LN2, -1, -0.3466, -0.2929, 0, 0.3466, 0.4142, 1, 1.04, 2, 709.78];
  const values: number[] = [];
  for (let i = 0; i < 40_000; i++) {
    const unit = stream.next() - 0.5;
    values.push(around[i % around.length] + unit * [1, 1e-3, 1e-9][i % 3]);
    values.push(unit * powerOfTwo(stream.int(80) - 70));
    if (name.startsWith("log")) values.push(stream.next() * powerOfTwo(stream.int(2000) - 1000));
  }
  return Float64Array.from(values);
}

describe("functions that every engine rounds alike", () => {
  // The digests are of the results in one engine. Another engine, or another order of operations, must give the
  // same bits.
  test.each([
    ["exp", "9dc827ec13a4df80"],
    ["expm1", "c60b2f52b56f7104"],
    ["log", "d3d3eaa176133103"],
    ["log1p", "969c3bad148c8663"],
  ] as const)("%s has the same bits everywhere", (name, digest) => {
    const results = argumentsOf(name).map(FUNCTIONS[name]);
    // Numbers that are not numbers may have several bit patterns.
    const bytes = new Uint8Array(results.map((x) => (Number.isNaN(x) ? -1e300 : x)).buffer);
    expect(createHash("sha256").update(bytes).digest("hex").slice(0, 16)).toBe(digest);
  });

  test.each(["exp", "expm1", "log", "log1p"] as const)("%s is within 2 units of the engine's", (name) => {
    for (const x of argumentsOf(name)) {
      const [found, expected] = [FUNCTIONS[name](x), Math[name](x)];
      if (Object.is(found, expected)) continue;
      const difference = Math.abs(found - expected);
      if (!(difference <= 2 ** -51 * Math.abs(expected) + Number.MIN_VALUE))
        expect.fail(`${name}(${x}) is ${found}, expected about ${expected}`);
    }
  });

  test.each([
    [exp, [-Infinity, -746, 0, -0, 1, 710, Infinity, NaN], [0, 0, 1, 1, Math.E, Infinity, Infinity, NaN]],
    [expm1, [-Infinity, -40, 0, -0, 710, Infinity, NaN], [-1, -1, 0, -0, Infinity, Infinity, NaN]],
    [log, [-1, -0, 0, 1, Infinity, NaN], [NaN, -Infinity, -Infinity, 0, Infinity, NaN]],
    [log1p, [-2, -1, -0, 0, Infinity, NaN], [NaN, -Infinity, -0, 0, Infinity, NaN]],
  ])("%o has the limits of the function", (of, from, to) => {
    expect(from.map((x) => of(x))).toEqual(to);
  });

  test("powers of two, their exponents, and counts of bits are exact", () => {
    for (let k = -1074; k <= 1023; k++) {
      expect(powerOfTwo(k)).toBe(2 ** k);
      expect(binaryExponent(-powerOfTwo(k))).toBe(k);
      expect(bitsFor(powerOfTwo(k))).toBe(k);
      if (k > -1021) expect(bitsFor(powerOfTwo(k) * (1 + 2 ** -52))).toBe(k + 1);
    }
    expect([powerOfTwo(-1075), powerOfTwo(1024)]).toEqual([0, Infinity]);
    expect([0, Infinity, -Infinity, NaN].map(binaryExponent)).toEqual([
      -Infinity,
      Infinity,
      Infinity,
      Infinity,
    ]);
    expect([1, 2, 3, 4, 5, 0.5, 0.75].map(bitsFor)).toEqual([0, 1, 2, 2, 3, -1, 0]);
  });

  test("power multiplies in a fixed order", () => {
    expect([power(2, 10), power(-3, 3), power(0.9, 0), power(0.9, 2 ** 40)]).toEqual([1024, -27, 1, 0]);
    expect(power(0.9, 5)).toBe(0.9 * (0.9 * 0.9 * (0.9 * 0.9)));
  });
});

describe("goldenSection", () => {
  test.each([-3, -2.999, 0, 1.25, 6.9, 7])("finds the minimum of |x - m|³ + x² - 2mx at %d", (m) => {
    let calls = 0;
    const f = (x: number) => {
      calls++;
      return Math.abs(x - m) ** 3 + x * x - 2 * m * x;
    };
    expect(Math.abs(goldenSection(f, -3, 7, 1e-4) - m)).toBeLessThanOrEqual(1e-4);
    // An interval shrinks to 0.618 of its width with each call.
    expect(calls).toBe(2 + Math.ceil(Math.log(10 / 1e-4) / -Math.log((Math.sqrt(5) - 1) / 2)));
  });
});
