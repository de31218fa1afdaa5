import {
  type BiaffineTrace,
  biaffineBackward,
  biaffineForward,
  columnFrom,
  type DenseTrace,
  denseBackward,
  denseForward,
  dropout,
  dropoutFactors,
  embeddingBackward,
  embeddingForward,
  gatherSentence,
  type Lookups,
  type LstmTrace,
  lstmBackward,
  lstmForward,
  lstmRead,
  type Matrix,
  type MatrixMemory,
  multiplyInPlace,
  type PairInputs,
  Parameters,
  pairBackward,
  pairForward,
  pairInputs,
  type RowPair,
  rowsOf,
  type SentenceBatch,
  scatterSentence,
} from "@arcwise/neural";
import type { QuantizedVectors } from "../tensor/word-vectors.ts";
import { type ColumnTrace, columnBackward, columnForward, foldParts } from "./column-layers.ts";
import {
  initialParameters,
  LAYERS,
  type NetworkShape,
  networkSize,
  type Places,
  placesAt,
  weightsOf,
} from "./network-layout.ts";
import type { Noise } from "./noise.ts";

/** Input of a network: the features whose embeddings are summed for each row of a batch. */
export interface NetworkInput {
  readonly batch: SentenceBatch;
  /** Features of row r: `features[start[r] .. start[r + 1] - 1]`. */
  readonly start: Int32Array;
  readonly features: Int32Array;
  /** The given vector of each row, from 1; 0: none. Absent: the network has no given vectors. */
  readonly vectors?: Int32Array | undefined;
}

/** A loss of the scores of a batch. All methods write the gradients of the scores, which are 0 before. */
export interface NetworkLoss {
  /** The loss of a sentence: the score of head h for modifier m is in row m and column h. */
  heads(sentence: number, scores: Matrix, gradients: Matrix, length: number): void;
  /** The loss of arcs: one row of label scores each. */
  labels(scores: Matrix, gradients: Matrix): void;
  /** The loss of a column that the network predicts: one row of scores for each row of the batch. */
  column?(index: number, scores: Matrix, gradients: Matrix): void;
}

/** The results of a forward pass over a batch. */
export interface Trace {
  readonly input: NetworkInput;
  /** The map of given vectors, if the network has them. */
  readonly vectors: DenseTrace | undefined;
  /** Inputs of each layer, from word vectors on, and the outputs of the last one. */
  readonly states: readonly Matrix[];
  /** Both directions of each layer, in training. */
  readonly layers: readonly (readonly LstmTrace[])[];
  readonly heads: DenseTrace;
  readonly modifiers: DenseTrace;
  readonly sentences: readonly BiaffineTrace[];
  readonly labels: PairInputs;
  /** Scores of columns, in training. */
  readonly columns: readonly ColumnTrace[];
  /** Factors of dropout, by the matrix that they were multiplied with; empty without dropout. */
  readonly masks: Map<Matrix, Matrix>;
}

/**
 * Scores all arcs of a sentence by a network: the embeddings of each word's features are summed, recurrent
 * layers read the words in both directions (Kiperwasser and Goldberg 2016), and a biaffine form of the states
 * of head and modifier is the score (Dozat and Manning 2017). A layer over the two words scores labels.
 * Vectors of words that are given are mapped to units and added to the embeddings.
 * Further layers score the labels of words in columns such as tags. Trained by the likelihood of each word's
 * head, label and columns.
 *
 * Cost: O(n units² + n² units) a sentence, with 50 units² products a word; three times that to learn from it.
 */
export class ArcNetwork {
  readonly shape: NetworkShape;
  readonly memory: MatrixMemory;
  readonly parameters: Parameters;
  /** Number of parameters that are embeddings, which come first. */
  readonly embeddings: number;
  #places: Places;

  /** @param learning whether to allocate gradients: as many entries as there are parameters */
  constructor(memory: MatrixMemory, shape: NetworkShape, learning: boolean) {
    this.shape = shape;
    this.memory = memory;
    this.parameters = new Parameters(memory, networkSize(shape), learning);
    this.#places = placesAt(this.parameters.first, shape);
    this.embeddings = this.#places.ofEmbeddings;
  }

  /** Initialises the parameters at random: the same seed gives the same. */
  initialize(seed: number): void {
    initialParameters(this.memory.values, this.#places, seed);
  }

  /**
   * Makes reading cheaper, for a network that does not learn any more: products are those of integers. Call
   * once. O(parameters).
   */
  finish(): void {
    const { memory } = this;
    const columns = this.#places.columns.map((shape) => foldParts(memory.values, shape));
    this.#places = { ...this.#places, columns };
    for (const { weights, inputs, outputs } of weightsOf(this.#places)) {
      memory.roundWeights(weights, outputs, inputs);
    }
  }

  /** Reads sentences, without columns. The results stay in memory until it is released. */
  read(input: NetworkInput): Trace {
    return this.#forward(input, undefined);
  }

  /** Scores the labels of rows of states in each column. The results stay in memory until it is released. */
  columnScores(states: Matrix, rows: number): ColumnTrace[] {
    return this.#columns(states, rows, undefined);
  }

  #columns(states: Matrix, rows: number, noise: Noise | undefined): ColumnTrace[] {
    return this.#places.columns.map((shape) => columnForward(this.memory, shape, states, rows, noise));
  }

  /**
   * Scores of the labels of arcs: a row of `padded(labels)` columns each.
   *
   * @param inputs those that a trace has in `labels`, or copies of some of their rows
   * @param arcs rows of head and modifier
   */
  labelScores(inputs: Pick<PairInputs, "first" | "second">, arcs: readonly RowPair[]): Matrix {
    const { pair, scores } = this.#places.labels;
    const units = pairForward(this.memory, pair, inputs, arcs);
    return denseForward(this.memory, scores, units, arcs.length).outputs;
  }

  /**
   * Adds the gradient of a loss of the scores of heads and of those of the labels of some arcs.
   *
   * @param arcs rows of head and modifier
   */
  learn(input: NetworkInput, noise: Noise, arcs: readonly RowPair[], loss: NetworkLoss): void {
    const { memory } = this;
    const mark = memory.mark;
    const trace = this.#forward(input, noise);
    const ofHeads = trace.sentences.map(({ scores, length }, s) => {
      const into = memory.matrix(length, scores.row);
      loss.heads(s, scores, into, length);
      return into;
    });
    const ofStates = this.#learnLabels(trace, noise, arcs, loss);
    this.#learnColumns(trace, loss, ofStates);
    this.#backward(trace, ofHeads, ofStates);
    memory.release(mark);
  }

  /** Scores labels and adds the gradient of their loss: returns the gradients of the last states. */
  #learnLabels(trace: Trace, noise: Noise, arcs: readonly RowPair[], loss: NetworkLoss): Matrix {
    const { memory } = this;
    const { pair, scores: layer } = this.#places.labels;
    const parameters = this.parameters.gradient;
    const inputs = trace.labels;
    const units = pairForward(memory, pair, inputs, arcs);
    const length = arcs.length * units.row;
    const mask = dropout(memory, units, length, noise.rates.layers, noise.stream);
    const scores = denseForward(memory, layer, units, arcs.length);
    const ofScores = memory.matrix(arcs.length, scores.outputs.row);
    loss.labels(scores.outputs, ofScores);
    const ofUnits = memory.matrix(arcs.length, units.row);
    denseBackward(memory, layer, scores, { outputs: ofScores, inputs: ofUnits, parameters });
    multiplyInPlace(memory.values, ofUnits, mask, length);
    const ofStates = memory.matrix(inputs.rows, inputs.states.row);
    const gradients = { outputs: ofUnits, states: ofStates, parameters };
    pairBackward(memory, pair, { inputs, pairs: arcs, outputs: units }, gradients);
    return ofStates;
  }

  /** Adds the gradients of the loss of columns to those of the last states. */
  #learnColumns({ columns }: Trace, loss: NetworkLoss, ofStates: Matrix): void {
    const { memory } = this;
    const parameters = this.parameters.gradient;
    for (const [c, trace] of columns.entries()) {
      const mark = memory.mark;
      const { rows, outputs: scores } = trace.scores;
      const outputs = memory.matrix(rows, scores.row);
      loss.column?.(c, scores, outputs);
      columnBackward(memory, this.#places.columns[c]!, trace, { outputs, inputs: ofStates, parameters });
      memory.release(mark);
    }
  }

  #forward(input: NetworkInput, noise: Noise | undefined): Trace {
    const { memory } = this;
    const { units } = this.shape;
    const { embeddings, layers, head, modifier, biaffine } = this.#places;
    const { batch } = input;
    const rows = rowsOf(batch);
    const masks = new Map<Matrix, Matrix>();
    const drop = (entries: Matrix, kind: "words" | "layers") => {
      if (!noise) return;
      masks.set(entries, dropout(memory, entries, rows * entries.row, noise.rates[kind], noise.stream));
    };
    const ofStates = () => {
      if (!noise || noise.rates.states === 0) return undefined;
      return dropoutFactors(memory, batch.lengths.length, units, noise.rates.states, noise.stream);
    };
    const words = memory.matrix(rows, units);
    embeddingForward(memory, embeddings, lookupsOf(input), words);
    const vectors = this.#addVectors(input, words, rows);
    drop(words, "words");
    const states = [words];
    const traces = layers.map((directions) => {
      const before = states.at(-1)!;
      const after = memory.unsetMatrix(rows, 2 * units);
      states.push(after);
      const own = directions.map((_, d) => columnFrom(after, d * units));
      if (noise === undefined) {
        for (const [d, shape] of directions.entries()) lstmRead(memory, shape, batch, before, own[d]!);
        return [];
      }
      const passes = directions.map((shape, d) =>
        lstmForward(memory, shape, batch, before, own[d]!, ofStates()),
      );
      drop(after, "layers");
      return passes;
    });
    const heads = denseForward(memory, head, states.at(-1)!, rows);
    drop(heads.outputs, "layers");
    const modifiers = denseForward(memory, modifier, states.at(-1)!, rows);
    drop(modifiers.outputs, "layers");
    const sentences = batch.lengths.map((length, s) => {
      const [ofHeads, ofModifiers] = [heads, modifiers].map(({ outputs }) =>
        gatherSentence(memory, batch, outputs, s),
      );
      return biaffineForward(memory, biaffine, ofHeads!, ofModifiers!, length);
    });
    const labels = pairInputs(memory, this.#places.labels.pair, states.at(-1)!, rows);
    const columns = noise === undefined ? [] : this.#columns(states.at(-1)!, rows, noise);
    return { input, vectors, states, layers: traces, heads, modifiers, sentences, labels, columns, masks };
  }

  /** @param above gradients of the last states by the loss of labels */
  #backward(trace: Trace, ofScores: readonly Matrix[], above: Matrix): void {
    const { memory } = this;
    const { units } = this.shape;
    const { embeddings, layers, head, modifier, biaffine } = this.#places;
    const parameters = this.parameters.gradient;
    const { batch } = trace.input;
    const rows = rowsOf(batch);
    const undrop = (entries: Matrix, gradients: Matrix) => {
      const mask = trace.masks.get(entries);
      if (mask) multiplyInPlace(memory.values, gradients, mask, rows * entries.row);
    };
    const headGradients = memory.matrix(rows, units);
    const modifierGradients = memory.matrix(rows, units);
    for (const [s, sentence] of trace.sentences.entries()) {
      const mark = memory.mark;
      const heads = memory.matrix(sentence.length, units);
      const modifiers = memory.matrix(sentence.length, units);
      const gradients = { scores: ofScores[s]!, heads, modifiers, parameters };
      biaffineBackward(memory, biaffine, sentence, gradients);
      scatterSentence(memory.values, batch, headGradients, heads, s);
      scatterSentence(memory.values, batch, modifierGradients, modifiers, s);
      memory.release(mark);
    }
    let gradients = above;
    for (const [shape, dense, outputs] of [
      [head, trace.heads, headGradients],
      [modifier, trace.modifiers, modifierGradients],
    ] as const) {
      undrop(dense.outputs, outputs);
      denseBackward(memory, shape, dense, { outputs, inputs: gradients, parameters });
    }
    for (let layer = LAYERS - 1; layer >= 0; layer--) {
      undrop(trace.states[layer + 1]!, gradients);
      const inputs = memory.matrix(rows, trace.states[layer]!.row);
      for (const [d, shape] of layers[layer]!.entries()) {
        const states = columnFrom(gradients, d * units);
        lstmBackward(memory, shape, trace.layers[layer]![d]!, { states, inputs, parameters });
      }
      gradients = inputs;
    }
    undrop(trace.states[0]!, gradients);
    embeddingBackward(memory, embeddings, lookupsOf(trace.input), { outputs: gradients, parameters });
    if (trace.vectors === undefined) return;
    const inputs = memory.matrix(rows, trace.vectors.inputs.row);
    denseBackward(memory, this.#places.vectors!, trace.vectors, { outputs: gradients, inputs, parameters });
  }

  /** Adds the given vectors of the words, mapped to units, to their embeddings. O(rows dimension units). */
  #addVectors({ vectors: entries }: NetworkInput, words: Matrix, rows: number): DenseTrace | undefined {
    const { memory } = this;
    const { vectors: map } = this.#places;
    const { vectors: given } = this.shape;
    if (map === undefined || given === undefined) return undefined;
    const inputs = memory.matrix(rows, map.inputs);
    for (let r = 0; r < rows; r++) {
      const word = (entries?.[r] ?? 0) - 1;
      if (word >= 0) copyVector(given, word, memory.values, inputs.at + r * inputs.row);
    }
    const trace = denseForward(memory, map, inputs, rows);
    const { values } = memory;
    for (let k = 0; k < rows * words.row; k++) values[words.at + k]! += values[trace.outputs.at + k]!;
    return trace;
  }
}

function copyVector(
  { dimension, values, scales }: QuantizedVectors,
  word: number,
  into: Float32Array,
  at: number,
): void {
  for (let d = 0; d < dimension; d++) into[at + d] = values[word * dimension + d]! * scales[word]!;
}

function lookupsOf({ start, features }: NetworkInput): Lookups {
  return { start, entries: features };
}
