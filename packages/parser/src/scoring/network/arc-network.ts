import {
  addRows,
  type BiaffineTrace,
  type ByteMatrix,
  biaffineLayer,
  type DenseTrace,
  denseLayer,
  dropout,
  type EncoderDropout,
  type EncoderTrace,
  embeddingLayer,
  encoderLayers,
  gatherSentence,
  type KnownInputs,
  type Lookups,
  type Matrix,
  type MatrixMemory,
  type PairInputs,
  Parameters,
  pairLayer,
  type RowPair,
  roundLayers,
  rowFrom,
  rowsOf,
  type SentenceBatch,
} from "@arcwise/neural";
import type { ByteRows } from "../quantize-rows.ts";
import { copyEncoded } from "../vectors/encoded-input.ts";
import type { QuantizedVectors } from "../vectors/word-vectors.ts";
import { type ColumnTrace, columnForward, foldParts } from "./column-layers.ts";
import {
  initialize,
  type Layers,
  layersAt,
  type NetworkShape,
  networkSize,
  weightsOf,
} from "./network-layout.ts";

/** The features of words, whose embeddings are summed: a row for each word. */
export interface WordInput {
  /** Features of row r: `features[start[r] .. start[r + 1] - 1]`. */
  readonly start: Int32Array;
  readonly features: Int32Array;
  /** The given vector of each row, from 1; 0: none. Absent: the network has no given vectors. */
  readonly vectors?: Int32Array | undefined;
}

/** Input that depends on the sentence. */
interface SentenceInput {
  readonly batch: SentenceBatch;
  /** The vector of an encoder in each row; undefined for the root. Absent: the network does not have an encoder. */
  readonly encoded?: readonly (Uint16Array | undefined)[] | undefined;
}

/** Input of a network: the features of the word in each row of a batch. */
export interface NetworkInput extends WordInput, SentenceInput {}

/** Input of a network that knows the words: see `ArcNetwork.know`. */
export interface KnownInput extends SentenceInput {
  /** The number of the word in each row. */
  readonly entries: Int32Array;
}

/** The results of a forward pass over a batch. */
export interface Trace {
  readonly batch: SentenceBatch;
  /** The maps of given vectors and of vectors of an encoder, if the network has them. */
  readonly vectors: DenseTrace | undefined;
  readonly encoded: DenseTrace | undefined;
  /** The last states of the encoder. */
  readonly states: Matrix;
  /** The states from which columns are predicted. */
  readonly columnStates: Matrix;
  /** In training. */
  readonly encoder: EncoderTrace | undefined;
  readonly heads: DenseTrace;
  readonly modifiers: DenseTrace;
  readonly sentences: readonly BiaffineTrace[];
  readonly labels: PairInputs;
  /** Scores of columns, in training. */
  readonly columns: readonly ColumnTrace[];
  /** Factors of dropout of the units of heads and of modifiers, in training. */
  readonly masks: { readonly heads: Matrix | undefined; readonly modifiers: Matrix | undefined };
}

/**
 * Scores all arcs of a sentence by a network: the embeddings of each word's features are summed, recurrent
 * layers read the words in both directions (Kiperwasser and Goldberg 2016), and a biaffine form of the states
 * of head and modifier is the score (Dozat and Manning 2017). A layer over the two words scores labels.
 * Vectors of words that are given, and vectors of an encoder of words in sentences, are mapped to units and added to the
 * embeddings.
 * Further layers score the labels of words in columns such as tags. Trained by the likelihood of each word's
 * head, label and columns.
 *
 * Cost: O(n units² + n² units) a sentence, with 50 units² products a word; three times that to learn from it.
 */
export class ArcNetwork {
  readonly shape: NetworkShape;
  readonly memory: MatrixMemory;
  readonly parameters: Parameters;
  protected layers: Layers;
  /** The embeddings, if they are not among the parameters. */
  readonly #embeddings: ByteMatrix | undefined;
  /** The sums of the first layer for words that are known. */
  #known: Matrix | undefined;

  /**
   * @param learning whether to allocate gradients: as many entries as there are parameters
   * @param embeddings of a network that does not learn: they stay bytes, and the other layers alone
   *   have parameters
   */
  constructor(memory: MatrixMemory, shape: NetworkShape, learning: boolean, embeddings?: ByteRows) {
    const allocated = embeddings === undefined ? shape : { ...shape, features: 0 };
    this.shape = shape;
    this.memory = memory;
    this.parameters = new Parameters(memory, networkSize(allocated), learning);
    this.layers = layersAt(this.parameters.first, allocated);
    this.#embeddings = embeddings && memory.byteMatrix(embeddings);
  }

  /** Initialises the parameters at random: the same seed gives the same. */
  initialize(seed: number): void {
    initialize(this.memory.values, this.layers, seed);
  }

  /**
   * Makes reading cheaper, for a network that does not learn any more: products are products of integers.
   * Call once. O(parameters).
   */
  finish(): void {
    const { memory } = this;
    const columns = this.layers.columns.map((shape) => foldParts(memory.values, shape));
    this.layers = { ...this.layers, columns };
    roundLayers(memory, weightsOf(this.layers));
  }

  /** Allocates the memory to know a number of words: 32 bytes · units each. Call once, after `finish`. */
  reserve(words: number): void {
    this.#known = this.memory.unsetMatrix(words, 8 * this.shape.units);
  }

  /**
   * Computes what the first layer needs of words, whatever stands around them: `read` takes their numbers, to the same
   * bits as their features. O(words units²).
   *
   * @param first number of the first word; the others follow
   */
  know(words: WordInput, first: number): void {
    const { memory } = this;
    const { mark } = memory;
    const count = words.start.length - 1;
    const { inputs } = this.embed(words, count);
    encoderLayers.sums(memory, this.layers.encoder, inputs, count, rowFrom(this.#known!, first));
    memory.release(mark);
  }

  /** Reads sentences, without columns. The results stay in memory until it is released. */
  read(input: NetworkInput | KnownInput): Trace {
    const { batch } = input;
    const states = encoderLayers.read(this.memory, this.layers.encoder, batch, this.#readInputs(input));
    return this.score(batch, states, {}, undefined);
  }

  /**
   * Returns the input of the first layer. With an encoder, the sums of the words and of the vectors are rounded apart, so that
   * words that are known give the same bits.
   */
  #readInputs(input: NetworkInput | KnownInput): Matrix | KnownInputs {
    const { memory } = this;
    const rows = rowsOf(input.batch);
    const map = this.mapEncoded(input, rows)?.outputs;
    const added = map && memory.withIntegers(map, rows, map.row);
    if ("entries" in input) return { table: this.#known!, entries: input.entries, added };
    const { inputs } = this.embed(input, rows);
    if (added === undefined) return inputs;
    const table = memory.unsetMatrix(rows, 8 * this.shape.units);
    encoderLayers.sums(memory, this.layers.encoder, inputs, rows, table);
    return { table, entries: Int32Array.from({ length: rows }, (_, row) => row), added };
  }

  /** Scores the labels of rows of states in each column. The results stay in memory until it is released. */
  columnScores(states: Matrix, rows: number): ColumnTrace[] {
    return this.#columns(this.memory.withIntegers(states, rows, states.row), rows, undefined);
  }

  #columns(states: Matrix, rows: number, rates: EncoderDropout | undefined): ColumnTrace[] {
    return this.layers.columns.map((shape) => columnForward(this.memory, shape, states, rows, rates));
  }

  /**
   * Scores of the labels of arcs: a row of `padded(labels)` columns each.
   *
   * @param inputs those that a trace has in `labels`, or copies of some of their rows
   * @param arcs rows of head and modifier
   */
  labelScores(inputs: Pick<PairInputs, "first" | "second">, arcs: readonly RowPair[]): Matrix {
    const { pair, scores } = this.layers.labels;
    const units = pairLayer.forward(this.memory, pair, inputs, arcs);
    return denseLayer.forward(this.memory, scores, units, arcs.length).outputs;
  }

  /** Sums the embeddings of the features of words, and their mapped vectors. O(features units). */
  protected embed(
    input: WordInput,
    rows: number,
  ): { readonly inputs: Matrix; readonly vectors: DenseTrace | undefined } {
    const { memory } = this;
    const { embeddings } = this.layers;
    const inputs = memory.matrix(rows, embeddings.units);
    if (this.#embeddings === undefined) embeddingLayer.forward(memory, embeddings, lookupsOf(input), inputs);
    else memory.sumByteRows(inputs, this.#embeddings, input.start, input.features);
    return { inputs, vectors: this.#addVectors(input, inputs, rows) };
  }

  protected score(
    batch: SentenceBatch,
    layers: readonly Matrix[],
    { encoder, vectors, encoded }: Partial<Pick<Trace, "encoder" | "vectors" | "encoded">>,
    rates: EncoderDropout | undefined,
  ): Trace {
    const { memory } = this;
    const states = layers.at(-1)!;
    const columnStates = this.shape.firstLayerColumns ? layers[0] : states;
    const { head, modifier, biaffine, labels } = this.layers;
    const rows = rowsOf(batch);
    const drop = ({ outputs }: DenseTrace) =>
      rates && dropout(memory, outputs, rows * outputs.row, rates.layers, rates.stream);
    const heads = denseLayer.forward(memory, head, states, rows);
    const headMask = drop(heads);
    const modifiers = denseLayer.forward(memory, modifier, states, rows);
    const masks = { heads: headMask, modifiers: drop(modifiers) };
    const sentences = batch.lengths.map((length, s) => {
      const [headRows, modifierRows] = [heads, modifiers].map(({ outputs }) =>
        gatherSentence(memory, batch, outputs, s),
      );
      return biaffineLayer.forward(memory, biaffine, headRows!, modifierRows!, length);
    });
    const pairs = pairLayer.inputs(memory, labels.pair, states, rows);
    const columns = rates ? this.#columns(columnStates, rows, rates) : [];
    return {
      batch,
      vectors,
      encoded,
      states,
      columnStates,
      encoder,
      heads,
      modifiers,
      sentences,
      labels: pairs,
      columns,
      masks,
    };
  }

  /** Maps the vectors of an encoder to embeddings; undefined without an encoder. O(rows width units). */
  protected mapEncoded({ encoded }: SentenceInput, rows: number): DenseTrace | undefined {
    const { memory } = this;
    const { encoder } = this.shape;
    const { encoded: map } = this.layers;
    if (encoder === undefined || map === undefined) return undefined;
    const inputs = memory.matrix(rows, map.inputs);
    for (let r = 0; r < rows; r++) {
      const vector = encoded![r];
      if (vector !== undefined) copyEncoded(encoder, vector, memory.values, inputs.at + r * inputs.row);
    }
    return denseLayer.forward(memory, map, inputs, rows);
  }

  /** Adds the given vectors of the words, mapped to units, to their embeddings. O(rows dimension units). */
  #addVectors({ vectors: entries }: WordInput, words: Matrix, rows: number): DenseTrace | undefined {
    const { memory } = this;
    const { vectors: map } = this.layers;
    const { vectors: given } = this.shape;
    if (map === undefined || given === undefined) return undefined;
    const inputs = memory.matrix(rows, map.inputs);
    for (let r = 0; r < rows; r++) {
      const word = (entries?.[r] ?? 0) - 1;
      if (word >= 0) copyVector(given, word, memory.values, inputs.at + r * inputs.row);
    }
    const trace = denseLayer.forward(memory, map, inputs, rows);
    addRows(memory.values, words, trace.outputs, rows, words.row);
    return trace;
  }
}

function copyVector(
  { dimension, values, scales }: QuantizedVectors,
  word: number,
  into: Float32Array,
  at: number,
): void {
  for (let d = 0; d < dimension; d++) into[at + d] = values[word * dimension + d] * scales[word];
}

/** Returns the rows of embeddings that words sum. */
export function lookupsOf({ start, features }: WordInput): Lookups {
  return { start, entries: features };
}
