import { random } from "@arcwise/core";
import {
  copyRows,
  type DenseShape,
  denseLayer,
  type ElmanShape,
  type EmbeddingShape,
  elmanLayer,
  embeddingLayer,
  fillNormal,
  type Lookups,
  logSumExponentials,
  type Matrix,
  MatrixMemory,
  Parameters,
  padded,
  rowFrom,
  sentenceBatch,
  softmaxLosses,
} from "@arcwise/neural";
import {
  concatenatedBackward,
  concatenatedForward,
  EMBEDDING_DEVIATION,
  type NetworkShape,
  type NeuralNetwork,
  singleLookups,
  tablesOf,
} from "./neural-network.ts";

/**
 * A recurrent scorer (Elman 1990): the state after a position is a function of embeddings of the words there,
 * of the previous label and of the previous state, and determines a probability for each label. A state
 * depends on all earlier labels, which rules out exact search: labels are chosen greedily, or by a beam.
 * Trained by the log-likelihood of gold labels after gold labels, with back-propagation through time.
 *
 * O(n weights) per sentence; decoding O(n beam weights).
 */
export class Recurrent implements NeuralNetwork {
  readonly parameters: Parameters;
  readonly embeddings: EmbeddingShape;
  readonly #shape: NetworkShape;
  readonly #beam: number;
  readonly #hidden: number;
  /**
   * First entry of the vocabulary of each template, and of the vocabulary of labels: one per label, then one for the
   * beginning.
   */
  readonly #tables: readonly number[];
  readonly #state: ElmanShape;
  readonly #output: DenseShape;

  /** @throws RangeError when the beam is not an integer >= 1, or a width is not a multiple of 4 */
  constructor(shape: NetworkShape & { readonly hidden: number; readonly beam: number }, learning: boolean) {
    const { sizes, labels, embedding, hidden, beam } = shape;
    if (!Number.isInteger(beam) || beam < 1)
      throw new RangeError(`beam must be an integer >= 1, got ${beam}`);
    const { tables, entries } = tablesOf([...sizes, labels + 1]);
    const inputs = tables.length * embedding;
    this.#shape = shape;
    this.#beam = beam;
    this.#hidden = hidden;
    this.#tables = tables;
    const state = embeddingLayer.size(entries, embedding);
    const output = state + elmanLayer.size(inputs, hidden);
    const size = output + denseLayer.size(hidden, padded(labels));
    this.parameters = new Parameters(new MatrixMemory(), size, learning);
    const { first } = this.parameters;
    this.embeddings = embeddingLayer.at(first, entries, embedding);
    this.#state = elmanLayer.at(first + state, inputs, hidden);
    this.#output = denseLayer.at(first + output, hidden, padded(labels), "none");
  }

  initialize(seed: number): void {
    const { values } = this.parameters.memory;
    const stream = random(seed);
    const { table, entries, units: embedding } = this.embeddings;
    fillNormal(values, table, entries * embedding, EMBEDDING_DEVIATION, stream);
    const { inputs, units, input } = this.#state;
    // Weights of inputs and of the previous state are contiguous.
    fillNormal(values, input, (inputs + units) * units, 1 / Math.sqrt(inputs + units), stream);
    denseLayer.initialize(values, this.#output, stream);
  }

  lookups(rows: Int32Array, gold: Int32Array): Lookups {
    const T = this.#shape.sizes.length;
    const entries = new Int32Array(gold.length * (T + 1));
    for (let i = 0; i < gold.length; i++) {
      this.#writeEntries(entries, i, rows, i, i > 0 ? gold[i - 1] : this.#shape.labels);
    }
    return singleLookups(entries);
  }

  /** Writes the entries that position i looks up, after a label, to a row. */
  #writeEntries(entries: Int32Array, row: number, rows: Int32Array, i: number, label: number): void {
    const T = this.#shape.sizes.length;
    const first = row * (T + 1);
    for (let t = 0; t < T; t++) entries[first + t] = this.#tables[t] + rows[i * T + t];
    entries[first + T] = this.#tables[T] + label;
  }

  loss(rows: Int32Array, gold: Int32Array): number {
    const { memory, gradient: parameters } = this.parameters;
    const n = gold.length;
    const mark = memory.mark;
    const lookups = this.lookups(rows, gold);
    const inputs = this.#inputs(lookups, n);
    const states = elmanLayer.forward(memory, this.#state, sentenceBatch([n]), inputs);
    const scores = denseLayer.forward(memory, this.#output, states.states, n);
    const outputs = memory.matrix(n, scores.outputs.row);
    const loss = softmaxLosses(memory.values, scores.outputs, outputs, gold, this.#shape.labels);
    const stateGradients = memory.matrix(n, this.#hidden);
    denseLayer.backward(memory, this.#output, scores, { outputs, inputs: stateGradients, parameters });
    const inputGradients = memory.matrix(n, inputs.row);
    elmanLayer.backward(memory, this.#state, states, {
      states: stateGradients,
      inputs: inputGradients,
      parameters,
    });
    concatenatedBackward(this.parameters, this.embeddings, lookups, inputGradients);
    memory.release(mark);
    return loss;
  }

  /** Concatenates the embeddings of each of `count` rows. */
  #inputs(lookups: Lookups, count: number): Matrix {
    const size = { rows: count, columns: this.#state.inputs };
    return concatenatedForward(this.parameters.memory, this.embeddings, lookups, size);
  }

  decode(rows: Int32Array): Int32Array {
    const { memory } = this.parameters;
    const { sizes, labels: L } = this.#shape;
    const n = rows.length / sizes.length;
    const mark = memory.mark;
    let states = memory.matrix(1, this.#hidden);
    let beam: Hypothesis[] = [{ score: 0, label: L, row: 0, before: undefined }];
    for (let i = 0; i < n; i++) {
      const step = this.#step(rows, i, beam, states);
      beam = extend(memory.values, beam, step.scores, L)
        .sort((a, b) => b.score - a.score)
        .slice(0, this.#beam);
      states = step.states;
    }
    memory.release(mark);
    const found = new Int32Array(n);
    let at: Hypothesis | undefined = beam[0];
    for (let i = n - 1; i >= 0; i--, at = at!.before) found[i] = at!.label;
    return found;
  }

  /** Computes states and scores of labels at position i, one row per hypothesis. */
  #step(rows: Int32Array, i: number, beam: readonly Hypothesis[], states: Matrix) {
    const { memory } = this.parameters;
    const width = beam.length;
    const entries = new Int32Array(width * this.#tables.length);
    const before = memory.matrix(width, this.#hidden);
    for (const [b, { label, row }] of beam.entries()) {
      this.#writeEntries(entries, b, rows, i, label);
      copyRows(memory.values, rowFrom(before, b), rowFrom(states, row), 1, this.#hidden);
    }
    const inputs = this.#inputs(singleLookups(entries), width);
    const after = elmanLayer.step(memory, this.#state, inputs, before, width);
    return { states: after, scores: denseLayer.forward(memory, this.#output, after, width).outputs };
  }
}

/** A prefix of a labelling. */
interface Hypothesis {
  /** Logarithm of its probability. */
  readonly score: number;
  /** Its last label. */
  readonly label: number;
  /** Row of its state. */
  readonly row: number;
  readonly before: Hypothesis | undefined;
}

/** Returns every hypothesis extended by every label. */
function extend(values: Float32Array, beam: readonly Hypothesis[], scores: Matrix, labels: number) {
  return beam.flatMap((before, row) => {
    const first = scores.at + row * scores.row;
    const normaliser = logSumExponentials(values, first, labels);
    return Array.from({ length: labels }, (_, label): Hypothesis => {
      return { score: before.score + values[first + label] - normaliser, label, row, before };
    });
  });
}
