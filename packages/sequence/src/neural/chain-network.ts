import { random } from "@arcwise/core";
import {
  type DenseShape,
  type DenseTrace,
  denseLayer,
  type EmbeddingShape,
  embeddingLayer,
  exponential,
  fillNormal,
  type Lookups,
  type Matrix,
  MatrixMemory,
  matrix,
  Parameters,
  padded,
} from "@arcwise/neural";
import { BeamSearch } from "../inference/beam.ts";
import { type ChainProblem, completeLattice, scoreLabelling } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import { Viterbi } from "../inference/viterbi.ts";
import type { BodyShape, BodyTrace, NetworkBody } from "./network-body.ts";
import {
  concatenatedBackward,
  concatenatedForward,
  EMBEDDING_DEVIATION,
  type NetworkShape,
  type NeuralNetwork,
  singleLookups,
  tablesOf,
} from "./neural-network.ts";

/** The input of the scores of pairs of adjacent labels: the labels alone, or the words as well. */
export type PairScores = "labels" | "words";

/** Result of a forward pass over a sentence. */
interface Trace {
  readonly lookups: Lookups;
  readonly body: BodyTrace;
  /** A row for each position: scores of labels, then of pairs of labels if these depend on the words. */
  readonly scores: DenseTrace;
}

/** The parts of a network whose labels form a chain. */
export interface ChainNetworkShape extends NetworkShape {
  readonly body: BodyShape;
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
export class ChainNetwork implements NeuralNetwork {
  readonly parameters: Parameters;
  readonly embeddings: EmbeddingShape;
  readonly #shape: ChainNetworkShape;
  readonly #tables: readonly number[];
  readonly #body: NetworkBody;
  readonly #scores: DenseShape;
  /** Scores of pairs of labels, L² of them, then the scores of the first label. */
  readonly #transitions: Matrix;
  readonly #sums = new ForwardBackward(halvedExponential);
  readonly #search: Viterbi | BeamSearch;

  /** @throws RangeError when widths are not multiples of 4, or the beam is not an integer >= 1 or undefined */
  constructor(shape: ChainNetworkShape, learning: boolean) {
    const { sizes, labels, embedding, body, pairs, beam } = shape;
    this.#search = beam === undefined ? new Viterbi() : new BeamSearch(beam);
    const { tables, entries } = tablesOf(sizes);
    const outputs = padded(pairs === "words" ? labels + labels * labels : labels);
    this.#shape = shape;
    this.#tables = tables;
    const embeddingLength = embeddingLayer.size(entries, embedding);
    const scoresLength = denseLayer.size(body.outputs, outputs);
    const size = embeddingLength + body.size + scoresLength + padded((labels + 1) * labels);
    this.parameters = new Parameters(new MatrixMemory(), size, learning);
    let at = this.parameters.first;
    this.embeddings = embeddingLayer.at(at, entries, embedding);
    at += embeddingLength;
    this.#body = body.at(at);
    at += body.size;
    this.#scores = denseLayer.at(at, body.outputs, outputs, "none");
    this.#transitions = matrix(at + scoresLength, labels);
  }

  initialize(seed: number): void {
    const { values } = this.parameters.memory;
    const stream = random(seed);
    const { table, entries, units } = this.embeddings;
    fillNormal(values, table, entries * units, EMBEDDING_DEVIATION, stream);
    this.#body.initialize(values, stream);
    denseLayer.initialize(values, this.#scores, stream);
  }

  lookups(rows: Int32Array): Lookups {
    return singleLookups(rows.map((row, k) => this.#tables[k % this.#tables.length] + row));
  }

  loss(rows: Int32Array, gold: Int32Array): number {
    const { memory } = this.parameters;
    const { values } = memory;
    const { labels: L } = this.#shape;
    const n = gold.length;
    const mark = memory.mark;
    const trace = this.#forward(rows, n);
    const problem = this.#problem(trace, n);
    const { logPartition, marginals, grams } = this.#sums.sum(problem);
    const gradients = memory.matrix(n, trace.scores.outputs.row);
    for (let i = 0; i < n; i++) {
      const row = gradients.at + i * gradients.row;
      for (let y = 0; y < L; y++) values[row + y] = marginals[i * L + y] - (y === gold[i] ? 1 : 0);
    }
    this.#addPairGradients(problem, gold, grams, gradients);
    this.#backward(trace, gradients, n);
    memory.release(mark);
    return logPartition - scoreLabelling(problem, gold);
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
    this.#search.decodeInto(this.#problem(this.#forward(rows, n), n), labels);
    memory.release(mark);
    return labels;
  }

  /**
   * Makes the chain problem of a sentence: one table of pairs of labels, or one for each position but the first
   * if they depend on the words, then one for the beginning.
   */
  #problem({ scores: { outputs } }: Trace, n: number): ChainProblem {
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

  #forward(rows: Int32Array, n: number): Trace {
    const { memory } = this.parameters;
    const lookups = this.lookups(rows);
    const size = { rows: n, columns: this.#tables.length * this.embeddings.units };
    const body = this.#body.forward(memory, concatenatedForward(memory, this.embeddings, lookups, size), n);
    return { lookups, body, scores: denseLayer.forward(memory, this.#scores, body.outputs, n) };
  }

  #backward({ lookups, body, scores }: Trace, outputs: Matrix, n: number): void {
    const { memory, gradient: parameters } = this.parameters;
    const inputs = memory.matrix(n, this.#scores.inputs);
    denseLayer.backward(memory, this.#scores, scores, { outputs, inputs, parameters });
    concatenatedBackward(this.parameters, this.embeddings, lookups, body.backward(inputs, parameters));
  }
}

/** Returns e^x for x from -128 to 0: `exponential` alone is 0 below -64. */
function halvedExponential(x: number): number {
  const root = exponential(x / 2);
  return root * root;
}
