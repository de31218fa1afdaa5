import { random } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";

/** sfc32 from its published description, in 64-bit integers. */
function* reference(a: bigint, b: bigint, c: bigint): Generator<number> {
  const word = (x: bigint) => x & 0xffffffffn;
  let counter = 1n;
  for (let i = 0; ; i++) {
    const t = word(a + b + counter);
    counter = word(counter + 1n);
    a = b ^ (b >> 9n);
    b = word(c + (c << 3n));
    c = word(word((c << 21n) | (c >> 11n)) + t);
    if (i >= 15) yield Number(t);
  }
}

const seeds = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

describe("the stream", () => {
  it("is sfc32 keyed with the seed", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const rng = random(seed);
        const bits = BigInt.asUintN(64, BigInt(seed));
        const words = reference(bits & 0xffffffffn, bits >> 32n, 0n);
        for (let i = 0; i < 20; i++) expect(rng.uint32()).toBe(words.next().value);
      }),
    );
  });

  it("stays the same from version to version", () => {
    const rng = random(1);
    expect([rng.uint32(), rng.uint32(), rng.uint32()]).toEqual(GOLDEN.words);
    expect([rng.next(), rng.next()]).toEqual(GOLDEN.fractions);
    expect([rng.int(10), rng.int(1000), rng.int(2 ** 32)]).toEqual(GOLDEN.integers);
    expect([rng.normal(), rng.normal()]).toEqual(GOLDEN.normals);
    expect(rng.shuffle([1, 2, 3, 4, 5, 6])).toEqual(GOLDEN.shuffled);
    expect(rng.fork(0).uint32()).toBe(GOLDEN.fork);
    expect(rng.fork(3).fork(5).uint32()).toBe(GOLDEN.forkOfFork);
  });

  test.each([0.5, Number.NaN, Infinity, 2 ** 53])("refuses the seed %d", (seed) => {
    expect(() => random(seed)).toThrow(RangeError);
  });

  test.each([0, -1, 1.5, 2 ** 32 + 1, Number.NaN])("refuses int(%d)", (bound) => {
    expect(() => random(1).int(bound)).toThrow(RangeError);
  });
});

describe("distributions", () => {
  /** Sum of (found - expected)² / expected over equally likely bins. */
  function chiSquare(counts: readonly number[]): number {
    const expected = counts.reduce((a, b) => a + b) / counts.length;
    return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  }

  // 99.9 % quantiles of the chi-square distribution with bins - 1 degrees of freedom.
  test.each([
    [2, 10.83],
    [3, 13.82],
    [10, 27.88],
    [100, 148.2],
  ])("int(%i) is uniform", (bound, limit) => {
    const rng = random(11);
    const counts = new Array<number>(bound).fill(0);
    for (let i = 0; i < 40_000; i++) counts[rng.int(bound)]++;
    expect(chiSquare(counts)).toBeLessThan(limit);
  });

  it("int does not favour small results when the bound is no power of two", () => {
    const rng = random(12);
    const bound = 3 * 2 ** 30;
    const counts = [0, 0, 0];
    for (let i = 0; i < 30_000; i++) counts[Math.floor(rng.int(bound) / 2 ** 30)]++;
    expect(chiSquare(counts)).toBeLessThan(13.82);
  });

  it("next is uniform in its first and in its last bits", () => {
    const rng = random(13);
    const first = new Array<number>(100).fill(0);
    const last = new Array<number>(100).fill(0);
    for (let i = 0; i < 40_000; i++) {
      const x = rng.next();
      expect(x >= 0 && x < 1).toBe(true);
      first[Math.floor(x * 100)]++;
      last[Math.floor(((x * 2 ** 40) % 1) * 100)]++;
    }
    expect(chiSquare(first)).toBeLessThan(148.2);
    expect(chiSquare(last)).toBeLessThan(148.2);
  });

  it("normal has the moments and the tails of a standard normal", () => {
    const rng = random(14);
    const count = 40_000;
    const sums = [0, 0, 0, 0];
    let beyond = 0;
    for (let i = 0; i < count; i++) {
      const x = rng.normal();
      for (let k = 0; k < 4; k++) sums[k] += x ** (k + 1) / count;
      if (Math.abs(x) > 1.96) beyond++;
    }
    expect(sums[0]).toBeCloseTo(0, 1);
    expect(sums[1]).toBeCloseTo(1, 1);
    expect(sums[2]).toBeCloseTo(0, 1);
    expect(Math.abs(sums[3] - 3)).toBeLessThan(0.2);
    expect(Math.abs(beyond / count - 0.05)).toBeLessThan(0.005);
  });

  it("normal agrees with the formula it computes", () => {
    const rng = random(15);
    const twin = random(15);
    for (let i = 0; i < 2_000; i++) {
      let u = 0;
      let s = 0;
      do {
        u = 2 * twin.next() - 1;
        s = u * u + (2 * twin.next() - 1) ** 2;
      } while (s === 0 || s >= 1);
      const expected = u * Math.sqrt((-2 * Math.log(s)) / s);
      expect(Math.abs(rng.normal() - expected)).toBeLessThan(1e-14 * Math.max(1, Math.abs(expected)));
    }
  });

  it("shuffle gives every order alike", () => {
    const rng = random(16);
    const counts = new Map<string, number>();
    for (let i = 0; i < 24_000; i++) {
      const order = rng.shuffle([1, 2, 3, 4]).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(chiSquare([...counts.values()])).toBeLessThan(49.7);
  });

  it("shuffle keeps the items, in the array given", () => {
    const items = Int32Array.of(5, 6, 7);
    expect(random(1).shuffle(items)).toBe(items);
    expect([...items].sort()).toEqual([5, 6, 7]);
  });
});

describe("forks", () => {
  it("do not depend on how much of the stream was used", () => {
    const fresh = random(7);
    const used = random(7);
    for (let i = 0; i < 10; i++) used.next();
    expect(used.fork(4).uint32()).toBe(fresh.fork(4).uint32());
    fresh.fork(9).uint32();
    expect(fresh.uint32()).toBe(random(7).uint32());
  });

  it("of forks do not depend on the order of their numbers alone", () => {
    expect(random(7).fork(0).fork(1).uint32()).not.toBe(random(7).fork(1).fork(0).uint32());
  });

  it("never coincide among seeds, numbers and depths", () => {
    const seen = new Set<string>();
    const start = (rng: ReturnType<typeof random>) => `${rng.uint32()} ${rng.uint32()}`;
    for (let seed = -3; seed <= 3; seed++) {
      seen.add(start(random(seed)));
      for (let i = 0; i < 30; i++) {
        seen.add(start(random(seed).fork(i)));
        for (let j = 0; j < 30; j++) seen.add(start(random(seed).fork(i).fork(j)));
      }
    }
    expect(seen.size).toBe(7 * (1 + 30 + 900));
    expect(seen.has(start(random(1).fork(2 ** 32)))).toBe(false);
  });

  it("are not correlated with each other or with their source", () => {
    const streams = [random(8), random(8).fork(0), random(8).fork(1), random(9), random(8).fork(0).fork(0)];
    const draws = streams.map((rng) => Array.from({ length: 4_000 }, () => rng.next() - 0.5));
    for (let i = 0; i < draws.length; i++) {
      for (let j = 0; j < i; j++) {
        const sum = draws[i].reduce((total, x, k) => total + x * draws[j][k], 0);
        // Standard deviation of the correlation: 1 / sqrt(4000).
        expect(Math.abs((12 * sum) / 4_000)).toBeLessThan(4 / Math.sqrt(4_000));
      }
    }
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])("refuse the number %d", (index) => {
    expect(() => random(1).fork(index)).toThrow(RangeError);
  });
});

/** First values of seed 1. Changing them changes every tree that was ever made from a seed. */
const GOLDEN = {
  words: [3387734806, 1080862987, 3546521498],
  fractions: [0.6663308374574778, 0.6332565402745659],
  integers: [5, 439, 226450407],
  normals: [1.5921271426111443, 0.4173354134383755],
  shuffled: [5, 4, 1, 3, 6, 2],
  fork: 2263700570,
  forkOfFork: 2779840583,
};
