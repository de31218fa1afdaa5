import type { SentenceLabels } from "../sentence-labels.ts";
import type { NetworkReading } from "./network-scorer.ts";

/**
 * The labels of the arcs of a sentence by a network alone: log-probabilities given the arc. The score of an arc is the
 * log-probability of the head. Rows of arcs are remembered.
 */
export class NetworkLabels implements SentenceLabels {
  readonly summed = true;
  readonly #reading: NetworkReading;
  readonly #all: Int32Array;
  readonly #rows = new Map<number, Float64Array>();

  /** @param all the labels of the model, by index */
  constructor(reading: NetworkReading, all: Int32Array) {
    this.#reading = reading;
    this.#all = all;
  }

  usual(): Int32Array {
    return this.#all;
  }

  scoreLabels(h: number, m: number, labels: Int32Array, scores: Float64Array): number {
    const row = this.row(h, m);
    for (let l = 0; l < labels.length; l++) scores[l] = row[labels[l]];
    return this.#reading.logProbability(h, m);
  }

  prepare(heads: Int32Array, words: readonly number[]): void {
    const missing = words.filter((m) => !this.#rows.has(this.#key(heads[m], m)));
    if (missing.length === 0) return;
    const arcs = missing.map((m) => ({ first: heads[m], second: m }));
    for (const [k, row] of this.#reading.labelLogProbabilities(arcs).entries())
      this.#rows.set(this.#key(heads[missing[k]], missing[k]), row);
  }

  /** Returns the log-probability of each label of an arc. */
  row(h: number, m: number): Float64Array {
    const known = this.#rows.get(this.#key(h, m));
    if (known !== undefined) return known;
    const [row] = this.#reading.labelLogProbabilities([{ first: h, second: m }]);
    this.#rows.set(this.#key(h, m), row!);
    return row!;
  }

  #key(h: number, m: number): number {
    return m * this.#reading.length + h;
  }
}
