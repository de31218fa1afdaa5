import { random } from "@arcwise/core";
import {
  type DenseShape,
  type DenseTrace,
  denseAt,
  denseBackward,
  denseForward,
  denseSize,
  type EmbeddingShape,
  embeddingAt,
  embeddingSize,
  exponential,
  fillNormal,
  initializeDense,
  type Lookups,
  type Matrix,
  MatrixMemory,
  matrix,
  Parameters,
  padded,
} from "@arcwise/neural";
import { BeamSearch } from "../inference/beam.ts";
import { type ChainProblem, completeLattice } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import { Viterbi } from "../inference/viterbi.ts";
import {
  concatenatedBackward,
  concatenatedForward,
  EMBEDDING_DEVIATION,
  type NetworkShape,
  type NeuralNetwork,
  singleLookups,
  tablesOf,
} from "./neural-network.ts";

/** Result of a forward pass over a sentence. */
interface Trace {
  readonly lookups: Lookups;
  /** One row per position. */
  readonly words: Matrix;
  readonly layers: readonly DenseTrace[];
}

/**
 * A factored feed-forward scorer (Collobert et al. 2011, section 3.3): a network of one or two hidden layers
 * scores the labels of a position from embeddings of the words around it, and a parameter scores each pair of
 * adjacent labels, so that inference works on chains of order 2. Trained by the conditional log-likelihood
 * of whole labellings.
 *
 * O(n (weights + L²)) per sentence.
 */
export class FeedForward implements NeuralNetwork {
  readonly parameters: Parameters;
  readonly embeddings: EmbeddingShape;
  readonly #shape: NetworkShape;
  readonly #tables: readonly number[];
  readonly #layers: readonly DenseShape[];
  /** Scores of pairs of labels, L² of them, then the scores of the first label. */
  readonly #transitions: Matrix;
  readonly #sums = new ForwardBackward(halvedExponential);
  readonly #search: Viterbi | BeamSearch;

  /**
   * @throws RangeError unless there are one or two hidden layers, all widths are multiples of 4, and the beam
   *   is an integer >= 1 or undefined: exact search
   */
  constructor(
    shape: NetworkShape & { readonly hidden: readonly number[]; readonly beam?: number | undefined },
    learning: boolean,
  ) {
    const { sizes, labels, embedding, hidden, beam } = shape;
    this.#search = beam === undefined ? new Viterbi() : new BeamSearch(beam);
    if (hidden.length < 1 || hidden.length > 2) {
      throw new RangeError(`expected one or two hidden layers, got ${hidden.length}`);
    }
    const { tables, entries } = tablesOf(sizes);
    const widths = [sizes.length * embedding, ...hidden, padded(labels)];
    const layerSizes = widths.slice(1).map((outputs, k) => denseSize(widths[k]!, outputs));
    const layerLength = layerSizes.reduce((sum, size) => sum + size, 0);
    this.#shape = shape;
    this.#tables = tables;
    const embeddingLength = embeddingSize(entries, embedding);
    const size = embeddingLength + layerLength + padded((labels + 1) * labels);
    this.parameters = new Parameters(new MatrixMemory(), size, learning);
    let at = this.parameters.first;
    this.embeddings = embeddingAt(at, entries, embedding);
    at += embeddingLength;
    this.#layers = layerSizes.map((layerSize, k) => {
      const activation = k < hidden.length ? "tanh" : "none";
      at += layerSize;
      return denseAt(at - layerSize, widths[k]!, widths[k + 1]!, activation);
    });
    this.#transitions = matrix(at, labels);
  }

  initialize(seed: number): void {
    const { values } = this.parameters.memory;
    const stream = random(seed);
    const { table, entries, units } = this.embeddings;
    fillNormal(values, table, entries * units, EMBEDDING_DEVIATION, stream);
    for (const layer of this.#layers) initializeDense(values, layer, stream);
  }

  lookups(rows: Int32Array): Lookups {
    return singleLookups(rows.map((row, k) => this.#tables[k % this.#tables.length]! + row));
  }

  loss(rows: Int32Array, gold: Int32Array): number {
    const { memory } = this.parameters;
    const { labels: L } = this.#shape;
    const n = gold.length;
    const mark = memory.mark;
    const trace = this.#forward(rows, n);
    const problem = this.#problem(trace, n);
    const { logPartition, marginals, grams } = this.#sums.sum(problem);
    const { outputs } = trace.layers.at(-1)!;
    const gradients = memory.matrix(n, outputs.row);
    const { values } = memory;
    for (let i = 0; i < n; i++) {
      const row = gradients.at + i * gradients.row;
      for (let y = 0; y < L; y++) values[row + y] = marginals[i * L + y]! - (y === gold[i] ? 1 : 0);
    }
    const goldScore = this.#addTransitionGradients(problem, gold, grams);
    this.#backward(trace, gradients, n);
    memory.release(mark);
    return logPartition - goldScore;
  }

  /** Adds expected counts minus the counts of the gold labels; returns the score of the gold labelling. */
  #addTransitionGradients({ scores, grams: table }: ChainProblem, gold: Int32Array, grams: Float64Array) {
    const { memory, gradient } = this.parameters;
    const { labels: L } = this.#shape;
    const first = this.#transitions.at + gradient;
    let score = 0;
    for (let i = 0; i < gold.length; i++) {
      const gram = (i > 0 ? gold[i - 1]! : L) * L + gold[i]!;
      score += scores[i * L + gold[i]!]! + table[gram]!;
      memory.values[first + gram]! -= 1;
    }
    // A sentence of one word has no pairs: their counts are not computed.
    for (let k = gold.length > 1 ? 0 : L * L; k < (L + 1) * L; k++) memory.values[first + k]! += grams[k]!;
    return score;
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

  /** Makes the chain problem of a sentence: one table of pairs of labels, and one for the beginning. */
  #problem({ layers }: Trace, n: number): ChainProblem {
    const { values } = this.parameters.memory;
    const { labels: L } = this.#shape;
    const { outputs } = layers.at(-1)!;
    const scores = new Float64Array(n * L);
    for (let i = 0; i < n; i++) {
      const row = outputs.at + i * outputs.row;
      for (let y = 0; y < L; y++) scores[i * L + y] = values[row + y]!;
    }
    const first = this.#transitions.at;
    const grams = Float64Array.from(values.subarray(first, first + (L + 1) * L));
    const table = Int32Array.from({ length: n }, (_, i) => (i === 0 ? L * L : 0));
    return { order: 2, lattice: completeLattice(n, L), scores, grams, table };
  }

  #forward(rows: Int32Array, n: number): Trace {
    const { memory } = this.parameters;
    const lookups = this.lookups(rows);
    const size = { rows: n, columns: this.#layers[0]!.inputs };
    const words = concatenatedForward(memory, this.embeddings, lookups, size);
    const layers: DenseTrace[] = [];
    for (const layer of this.#layers) {
      layers.push(denseForward(memory, layer, layers.at(-1)?.outputs ?? words, n));
    }
    return { lookups, words, layers };
  }

  #backward({ lookups, layers }: Trace, scoreGradients: Matrix, n: number): void {
    const { memory, gradient: parameters } = this.parameters;
    let outputs = scoreGradients;
    for (let k = layers.length - 1; k >= 0; k--) {
      const inputs = memory.matrix(n, this.#layers[k]!.inputs);
      denseBackward(memory, this.#layers[k]!, layers[k]!, { outputs, inputs, parameters });
      outputs = inputs;
    }
    concatenatedBackward(this.parameters, this.embeddings, lookups, outputs);
  }
}

/** Returns e^x for x from -128 to 0: `exponential` alone is 0 below -64. */
function halvedExponential(x: number): number {
  const root = exponential(x / 2);
  return root * root;
}
