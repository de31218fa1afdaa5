import type { FeatureSpace } from "../features/feature-space.ts";
import { type Lattice, tableSize } from "../inference/chain-problem.ts";
import type { PreparedSequence } from "./chain-example.ts";
import type { ScorerWeights } from "./label-scores.ts";

/** A position of a sequence, with the weights for its scores. */
interface WeighedPosition {
  readonly prepared: PreparedSequence;
  readonly i: number;
  readonly weights: ScorerWeights;
}

/**
 * Fills the tables of the label k-grams of a sequence. The part that does not depend on the input is equal at
 * positions with the same candidates, so with complete lattices it is computed once for the first positions
 * and copied, or shared.
 */
export class GramTables {
  grams = new Float64Array(0);
  readonly #space: FeatureSpace;
  readonly #order: 2 | 3;
  readonly #forbidden: Uint8Array | undefined;
  /** The index of each label among the candidates of the three positions of a k-gram, -1 for other labels. */
  readonly #places: readonly [Int32Array, Int32Array, Int32Array];

  constructor(space: FeatureSpace, order: 2 | 3, forbidden: Uint8Array | undefined) {
    this.#space = space;
    this.#order = order;
    this.#forbidden = forbidden;
    const places = () => new Int32Array(space.labels + 1).fill(-1);
    this.#places = [places(), places(), places()];
  }

  /** Allocates `size` entries unless there are enough; returns whether the old entries are lost. */
  reserve(size: number): boolean {
    if (this.grams.length >= size) return false;
    this.grams = new Float64Array(2 * size);
    return true;
  }

  /**
   * Fills the part of the table of position i that does not depend on the input; with observed pairs, the
   * whole table.
   */
  fill(prepared: PreparedSequence, i: number, weights: ScorerWeights, at: number): void {
    const { start, labels } = prepared.lattice;
    const position = { prepared, i, weights };
    const grams = this.grams;
    const L = this.#space.labels;
    const forbidden = this.#forbidden;
    const count = start[i + 1] - start[i];
    const before = i > 0 ? start[i] - start[i - 1] : 1;
    const first = this.#order > 2 && i > 1 ? start[i - 1] - start[i - 2] : 1;
    let row = at;
    for (let p = 0; p < first; p++) {
      const a = i > 1 ? labels[start[i - 2] + p] : L;
      for (let m = 0; m < before; m++) {
        const b = i > 0 ? labels[start[i - 1] + m] : L;
        grams.fill(0, row, row + count);
        this.#addRow(position, 2, b * L, row);
        if (this.#order === 3) this.#addRow(position, 3, (a * (L + 1) + b) * L, row);
        if (forbidden !== undefined) {
          for (let c = 0; c < count; c++) {
            if (forbidden[b * L + labels[start[i] + c]] === 1) grams[row + c] = -Infinity;
          }
        }
        row += count;
      }
    }
  }

  /** Adds the weights of an arity with the k-grams of a row, which differ in their last label. */
  #addRow(
    { prepared, i, weights: { values, scale } }: WeighedPosition,
    arity: number,
    gram: number,
    row: number,
  ): void {
    const { features, lattice } = prepared;
    const { start: first, labels } = lattice;
    const grams = this.grams;
    const space = this.#space;
    const from = first[i];
    const count = first[i + 1] - from;
    if (!space.observed) {
      for (const base of space.constants(arity)) {
        for (let c = 0; c < count; c++) grams[row + c] += scale * values[base + gram + labels[from + c]];
      }
      return;
    }
    if (features[arity - 1] === undefined) return;
    const { start, slots } = features[arity - 1];
    for (let k = start[i]; k < start[i + 1]; k++) {
      for (let c = 0; c < count; c++) {
        const weight = space.weight(arity, slots[k], gram + labels[from + c]);
        if (weight >= 0) grams[row + c] += scale * values[weight];
      }
    }
  }

  /**
   * Adds the features of position i that depend on the input to its table. O(k-grams that they were seen
   * with).
   */
  addLines(prepared: PreparedSequence, i: number, weights: ScorerWeights, at: number): void {
    const { grams } = this;
    const { values, scale } = weights;
    this.eachLineEntry(prepared, i, at, (weight, entry) => {
      grams[entry] += scale * values[weight];
    });
  }

  /**
   * Calls `visit` with the weight and the table entry of each feature of position i that depends on the
   * input.
   */
  eachLineEntry(
    { lattice, features }: PreparedSequence,
    i: number,
    at: number,
    visit: (weight: number, entry: number) => void,
  ): void {
    const space = this.#space;
    const L = space.labels;
    const { start } = lattice;
    const [places, before, first] = this.#places;
    this.#enter(lattice, i, true);
    const count = start[i + 1] - start[i];
    const kept = i > 0 ? start[i] - start[i - 1] : 1;
    for (let arity = 2; arity <= features.length; arity++) {
      const { start: from, slots } = features[arity - 1];
      const { start: lineStart, grams, base } = space.lines(arity)!;
      for (let k = from[i]; k < from[i + 1]; k++) {
        const line = slots[k];
        for (let j = lineStart[line]; j < lineStart[line + 1]; j++) {
          const gram = grams[j];
          const y = gram % L;
          const history = (gram - y) / L;
          const b = history % (L + 1);
          const m = before[b];
          const c = places[y];
          if (m < 0 || c < 0) continue;
          if (arity === 2 && this.#order === 3) {
            // A bigram scores for any label before it.
            const outer = i > 1 ? start[i - 1] - start[i - 2] : 1;
            for (let p = 0; p < outer; p++) visit(base + j, at + (p * kept + m) * count + c);
            continue;
          }
          const p = arity === 2 ? 0 : first[(history - b) / (L + 1)];
          if (p >= 0) visit(base + j, at + (p * kept + m) * count + c);
        }
      }
    }
    this.#enter(lattice, i, false);
  }

  /** Writes the indices of the candidates of positions i, i - 1 and i - 2, or clears them. */
  #enter({ start, labels }: Lattice, i: number, isEntering: boolean): void {
    const L = this.#space.labels;
    for (let back = 0; back < 3; back++) {
      const places = this.#places[back as 0];
      const j = i - back;
      if (j < 0) {
        places[L] = isEntering ? 0 : -1;
        continue;
      }
      for (let c = start[j]; c < start[j + 1]; c++) places[labels[c]] = isEntering ? c - start[j] : -1;
    }
  }
}

/** Returns the offsets of the tables of a sequence when each position has its own. O(n). */
export function tableSizes(order: number, start: Int32Array, positions: number): number {
  let size = 0;
  for (let i = 0; i < positions; i++) size += tableSize(order, start, i);
  return size;
}
