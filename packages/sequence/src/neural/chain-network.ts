import { type BatchLoss, exponential, type Matrix, matrix, padded } from "@arcwise/neural";
import { BeamSearch } from "../inference/beam.ts";
import { type ChainProblem, completeLattice, scoreLabelling } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import { Viterbi } from "../inference/viterbi.ts";
import { LabelNetwork, type NetworkShape } from "./label-network.ts";
import { dense, type LayerFactory } from "./layers.ts";

/** The input of the scores of pairs of adjacent labels: the labels alone, or the words as well. */
export type PairScores = "labels" | "words";

/** The parts of a network whose labels form a chain. */
export interface ChainNetworkShape extends NetworkShape {
  /** The layers before the scores, and the length of a row of the last one. */
  readonly layers: readonly LayerFactory[];
  readonly hidden: number;
  readonly pairs: PairScores;
  /** Hypotheses of the search; undefined: exact search. */
  readonly beam?: number | undefined;
}

/**
 * A factored scorer (Collobert et al. 2011, section 3.3): a network computes hidden units h of each position
 * from embeddings, a layer scores the labels of the position from h, and a parameter scores each pair of
 * adjacent labels, so that inference works on chains of order 2. With pair scores that depend on the words,
 * w_{y',y} . h is added to that parameter, where w_{y',y} is a vector for each pair of labels. Trained by the
 * conditional log-likelihood of whole labellings.
 *
 * O(n (weights + L²)) per sentence; with pair scores of words the weights include |h| L².
 */
export class ChainNetwork extends LabelNetwork {
  readonly #shape: ChainNetworkShape;
  /** Scores of pairs of labels, L² of them, then the scores of the first label. */
  readonly #transitions: Matrix;
  readonly #sums = new ForwardBackward(halvedExponential);
  readonly #search: Viterbi | BeamSearch;

  constructor(shape: ChainNetworkShape, learning: boolean) {
    const { sizes, labels, embedding, layers, hidden, pairs, beam } = shape;
    // A row for each position: scores of labels, then of pairs of labels if these depend on the words.
    const scores = dense(hidden, padded(pairs === "words" ? labels + labels * labels : labels), "none");
    const transitions = padded((labels + 1) * labels);
    super(sizes, embedding, [...layers, scores], transitions, learning);
    const { first, size } = this.parameters;
    this.#shape = shape;
    this.#transitions = matrix(first + size - transitions, labels);
    this.#search = beam === undefined ? new Viterbi() : new BeamSearch(beam);
  }

  learn(rows: Int32Array, gold: Int32Array): BatchLoss {
    const { memory } = this.parameters;
    const { labels: L } = this.#shape;
    const n = gold.length;
    const mark = memory.mark;
    const entries = this.entriesOf(rows);
    const { outputs, backward } = this.forward(entries);
    const problem = this.#problem(outputs, n);
    const { logPartition, marginals, grams } = this.#sums.sum(problem);
    const gradients = memory.matrix(n, outputs.row);
    const { values } = memory;
    for (let i = 0; i < n; i++) {
      const row = gradients.at + i * gradients.row;
      for (let y = 0; y < L; y++) values[row + y] = marginals[i * L + y] - (y === gold[i] ? 1 : 0);
    }
    this.#addPairGradients(problem, gold, grams, gradients);
    backward(gradients);
    memory.release(mark);
    return { loss: logPartition - scoreLabelling(problem, gold), count: 1, rows: entries };
  }

  /** Adds expected counts of pairs minus the counts of the gold labels. */
  #addPairGradients({ table }: ChainProblem, gold: Int32Array, expected: Float64Array, scores: Matrix): void {
    const { memory, gradient } = this.parameters;
    const { values } = memory;
    const { labels: L, pairs } = this.#shape;
    const n = gold.length;
    const begin = table[0];
    const counts = expected.slice(0, begin + L);
    // The counts of pairs are not computed for a sentence of one word.
    if (n === 1) counts.fill(0, 0, begin);
    for (let i = 0; i < n; i++) counts[table[i] + (i > 0 ? gold[i - 1] * L : 0) + gold[i]] -= 1;
    const first = this.#transitions.at + gradient;
    for (let k = 0; k < begin; k++) values[first + (k % (L * L))] += counts[k];
    for (let y = 0; y < L; y++) values[first + L * L + y] += counts[begin + y];
    if (pairs === "labels") return;
    for (let i = 1; i < n; i++) {
      values.set(counts.subarray(table[i], table[i] + L * L), scores.at + i * scores.row + L);
    }
  }

  decode(rows: Int32Array): Int32Array {
    const { memory } = this.parameters;
    const n = rows.length / this.#shape.sizes.length;
    const labels = new Int32Array(n);
    if (n === 0) return labels;
    const mark = memory.mark;
    const { outputs } = this.forward(this.entriesOf(rows));
    this.#search.decodeInto(this.#problem(outputs, n), labels);
    memory.release(mark);
    return labels;
  }

  /**
   * Makes the chain problem of a sentence: one table of pairs of labels, or one for each position but the first
   * if they depend on the words, then one for the beginning.
   */
  #problem(outputs: Matrix, n: number): ChainProblem {
    const { values } = this.parameters.memory;
    const { labels: L, pairs } = this.#shape;
    const scores = new Float64Array(n * L);
    for (let i = 0; i < n; i++) {
      const row = outputs.at + i * outputs.row;
      for (let y = 0; y < L; y++) scores[i * L + y] = values[row + y];
    }
    const own = pairs === "words";
    const tables = own ? n - 1 : 1;
    const begin = tables * L * L;
    const first = this.#transitions.at;
    const grams = new Float64Array(begin + L);
    for (let t = 0; t < tables; t++) {
      const row = outputs.at + (t + 1) * outputs.row + L;
      for (let k = 0; k < L * L; k++) grams[t * L * L + k] = values[first + k] + (own ? values[row + k] : 0);
    }
    grams.set(values.subarray(first + L * L, first + L * L + L), begin);
    const table = Int32Array.from({ length: n }, (_, i) => (i === 0 ? begin : own ? (i - 1) * L * L : 0));
    return { order: 2, lattice: completeLattice(n, L), scores, grams, table };
  }
}

/** Returns e^x for x from -128 to 0: `exponential` alone is 0 below -64. */
function halvedExponential(x: number): number {
  const root = exponential(x / 2);
  return root * root;
}
