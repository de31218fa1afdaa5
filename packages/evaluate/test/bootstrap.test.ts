import { describe, expect, test } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import type { SentenceCounts } from "../src/attachment.ts";
import type { SystemPair } from "../src/bootstrap.ts";
import { pairedBootstrap, sentenceCounts } from "../src/index.ts";
import { PAIRS } from "./examples.ts";

const counts = (correct: number[], total: number[]): SentenceCounts => ({ correct, total });

/**
 * Returns counts of 200 sentences of 20 words: b has `gain` more right words in every `every`-th sentence.
 */
function better(gain: number, every: number): SystemPair {
  const total = new Array<number>(200).fill(20);
  const a = total.map((_, i) => 14 + (i % 3));
  return {
    a: counts(a, total),
    b: counts(
      a.map((right, i) => right + (i % every === 0 ? gain : 0)),
      total,
    ),
  };
}

describe("results of the test", () => {
  test("equal systems: difference 0, p-value 1, an empty interval", () => {
    const { a } = better(0, 1);
    expect(pairedBootstrap({ a, b: a }, { samples: 200 })).toEqual({
      a: 0.74975,
      b: 0.74975,
      difference: 0,
      pValue: 1,
      interval: [0, 0],
      wins: 0.5,
      samples: 200,
      seed: 1,
    });
  });

  test("a system better on every sentence: the lowest p-value for the number of samples", () => {
    const result = pairedBootstrap(better(1, 1), { samples: 999 });
    expect(result).toMatchObject({ pValue: 1 / 1000, wins: 1 });
    expect(result.difference).toBeCloseTo(0.05, 12);
    expect(result.interval[0]).toBeCloseTo(0.05, 12);
    expect(result.interval[1]).toBeCloseTo(0.05, 12);
  });

  test("a difference in every tenth sentence is significant, one of alternating sign is not", () => {
    const clear = pairedBootstrap(better(1, 10), { samples: 2000 });
    expect(clear.pValue).toBeLessThan(0.001);
    expect(clear.interval[0]).toBeGreaterThan(0);
    const { a } = better(0, 1);
    const b = counts(
      Array.from(a.correct, (right, i) => right + (i % 2 === 0 ? 1 : -1) + (i === 0 ? 1 : 0)),
      Array.from(a.total),
    );
    const unclear = pairedBootstrap({ a, b }, { samples: 2000 });
    expect(unclear.pValue).toBeGreaterThan(0.5);
    expect(unclear.interval[0]).toBeLessThan(0);
    expect(unclear.interval[1]).toBeGreaterThan(0);
  });

  test("accepts the per-sentence counts of pairs of trees", () => {
    const perfect = PAIRS.map(({ words, gold }) => ({ words, gold, predicted: gold }));
    const systems = { a: sentenceCounts(PAIRS, "las"), b: sentenceCounts(perfect, "las") };
    expect(pairedBootstrap(systems, { samples: 10 })).toMatchObject({ a: 0.5, b: 1, difference: 0.5 });
  });

  test("systems may have different numbers of words", () => {
    const result = pairedBootstrap({ a: counts([1, 1], [2, 2]), b: counts([3, 3], [4, 4]) }, { samples: 10 });
    expect(result).toMatchObject({ a: 0.5, b: 0.75, interval: [0.25, 0.25] });
  });
});

describe("against all possible test sets", () => {
  const systems = { a: counts([3, 1, 4], [5, 4, 6]), b: counts([4, 4, 3], [5, 4, 6]) };

  function enumerated(): number[] {
    const differences: number[] = [];
    for (let draw = 0; draw < 27; draw++) {
      const picks = [draw % 3, Math.floor(draw / 3) % 3, Math.floor(draw / 9)];
      const score = ({ correct, total }: SentenceCounts) =>
        picks.reduce((sum, s) => sum + correct[s]!, 0) / picks.reduce((sum, s) => sum + total[s]!, 0);
      differences.push(score(systems.b) - score(systems.a));
    }
    return differences;
  }

  test("the p-value, the interval and the share of wins approach their exact values", () => {
    const all = enumerated().sort((x, y) => x - y);
    const result = pairedBootstrap(systems, { samples: 20_000, confidence: 0.5, seed: 7 });
    const far = all.filter((d) => Math.abs(d - result.difference) >= Math.abs(result.difference) - 1e-12);
    const wins = all.filter((d) => d > 0).length + all.filter((d) => d === 0).length / 2;
    // Four standard errors of a share of 20,000 draws are at most 0.0142.
    expect(Math.abs(result.pValue - far.length / 27)).toBeLessThan(0.015);
    expect(Math.abs(result.wins - wins / 27)).toBeLessThan(0.015);
    const below = (value: number) => all.filter((d) => d < value - 1e-12).length / 27;
    const upTo = (value: number) => all.filter((d) => d <= value + 1e-12).length / 27;
    const [low, high] = result.interval;
    expect([below(low) <= 0.265, upTo(low) >= 0.235]).toEqual([true, true]);
    expect([below(high) <= 0.765, upTo(high) >= 0.735]).toEqual([true, true]);
  });
});

test("under the null hypothesis, small p-values are as frequent as their value", () => {
  // 300 experiments in which b differs from a by a fair coin a sentence.
  let small = 0;
  for (let seed = 0; seed < 300; seed++) {
    const total = new Array<number>(60).fill(10);
    const a = total.map(() => 5);
    let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
    const b = a.map((right) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return right + (state >>> 31 === 0 ? 1 : -1);
    });
    if (pairedBootstrap({ a: counts(a, total), b: counts(b, total) }, { samples: 200, seed }).pValue <= 0.1)
      small++;
  }
  // 30 expected; the standard deviation is 5.2.
  expect(small).toBeGreaterThan(12);
  expect(small).toBeLessThan(54);
});

test("a result that must never change", () => {
  const { pValue, interval, wins } = pairedBootstrap(better(2, 9), { seed: 42, samples: 1000 });
  expect({ pValue, interval, wins }).toMatchInlineSnapshot(`
    {
      "interval": [
        0.007499999999999951,
        0.016000000000000014,
      ],
      "pValue": 0.000999000999000999,
      "wins": 1,
    }
  `);
});

describe("invalid input", () => {
  const fine = counts([1, 1], [2, 2]);
  test.each<[name: string, systems: SystemPair, found: string]>([
    ["counts of different lengths", { a: fine, b: counts([1], [2]) }, "1"],
    ["NaN", { a: fine, b: counts([1, Number.NaN], [2, 2]) }, "NaN of 2"],
    ["more right than scored", { a: counts([3, 1], [2, 2]), b: fine }, "3 of 2"],
    ["negative counts", { a: counts([-1, 1], [2, 2]), b: fine }, "-1 of 2"],
    ["no words", { a: counts([0], [0]), b: counts([0], [0]) }, "none"],
    ["no sentences", { a: counts([], []), b: counts([], []) }, "none"],
  ])("%s", (_name, systems, found) => {
    expect(thrownBy(() => pairedBootstrap(systems))).toMatchObject({ code: "invalid-argument", found });
  });

  test.each([undefined, {}, { a: fine }, { a: fine, b: null }])("systems %j", (systems) => {
    expect(thrownBy(() => pairedBootstrap(systems as never))).toMatchObject({ code: "invalid-argument" });
  });

  test.each([
    [{ samples: 0 }],
    [{ samples: 1.5 }],
    [{ confidence: 1 }],
    [{ confidence: Number.NaN }],
    [{ seed: 0.5 }],
  ])("%j", (options) => {
    expect(() => pairedBootstrap({ a: fine, b: fine }, options)).toThrow(
      expect.objectContaining({ code: "invalid-option" }),
    );
  });
});
