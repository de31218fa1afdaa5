import { logSumRange } from "../inference/log-sums.ts";
import type { NetworkShape } from "./feed-forward.ts";
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

/**
 * A recurrent scorer (Elman 1990): its state after a position is a tangent of embeddings of the words there, of the
 * label before and of the state before, and gives each label a probability. What it knows of earlier labels has no
 * bound, so that there is no exact search: labels are chosen greedily, or by a beam. Learned by the log-likelihood of
 * gold labels after gold labels, with back-propagation through time.
 *
 * O(n weights) a sentence; decoding O(n width weights).
 */
export class Recurrent implements NeuralNetwork {
  readonly size: number;
  readonly embeddings: number;
  readonly #shape: NetworkShape;
  readonly #hidden: number;
  readonly embedding: number;
  readonly tables: readonly number[];
  readonly #labelTable: number;
  readonly #state: Layer;
  readonly #output: Layer;
  readonly #beam: number;
  /** For each position what goes into its state: embeddings, then the state before; its state; scores of labels. */
  #values = new Float64Array(0);
  #slopes = new Float64Array(0);
  readonly #width: number;

  /** @throws RangeError when the beam is no integer >= 1 */
  constructor(shape: NetworkShape & { readonly hidden: number; readonly beam?: number }) {
    const { sizes, labels, embedding, hidden, beam = 1 } = shape;
    if (!Number.isInteger(beam) || beam < 1)
      throw new RangeError(`beam must be an integer >= 1, got ${beam}`);
    this.#shape = shape;
    this.embedding = embedding;
    this.#hidden = hidden;
    this.#beam = beam;
    let at = 0;
    this.tables = sizes.map((size) => {
      const table = at;
      at += size * embedding;
      return table;
    });
    this.embeddings = at;
    this.#labelTable = at;
    at += (labels + 1) * embedding;
    this.#state = { at, inputs: (sizes.length + 1) * embedding + hidden, outputs: hidden };
    at += layerSize(this.#state);
    this.#output = { at, inputs: hidden, outputs: labels };
    this.size = at + layerSize(this.#output);
    this.#width = this.#state.inputs + hidden + labels;
  }

  initial(seed: number): Float64Array {
    const parameters = new Float64Array(this.size);
    initialiseEmbeddings(parameters, 0, this.#state.at, seed);
    initialise(parameters, [this.#state, this.#output], seed + 1);
    return parameters;
  }

  loss(parameters: Float64Array, rows: Int32Array, gold: Int32Array, gradient: Float64Array): number {
    const n = gold.length;
    const { labels: L } = this.#shape;
    this.#reserve(n);
    const slopes = this.#slopes;
    slopes.fill(0, 0, n * this.#width);
    let loss = 0;
    for (let i = 0; i < n; i++) {
      const at = i * this.#width;
      const before = i === 0 ? -1 : at - this.#width + this.#state.inputs;
      this.#step(parameters, rows, i, i > 0 ? gold[i - 1]! : L, at, this.#values, before);
      const scores = at + this.#state.inputs + this.#hidden;
      const sum = logSumRange(this.#values, scores, scores + L, 1);
      loss += sum - this.#values[scores + gold[i]!]!;
      for (let y = 0; y < L; y++) {
        slopes[scores + y] = Math.exp(this.#values[scores + y]! - sum) - (y === gold[i] ? 1 : 0);
      }
    }
    for (let i = n - 1; i >= 0; i--) this.#backward(parameters, rows, i, i > 0 ? gold[i - 1]! : L, gradient);
    return loss;
  }

  #reserve(positions: number): void {
    if (this.#values.length >= positions * this.#width) return;
    this.#values = new Float64Array(2 * positions * this.#width);
    this.#slopes = new Float64Array(2 * positions * this.#width);
  }

  /** Goes on to position i after a label, from the state at `before` of the values (-1: none), to values at `at`. */
  #step(
    parameters: Float64Array,
    rows: Int32Array,
    i: number,
    label: number,
    at: number,
    from: Float64Array,
    before: number,
  ): void {
    const { sizes, embedding } = this.#shape;
    const values = this.#values;
    for (let t = 0; t <= sizes.length; t++) {
      const entry = t < sizes.length ? rows[i * sizes.length + t]! : label;
      const table = (t < sizes.length ? this.tables[t]! : this.#labelTable) + entry * embedding;
      for (let k = 0; k < embedding; k++) values[at + t * embedding + k] = parameters[table + k]!;
    }
    const state = at + (sizes.length + 1) * embedding;
    for (let k = 0; k < this.#hidden; k++) values[state + k] = before < 0 ? 0 : from[before + k]!;
    const hidden = at + this.#state.inputs;
    affine(parameters, this.#state, values, at, values, hidden);
    squash(values, hidden, this.#hidden);
    affine(parameters, this.#output, values, hidden, values, hidden + this.#hidden);
  }

  #backward(
    parameters: Float64Array,
    rows: Int32Array,
    i: number,
    label: number,
    gradient: Float64Array,
  ): void {
    const { sizes, embedding } = this.#shape;
    const values = this.#values;
    const slopes = this.#slopes;
    const at = i * this.#width;
    const hidden = at + this.#state.inputs;
    const scores = hidden + this.#hidden;
    affineBackward(parameters, this.#output, values, hidden, slopes, scores, gradient, slopes, hidden);
    squashBackward(values, slopes, hidden, this.#hidden);
    affineBackward(parameters, this.#state, values, at, slopes, hidden, gradient, slopes, at);
    for (let t = 0; t <= sizes.length; t++) {
      const entry = t < sizes.length ? rows[i * sizes.length + t]! : label;
      const table = (t < sizes.length ? this.tables[t]! : this.#labelTable) + entry * embedding;
      for (let k = 0; k < embedding; k++) gradient[table + k]! += slopes[at + t * embedding + k]!;
    }
    if (i === 0) return;
    const state = at + (sizes.length + 1) * embedding;
    const earlier = at - this.#width + this.#state.inputs;
    for (let k = 0; k < this.#hidden; k++) slopes[earlier + k]! += slopes[state + k]!;
  }

  decode(parameters: Float64Array, rows: Int32Array): Int32Array {
    const { sizes, labels: L } = this.#shape;
    const n = rows.length / sizes.length;
    this.#reserve(1);
    let beam: Hypothesis[] = [{ score: 0, label: L, state: undefined, before: undefined }];
    for (let i = 0; i < n; i++) {
      const next: Hypothesis[] = [];
      for (const one of beam) {
        this.#step(parameters, rows, i, one.label, 0, one.state ?? this.#values, one.state ? 0 : -1);
        const hidden = this.#state.inputs;
        const scores = hidden + this.#hidden;
        const state = this.#values.slice(hidden, scores);
        const sum = logSumRange(this.#values, scores, scores + L, 1);
        for (let y = 0; y < L; y++) {
          next.push({ score: one.score + this.#values[scores + y]! - sum, label: y, state, before: one });
        }
      }
      next.sort((a, b) => b.score - a.score);
      beam = next.slice(0, this.#beam);
    }
    const found = new Int32Array(n);
    let at: Hypothesis | undefined = beam[0];
    for (let i = n - 1; i >= 0; i--, at = at!.before) found[i] = at!.label;
    return found;
  }
}

/** The beginning of a labelling. */
interface Hypothesis {
  readonly score: number;
  /** Its last label. */
  readonly label: number;
  readonly state: Float64Array | undefined;
  readonly before: Hypothesis | undefined;
}
