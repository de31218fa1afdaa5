import type { Random } from "@arcwise/core";
import { log } from "@arcwise/core/arithmetic";
import { sigmoid } from "../functions.ts";

/** Entries of the table of negative samples. */
const SAMPLES = 2 ** 20;
/** Sigmoids are read from a table of this many steps, from -EDGE to EDGE. */
const STEPS = 1024;
const EDGE = 8;

/**
 * The output layer of word vectors: logistic regressions that tell the words of a context from words drawn at
 * random, in proportion to the square roots of their counts (Mikolov et al. 2013).
 */
export class NegativeSampling {
  /** Sum of the losses of all steps, in nats, and their number. */
  loss = 0;
  steps = 0;
  /**
   * The input of the steps, the mean of some rows, and what the steps add to each of these rows, and so to
   * their mean: `dimension` entries.
   */
  readonly hidden: Float32Array;
  readonly change: Float32Array;
  /** The changes that one step adds. */
  readonly #gradient: Float32Array;
  readonly #output: Float32Array;
  readonly #samples: Int32Array;
  readonly #sigmoids = Float64Array.from({ length: STEPS + 1 }, (_, k) => sigmoid(midpoint(k)));
  readonly #losses = Float64Array.from({ length: STEPS + 1 }, (_, k) => -log(sigmoid(midpoint(k))));
  readonly #negatives: number;
  readonly #rng: Random;

  constructor(counts: Float64Array, dimension: number, negatives: number, rng: Random) {
    this.hidden = new Float32Array(dimension);
    this.change = new Float32Array(dimension);
    this.#gradient = new Float32Array(dimension);
    this.#output = new Float32Array(counts.length * dimension);
    this.#samples = sampleTable(counts);
    this.#negatives = negatives;
    this.#rng = rng;
  }

  /** Learns that a word follows from `hidden` and that random words do not; moves `hidden`. */
  step(word: number, rate: number): void {
    const { hidden, change } = this;
    const gradient = this.#gradient;
    gradient.fill(0);
    this.loss += this.#learn(word, 1, rate);
    for (let k = 0; k < this.#negatives; k++) {
      const other = this.#samples[this.#rng.uint32() & (SAMPLES - 1)];
      if (other !== word) this.loss += this.#learn(other, 0, rate);
    }
    this.steps++;
    for (let d = 0; d < hidden.length; d++) {
      hidden[d] += gradient[d];
      change[d] += gradient[d];
    }
  }

  #learn(word: number, label: 0 | 1, rate: number): number {
    const output = this.#output;
    const { hidden } = this;
    const gradient = this.#gradient;
    const { length } = hidden;
    const from = word * length;
    // Four sums, which the processor adds at a time.
    let [a, b, c, d] = [0, 0, 0, 0];
    let k = 0;
    for (; k + 3 < length; k += 4) {
      a += hidden[k] * output[from + k];
      b += hidden[k + 1] * output[from + k + 1];
      c += hidden[k + 2] * output[from + k + 2];
      d += hidden[k + 3] * output[from + k + 3];
    }
    for (; k < length; k++) a += hidden[k] * output[from + k];
    const score = a + b + c + d;
    const step = rate * (label - this.#sigmoids[stepOf(score)]);
    for (let j = 0; j < length; j++) {
      const weight = output[from + j];
      gradient[j] += step * weight;
      output[from + j] = weight + step * hidden[j];
    }
    return this.#losses[stepOf(label === 1 ? score : -score)];
  }
}

function midpoint(step: number): number {
  return (2 * EDGE * step) / STEPS - EDGE;
}

function stepOf(score: number): number {
  if (score >= EDGE) return STEPS;
  return score > -EDGE ? Math.round(((score + EDGE) * STEPS) / (2 * EDGE)) : 0;
}

/** Returns words as often as their share of the sum of square roots. */
function sampleTable(counts: Float64Array): Int32Array {
  const sum = counts.reduce((all, count) => all + Math.sqrt(count), 0);
  const samples = new Int32Array(SAMPLES);
  let word = 0;
  let end = Math.sqrt(counts[0]) / sum;
  for (let k = 0; k < SAMPLES; k++) {
    while (word < counts.length - 1 && (k + 0.5) / SAMPLES > end) end += Math.sqrt(counts[++word]) / sum;
    samples[k] = word;
  }
  return samples;
}
