import type { SparseVector } from "@arcwise/core";
import type { GradientSink } from "@arcwise/learn";
import type { WeightLines } from "../features/feature-space.ts";
import type { PreparedSequence } from "./chain-example.ts";
import type { ChainScorer } from "./chain-scorer.ts";

/** Smaller expectations are left out of a gradient. */
export const NEGLIGIBLE = 1e-9;

/** Adds gradients to a sparse vector one by one, without zeros. */
export class EntryGradients implements GradientSink {
  readonly #into: SparseVector;

  constructor(into: SparseVector) {
    this.#into = into;
  }

  add(weight: number, gradient: number): void {
    this.#into.add(weight, gradient);
  }

  addRun(from: number, gradients: Float64Array, count: number): void {
    for (let k = 0; k < count; k++) if (gradients[k] !== 0) this.#into.add(from + k, gradients[k]);
  }
}

/**
 * Adds the gradient of the log-likelihood by the features of single labels: the features of the gold labels
 * minus their expectations. Processes the weights of one input key at a time, which are contiguous in memory.
 */
export class UnaryGradients {
  readonly #scorer: ChainScorer;
  /** Probability of each label at the current position; 0 for those that are not candidates. */
  readonly #amounts: Float64Array;
  readonly #line: Float64Array;

  constructor(scorer: ChainScorer) {
    this.#scorer = scorer;
    this.#amounts = new Float64Array(scorer.space.labels);
    this.#line = new Float64Array(scorer.space.labels);
  }

  /** @returns the expected number of wrong labels */
  add(prepared: PreparedSequence, gold: Int32Array, marginals: Float64Array, into: GradientSink): number {
    const { n, lattice, features } = prepared;
    const { start, labels } = lattice;
    const { start: from, slots } = features[0];
    const { space } = this.#scorer;
    const { labels: L } = space;
    const lines = space.lines(1);
    const amounts = this.#amounts;
    let cost = 0;
    for (let i = 0; i < n; i++) {
      let isFlat = true;
      for (let c = start[i]; c < start[i + 1]; c++) {
        const y = labels[c];
        const isGold = y === gold[i];
        if (!isGold) cost += marginals[c];
        const amount = isGold ? 1 - marginals[c] : -marginals[c];
        const isFelt = amount > NEGLIGIBLE || amount < -NEGLIGIBLE;
        amounts[y] = isFelt ? amount : 0;
        if (isFelt) isFlat = false;
      }
      if (!isFlat && lines !== undefined) this.#addLines(prepared, i, lines, into);
      else if (!isFlat) for (let k = from[i]; k < from[i + 1]; k++) into.addRun(slots[k], amounts, L);
      if (!prepared.complete) amounts.fill(0);
    }
    return cost;
  }

  /** Adds the weights of whole lines when all labels are candidates; with few candidates, one by one. */
  #addLines(
    { complete, features }: PreparedSequence,
    i: number,
    { start: lineStart, grams: labels, base }: WeightLines,
    into: GradientSink,
  ): void {
    const { start, slots } = features[0];
    const amounts = this.#amounts;
    const line = this.#line;
    for (let k = start[i]; k < start[i + 1]; k++) {
      const first = lineStart[slots[k]];
      const count = lineStart[slots[k] + 1] - first;
      if (complete) {
        for (let j = 0; j < count; j++) line[j] = amounts[labels[first + j]];
        into.addRun(base + first, line, count);
        continue;
      }
      for (let j = first; j < first + count; j++) {
        const amount = amounts[labels[j]];
        if (amount !== 0) into.add(base + j, amount);
      }
    }
  }
}
