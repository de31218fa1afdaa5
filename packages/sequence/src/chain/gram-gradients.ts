import type { GradientSink } from "@arcwise/learn";
import type { ChainProblem } from "../inference/chain-problem.ts";
import type { PreparedSequence } from "./chain-example.ts";
import type { ChainScorer } from "./chain-scorer.ts";
import { NEGLIGIBLE } from "./unary-gradients.ts";

/**
 * Subtracts the expected features of bigrams and trigrams of labels from a gradient. Features that do not
 * depend on the input are summed over the positions first, so that each is updated once per sequence.
 */
export class GramGradients {
  readonly #scorer: ChainScorer;
  /**
   * Expected counts of k-grams over a sequence; empty with observed pairs, where every feature depends on the
   * input.
   */
  readonly #bigrams: Float64Array;
  readonly #trigrams: Float64Array;

  constructor(scorer: ChainScorer) {
    const { observed, labels: L } = scorer.space;
    this.#scorer = scorer;
    this.#bigrams = new Float64Array(observed ? 0 : (L + 1) * L);
    this.#trigrams = new Float64Array(observed || scorer.order < 3 ? 0 : (L + 1) * (L + 1) * L);
  }

  /** @param expected expected counts of the entries of the problem's tables. O(entries of the tables) */
  subtract(
    prepared: PreparedSequence,
    { table }: ChainProblem,
    expected: Float64Array,
    into: GradientSink,
  ): void {
    const scorer = this.#scorer;
    for (let i = 0; i < prepared.n; i++) {
      // The expected counts of a shared table cover all its positions.
      if (i > 0 && table[i] === table[i - 1]) break;
      this.#subtractTable(prepared, i, expected, table[i], into);
      if (scorer.space.observed) continue;
      scorer.tables!.eachLineEntry(prepared, i, table[i], (weight, entry) => {
        if (expected[entry] > NEGLIGIBLE) into.add(weight, -expected[entry]);
      });
    }
    this.#subtractSums(into);
  }

  /** Subtracts the features of k-grams alone, times their expected counts, and clears the counts. */
  #subtractSums(into: GradientSink): void {
    const { space } = this.#scorer;
    for (const [arity, counts] of [
      [2, this.#bigrams],
      [3, this.#trigrams],
    ] as const) {
      for (const base of space.constants(arity)) {
        for (let k = 0; k < counts.length; k++) if (counts[k] > NEGLIGIBLE) into.add(base + k, -counts[k]);
      }
      counts.fill(0);
    }
  }

  /** Sums the features that do not depend on the input; with observed pairs, subtracts all features. */
  #subtractTable(
    { lattice: { start, labels }, features }: PreparedSequence,
    i: number,
    expected: Float64Array,
    at: number,
    into: GradientSink,
  ): void {
    const { order, space } = this.#scorer;
    const L = space.labels;
    const count = start[i + 1] - start[i];
    const before = i > 0 ? start[i] - start[i - 1] : 1;
    const first = order > 2 && i > 1 ? start[i - 1] - start[i - 2] : 1;
    let entry = at;
    for (let p = 0; p < first; p++) {
      const a = i > 1 ? labels[start[i - 2] + p] : L;
      for (let m = 0; m < before; m++) {
        const b = i > 0 ? labels[start[i - 1] + m] : L;
        for (let c = 0; c < count; c++, entry++) {
          const amount = expected[entry];
          if (amount <= NEGLIGIBLE) continue;
          const bigram = b * L + labels[start[i] + c];
          const trigram = bigram + a * (L + 1) * L;
          if (!space.observed) {
            this.#bigrams[bigram] += amount;
            if (order === 3) this.#trigrams[trigram] += amount;
            continue;
          }
          const change = { into, scale: -amount };
          if (features[1]) this.#scorer.addGram(features[1], 2, i, bigram, change);
          if (features[2]) this.#scorer.addGram(features[2], 3, i, trigram, change);
        }
      }
    }
  }
}
