import type { WeightVector } from "@arcwise/learn";
import type { WeightLines } from "../features/feature-space.ts";
import type { PreparedSequence } from "./chain-example.ts";

/** Weights that are bytes or other numbers, and their unit. */
export interface ScorerWeights {
  readonly values: WeightVector | Int8Array;
  readonly scale: number;
}

/**
 * Adds the scores of all labels at each position, where the weights of a feature are contiguous.
 *
 * Four features are added at a time, so that four cache misses overlap.
 */
export function scoreAll(
  { n, features }: PreparedSequence,
  weights: ScorerWeights["values"],
  scores: Float64Array,
  L: number,
): void {
  const { start, slots } = features[0];
  for (let i = 0; i < n; i++) {
    const row = i * L;
    const end = start[i + 1];
    let k = start[i];
    for (; k + 3 < end; k += 4) {
      const [p, q, r, s] = [slots[k], slots[k + 1], slots[k + 2], slots[k + 3]];
      for (let y = 0; y < L; y++) {
        scores[row + y] += weights[p + y] + weights[q + y] + weights[r + y] + weights[s + y];
      }
    }
    for (; k < end; k++) {
      const slot = slots[k];
      for (let y = 0; y < L; y++) scores[row + y] += weights[slot + y];
    }
  }
}

/** Adds the scores of the candidates of each position, where the weights of a feature are contiguous. */
export function scoreCandidates(
  { n, lattice, features }: PreparedSequence,
  weights: ScorerWeights["values"],
  scores: Float64Array,
): void {
  const { start, slots } = features[0];
  const { start: first, labels } = lattice;
  for (let i = 0; i < n; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const slot = slots[k];
      for (let c = first[i]; c < first[i + 1]; c++) scores[c] += weights[slot + labels[c]];
    }
  }
}

/** The labels that features were seen with, and scratch memory: an entry of -1 per label. */
export interface LineScratch {
  readonly lines: WeightLines;
  readonly places: Int32Array;
}

/** Adds the scores of the candidates of each position by the pairs that were observed. */
export function scoreLines(
  { n, lattice, features, complete }: PreparedSequence,
  weights: ScorerWeights["values"],
  scores: Float64Array,
  { lines: { start: lineStart, grams: labels, base }, places }: LineScratch,
): void {
  const { start, slots } = features[0];
  const { start: first, labels: candidates } = lattice;
  for (let i = 0; complete && i < n; i++) {
    const row = first[i];
    for (let k = start[i]; k < start[i + 1]; k++) {
      const end = lineStart[slots[k] + 1];
      for (let j = lineStart[slots[k]]; j < end; j++) scores[row + labels[j]] += weights[base + j];
    }
  }
  for (let i = 0; !complete && i < n; i++) {
    for (let c = first[i]; c < first[i + 1]; c++) places[candidates[c]] = c;
    for (let k = start[i]; k < start[i + 1]; k++) {
      const end = lineStart[slots[k] + 1];
      for (let j = lineStart[slots[k]]; j < end; j++) {
        const candidate = places[labels[j]];
        if (candidate >= 0) scores[candidate] += weights[base + j];
      }
    }
    for (let c = first[i]; c < first[i + 1]; c++) places[candidates[c]] = -1;
  }
}
