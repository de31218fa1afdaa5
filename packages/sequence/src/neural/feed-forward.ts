import { type ChainProblem, completeLattice } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import { Viterbi } from "../inference/viterbi.ts";
import {
  affine,
  affineBackward,
  initialise,
  initialiseEmbeddings,
  type Layer,
  layerSize,
  squash,
  squashBackward,
} from "./layers.ts";
import type { NeuralNetwork } from "./neural-training.ts";

export interface NetworkShape {
  /** Entries of the vocabulary of each template. */
  readonly sizes: readonly number[];
  readonly labels: number;
  /** Numbers that stand for an entry of a vocabulary. */
  readonly embedding: number;
}

/**
 * A factored feed-forward scorer: the score of a label at a position is what a network of one or two hidden layers of
 * tangents makes of embeddings of the words around it (Collobert et al. 2011, section 3.3), that of two labels in a row
 * is a parameter; so inference is that of chains of order 2. Learned by the conditional log-likelihood of whole
 * labellings, with back-propagation from the marginals.
 *
 * O(n (weights + L²)) a sentence.
 */
export class FeedForward implements NeuralNetwork {
  readonly size: number;
  readonly embeddings: number;
  readonly #shape: NetworkShape;
  readonly embedding: number;
  readonly tables: readonly number[];
  readonly #layers: readonly Layer[];
  readonly #transitions: number;
  readonly #sums = new ForwardBackward();
  readonly #viterbi = new Viterbi();
  /** Values of all layers, those of position i at `i * width`, and their slopes. */
  #values = new Float64Array(0);
  #slopes = new Float64Array(0);
  readonly #width: number;

  /** @throws RangeError unless there are one or two hidden layers */
  constructor(shape: NetworkShape & { readonly hidden: readonly number[] }) {
    const { sizes, labels, embedding, hidden } = shape;
    if (hidden.length < 1 || hidden.length > 2) {
      throw new RangeError(`expected one or two hidden layers, got ${hidden.length}`);
    }
    this.#shape = shape;
    this.embedding = embedding;
    let at = 0;
    this.tables = sizes.map((size) => {
      const table = at;
      at += size * embedding;
      return table;
    });
    this.embeddings = at;
    const widths = [sizes.length * embedding, ...hidden, labels];
    this.#layers = widths.slice(1).map((outputs, k) => {
      const layer = { at, inputs: widths[k]!, outputs };
      at += layerSize(layer);
      return layer;
    });
    this.#transitions = at;
    this.size = at + (labels + 1) * labels;
    this.#width = widths.reduce((sum, width) => sum + width, 0);
  }

  initial(seed: number): Float64Array {
    const parameters = new Float64Array(this.size);
    initialiseEmbeddings(parameters, 0, this.embeddings, seed);
    initialise(parameters, this.#layers, seed + 1);
    return parameters;
  }

  loss(parameters: Float64Array, rows: Int32Array, gold: Int32Array, gradient: Float64Array): number {
    const n = gold.length;
    const { labels: L } = this.#shape;
    const problem = this.#score(parameters, rows, n);
    const { logPartition, marginals, grams } = this.#sums.sum(problem);
    this.#slopes.fill(0, 0, n * this.#width);
    let goldScore = 0;
    for (let i = 0; i < n; i++) {
      const output = (i + 1) * this.#width - L;
      for (let y = 0; y < L; y++) this.#slopes[output + y] = marginals[i * L + y]! - (y === gold[i] ? 1 : 0);
      const gram = (i > 0 ? gold[i - 1]! : L) * L + gold[i]!;
      goldScore += problem.scores[i * L + gold[i]!]! + parameters[this.#transitions + gram]!;
      gradient[this.#transitions + gram]! -= 1;
      this.#backward(parameters, rows, i, gradient);
    }
    for (let k = 0; k < (L + 1) * L; k++) {
      if (k < L * L ? n > 1 : true) gradient[this.#transitions + k]! += grams[k]!;
    }
    return logPartition - goldScore;
  }

  decode(parameters: Float64Array, rows: Int32Array): Int32Array {
    const n = rows.length / this.#shape.sizes.length;
    const labels = new Int32Array(n);
    if (n > 0) this.#viterbi.decodeInto(this.#score(parameters, rows, n), labels);
    return labels;
  }

  /** The chain of a sentence. Tables are the parameters of transitions: L² between labels, then L at the beginning. */
  #score(parameters: Float64Array, rows: Int32Array, n: number): ChainProblem {
    const { labels: L } = this.#shape;
    if (this.#values.length < n * this.#width) {
      this.#values = new Float64Array(2 * n * this.#width);
      this.#slopes = new Float64Array(2 * n * this.#width);
    }
    const scores = new Float64Array(n * L);
    for (let i = 0; i < n; i++) {
      this.#forward(parameters, rows, i);
      const output = (i + 1) * this.#width - L;
      for (let y = 0; y < L; y++) scores[i * L + y] = this.#values[output + y]!;
    }
    const grams = parameters.slice(this.#transitions);
    const table = Int32Array.from({ length: n }, (_, i) => (i === 0 ? L * L : 0));
    return { order: 2, lattice: completeLattice(n, L), scores, grams, table };
  }

  #forward(parameters: Float64Array, rows: Int32Array, i: number): void {
    const { sizes, embedding } = this.#shape;
    const values = this.#values;
    let at = i * this.#width;
    for (let t = 0; t < sizes.length; t++) {
      const from = this.tables[t]! + rows[i * sizes.length + t]! * embedding;
      for (let k = 0; k < embedding; k++) values[at + t * embedding + k] = parameters[from + k]!;
    }
    for (const [k, layer] of this.#layers.entries()) {
      affine(parameters, layer, values, at, values, at + layer.inputs);
      at += layer.inputs;
      if (k < this.#layers.length - 1) squash(values, at, layer.outputs);
    }
  }

  #backward(parameters: Float64Array, rows: Int32Array, i: number, gradient: Float64Array): void {
    const { sizes, embedding } = this.#shape;
    const values = this.#values;
    const slopes = this.#slopes;
    let at = (i + 1) * this.#width;
    for (let k = this.#layers.length - 1; k >= 0; k--) {
      const layer = this.#layers[k]!;
      const output = at - layer.outputs;
      if (k < this.#layers.length - 1) squashBackward(values, slopes, output, layer.outputs);
      const input = output - layer.inputs;
      affineBackward(parameters, layer, values, input, slopes, output, gradient, slopes, input);
      at = output;
    }
    for (let t = 0; t < sizes.length; t++) {
      const into = this.tables[t]! + rows[i * sizes.length + t]! * embedding;
      for (let k = 0; k < embedding; k++) gradient[into + k]! += slopes[i * this.#width + t * embedding + k]!;
    }
  }
}
