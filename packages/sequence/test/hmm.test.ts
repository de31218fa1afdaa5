import { random } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baumWelch, type Hmm, hmmDecoder, randomHmm, trainHmm } from "../src/hmm/index.ts";

/** Returns the probability of symbols together with labels. */
function jointProbability(
  { order, labels: L, symbols: S, transitions, emissions }: Hmm,
  x: Int32Array,
  y: number[],
) {
  let p = 1;
  for (let i = 0; i < x.length; i++) {
    const b = i > 0 ? y[i - 1] : L;
    const a = i > 1 ? y[i - 2] : L;
    const row = order === 3 ? a * (L + 1) + b : b;
    p *= transitions[row * L + y[i]] * emissions[y[i] * S + x[i]];
  }
  return p;
}

function enumerate(L: number, n: number): number[][] {
  let all: number[][] = [[]];
  for (let i = 0; i < n; i++) all = all.flatMap((one) => Array.from({ length: L }, (_, y) => [...one, y]));
  return all;
}

const models = fc.record({
  labels: fc.integer({ min: 1, max: 3 }),
  symbols: fc.integer({ min: 1, max: 4 }),
  order: fc.constantFrom<2 | 3>(2, 3),
  seed: fc.nat(1e6),
});

test("decoding finds the most probable labelling", () => {
  fc.assert(
    fc.property(models, fc.integer({ min: 1, max: 5 }), (options, n) => {
      const hmm = randomHmm(options);
      const rng = random(options.seed);
      const symbols = Int32Array.from({ length: n }, () => rng.int(options.symbols));
      const best = Math.max(
        ...enumerate(options.labels, n).map((labels) => jointProbability(hmm, symbols, labels)),
      );
      const found = Array.from(hmmDecoder(hmm)(symbols));
      expect(jointProbability(hmm, symbols, found)).toBeCloseTo(best, 10);
    }),
    { numRuns: 60 },
  );
});

describe("Baum-Welch", () => {
  test("never lowers the likelihood, which is that of all labellings", () => {
    fc.assert(
      fc.property(models, (options) => {
        const rng = random(options.seed);
        const sequences = Array.from({ length: 6 }, () =>
          Int32Array.from({ length: 1 + rng.int(5) }, () => rng.int(options.symbols)),
        );
        const initial = randomHmm(options);
        const { logLikelihoods } = baumWelch(initial, sequences, { iterations: 15, tolerance: 0 });
        const direct = sequences.map((symbols) =>
          Math.log(
            enumerate(options.labels, symbols.length).reduce(
              (sum, labels) => sum + jointProbability(initial, symbols, labels),
              0,
            ),
          ),
        );
        expect(logLikelihoods[0]).toBeCloseTo(
          direct.reduce((sum, value) => sum + value, 0),
          8,
        );
        for (let k = 1; k < logLikelihoods.length; k++) {
          expect(logLikelihoods[k] - logLikelihoods[k - 1]).toBeGreaterThan(-1e-9);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("distinguishes two alternating kinds of symbols", () => {
    const rng = random(4);
    const sequences = Array.from({ length: 40 }, () =>
      Int32Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? rng.int(2) : 2 + rng.int(2))),
    );
    const { hmm } = baumWelch(randomHmm({ labels: 2, symbols: 4, seed: 1 }), sequences, { iterations: 100 });
    const found = hmmDecoder(hmm)(Int32Array.of(0, 3, 1, 2, 0, 2));
    expect(new Set([found[0], found[2], found[4]]).size).toBe(1);
    expect(new Set([found[1], found[3], found[5]]).size).toBe(1);
    expect(found[0]).not.toBe(found[1]);
  });
});

describe("counting", () => {
  const sequences = [
    { symbols: Int32Array.of(0, 1, 0), labels: Int32Array.of(0, 1, 0) },
    { symbols: Int32Array.of(0, 1), labels: Int32Array.of(0, 1) },
  ];
  test("returns relative frequencies of smoothed counts", () => {
    const { emissions, transitions } = trainHmm(sequences, { labels: 2, symbols: 2 });
    expect(Array.from(emissions)).toEqual([3.1 / 3.2, 0.1 / 3.2, 0.1 / 2.2, 2.1 / 2.2]);
    for (let row = 0; row < 3; row++)
      expect(transitions[2 * row] + transitions[2 * row + 1]).toBeCloseTo(1, 12);
    expect(transitions[2]).toBeGreaterThan(0.5);
  });
  test.each([2, 3] as const)("every distribution of order %i sums to 1", (order) => {
    const { transitions } = trainHmm(sequences, { labels: 2, symbols: 2, order });
    for (let row = 0; row < transitions.length; row += 2) {
      expect(transitions[row] + transitions[row + 1]).toBeCloseTo(1, 12);
      expect(Math.min(transitions[row], transitions[row + 1])).toBeGreaterThan(0);
    }
  });
  test("refuses labels and symbols out of range", () => {
    const wrong = { symbols: Int32Array.of(2), labels: Int32Array.of(0) };
    expect(() => trainHmm([wrong], { labels: 2, symbols: 2 })).toThrow(
      "sequence 1.symbols[0]: expected an integer from 0 to 1, found 2",
    );
  });
});
