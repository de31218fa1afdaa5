import type { Random } from "@arcwise/core";
import {
  type DenseShape,
  denseLayer,
  type EncoderTrace,
  embeddingLayer,
  encoderLayers,
  type Lookups,
  type Matrix,
  MatrixMemory,
  Parameters,
  roundLayers,
  rowFrom,
  rowsOf,
  type SentenceBatch,
  softmaxLosses,
} from "@arcwise/neural";
import { initialize, type Layers, layersAt, type NetworkShape, networkSize } from "./layout.ts";

/** Sequences of features, as rows of a batch. */
export interface NetworkInput {
  readonly batch: SentenceBatch;
  /** The features of each row: indices of embeddings. */
  readonly lookups: Lookups;
}

/** Sequences of positions whose features are known by numbers, as rows of a batch: see `SequenceNetwork.know`. */
export interface KnownInput {
  readonly batch: SentenceBatch;
  /** The number of each row. */
  readonly entries: Int32Array;
}

/** The gold classes of the rows of a batch. */
export interface Targets {
  /** The class of each row, -1 for rows that do not count. */
  readonly classes: Int32Array;
  /** The auxiliary classes of each row, likewise, of each kind. */
  readonly auxiliary: readonly Int32Array[];
  /** Weight of the losses of auxiliary classes. */
  readonly weight: number;
}

/** Dropout in training: the share of embedding and state entries that are set to 0. */
export interface Noise {
  readonly rate: number;
  readonly stream: Random;
}

/** Classes of one kind. */
interface Classes {
  readonly targets: Int32Array;
  readonly classes: number;
  readonly weight: number;
}

/**
 * Classifies each position of a sequence: the embeddings of its features are summed, a long short-term memory
 * reads them in each direction, and a linear layer scores the classes.
 *
 * Cost: O(units (embedding + units)) a position.
 */
export class SequenceNetwork {
  readonly shape: NetworkShape;
  readonly memory = new MatrixMemory();
  readonly parameters: Parameters;
  readonly #layers: Layers;
  readonly #auxiliary: readonly number[];
  /** The sums of the recurrent layer for features that are known. */
  #known: Matrix | undefined;

  /**
   * @param learning whether to allocate gradients: as many entries as there are parameters
   * @param auxiliary numbers of auxiliary classes of each kind, whose parameters come last
   */
  constructor(shape: NetworkShape, learning: boolean, auxiliary: readonly number[] = []) {
    this.shape = shape;
    this.parameters = new Parameters(this.memory, networkSize(shape, auxiliary), learning);
    this.#layers = layersAt(this.parameters.first, shape, auxiliary);
    this.#auxiliary = auxiliary;
  }

  /** Initialises the parameters at random: the same seed gives the same. */
  initialize(seed: number): void {
    initialize(this.memory.values, this.#layers, seed);
  }

  /**
   * Makes reading cheaper, for a network that does not learn any more: products are products of integers.
   * Call once, when the parameters are set. O(parameters).
   */
  finish(): void {
    const { encoder, output } = this.#layers;
    roundLayers(this.memory, [...encoderLayers.weights(encoder), output]);
  }

  /** Allocates the memory to know some features: 32 bytes · units each. Call once, after `finish`. */
  reserve(count: number): void {
    this.#known = this.memory.unsetMatrix(count, 8 * this.shape.units);
  }

  /**
   * Computes what the recurrent layer needs of features, whatever stands around them: `scores` takes their numbers, to
   * the same bits. O(rows units embedding).
   *
   * @param first number of the first row of features; the others follow
   */
  know(lookups: Lookups, first: number): void {
    const { memory } = this;
    const { mark } = memory;
    const rows = lookups.start.length - 1;
    const sums = rowFrom(this.#known!, first);
    encoderLayers.sums(memory, this.#layers.encoder, this.#inputs(lookups), rows, sums);
    memory.release(mark);
  }

  /** Scores the classes of each row of a batch. The matrix is valid until memory is released. */
  scores(input: NetworkInput | KnownInput): Matrix {
    const { encoder, output } = this.#layers;
    const { batch } = input;
    const inputs =
      "entries" in input ? { table: this.#known!, entries: input.entries } : this.#inputs(input.lookups);
    const states = encoderLayers.read(this.memory, encoder, batch, inputs).at(-1)!;
    return denseLayer.forward(this.memory, output, states, rowsOf(batch)).outputs;
  }

  /** Sums the embeddings of the features of each row. */
  #inputs(lookups: Lookups): Matrix {
    const inputs = this.memory.matrix(lookups.start.length - 1, this.shape.embedding);
    embeddingLayer.forward(this.memory, this.#layers.embeddings, lookups, inputs);
    return inputs;
  }

  /**
   * Adds the gradients of the negative log-likelihood of classes, and of auxiliary classes; returns the first
   * one, summed over all rows.
   */
  learn(input: NetworkInput, targets: Targets, { rate, stream }: Noise): number {
    const { memory } = this;
    const { units, classes } = this.shape;
    const { embeddings, encoder, output, auxiliary } = this.#layers;
    const parameters = this.parameters.gradient;
    const mark = memory.mark;
    const dropout = { inputs: rate, layers: rate, stream };
    const trace = encoderLayers.forward(memory, encoder, input.batch, this.#inputs(input.lookups), dropout);
    const states = memory.matrix(rowsOf(input.batch), 2 * units);
    const loss = this.#classify(trace, states, output, { targets: targets.classes, classes, weight: 1 });
    for (const [k, layer] of auxiliary.entries()) {
      const choice = { targets: targets.auxiliary[k]!, classes: this.#auxiliary[k]! };
      this.#classify(trace, states, layer, { ...choice, weight: targets.weight });
    }
    const outputs = encoderLayers.backward(memory, encoder, trace, { states, parameters });
    embeddingLayer.backward(memory, embeddings, input.lookups, { outputs, parameters });
    memory.release(mark);
    return loss;
  }

  /** Adds the gradients of one kind of classes to the gradients of the states; returns the loss. */
  #classify(
    { batch, states: layers }: EncoderTrace,
    inputs: Matrix,
    layer: DenseShape,
    { targets, classes, weight }: Classes,
  ): number {
    const { memory } = this;
    const rows = rowsOf(batch);
    const scores = denseLayer.forward(memory, layer, layers.at(-1)!, rows);
    const outputs = memory.matrix(rows, layer.outputs);
    const loss = softmaxLosses(memory.values, scores.outputs, outputs, targets, classes);
    const { values } = memory;
    const end = outputs.at + rows * layer.outputs;
    if (weight !== 1) for (let i = outputs.at; i < end; i++) values[i]! *= weight;
    denseLayer.backward(memory, layer, scores, { outputs, inputs, parameters: this.parameters.gradient });
    return loss;
  }
}
