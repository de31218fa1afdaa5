import type { Random } from "@arcwise/core";
import {
  columnFrom,
  denseBackward,
  denseForward,
  dropout,
  embeddingBackward,
  embeddingForward,
  type Lookups,
  lstmBackward,
  lstmForward,
  type Matrix,
  MatrixMemory,
  multiplyInPlace,
  Parameters,
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

/** Dropout in training: the share of embedding and state entries that are set to 0. */
export interface Noise {
  readonly rate: number;
  readonly stream: Random;
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

  /** @param learning whether to allocate gradients: as many entries as there are parameters */
  constructor(shape: NetworkShape, learning: boolean) {
    this.shape = shape;
    this.parameters = new Parameters(this.memory, networkSize(shape), learning);
    this.#layers = layersAt(this.parameters.first, shape);
  }

  /** Initialises the parameters at random: the same seed gives the same. */
  initialize(seed: number): void {
    initialize(this.memory.values, this.#layers, seed);
  }

  /** Scores the classes of each row of a batch. The matrix is valid until memory is released. */
  scores(input: NetworkInput): Matrix {
    return this.#forward(input, undefined).output.outputs;
  }

  /**
   * Adds the gradients of the negative log-likelihood of classes; returns it, summed over all rows.
   *
   * @param targets the class of each row, -1 for rows that do not count
   */
  learn(input: NetworkInput, targets: Int32Array, noise: Noise): number {
    const { memory } = this;
    const { embedding, units, classes } = this.shape;
    const { embeddings, forward, backward, output } = this.#layers;
    const parameters = this.parameters.gradient;
    const mark = memory.mark;
    const trace = this.#forward(input, noise);
    const rows = rowsOf(input.batch);
    const ofScores = memory.matrix(rows, trace.output.outputs.row);
    const ofStates = memory.matrix(rows, 2 * units);
    const ofInputs = memory.matrix(rows, embedding);
    const loss = softmaxLosses(memory.values, trace.output.outputs, ofScores, targets, classes);
    denseBackward(memory, output, trace.output, { outputs: ofScores, inputs: ofStates, parameters });
    if (trace.stateMask) multiplyInPlace(memory.values, ofStates, trace.stateMask, rows * 2 * units);
    for (const [d, layer] of [forward, backward].entries()) {
      const states = columnFrom(ofStates, d * units);
      lstmBackward(memory, layer, trace.directions[d]!, { states, inputs: ofInputs, parameters });
    }
    if (trace.inputMask) multiplyInPlace(memory.values, ofInputs, trace.inputMask, rows * embedding);
    embeddingBackward(memory, embeddings, input.lookups, { outputs: ofInputs, parameters });
    memory.release(mark);
    return loss;
  }

  #forward({ batch, lookups }: NetworkInput, noise: Noise | undefined) {
    const { memory } = this;
    const { embedding, units } = this.shape;
    const { embeddings, forward, backward, output } = this.#layers;
    const rows = rowsOf(batch);
    const drop = (entries: Matrix, length: number) =>
      noise && dropout(memory, entries, length, noise.rate, noise.stream);
    const inputs = memory.matrix(rows, embedding);
    embeddingForward(memory, embeddings, lookups, inputs);
    const inputMask = drop(inputs, rows * embedding);
    const states = memory.matrix(rows, 2 * units);
    const directions = [forward, backward].map((layer, d) =>
      lstmForward(memory, layer, batch, inputs, columnFrom(states, d * units)),
    );
    const stateMask = drop(states, rows * 2 * units);
    return { inputMask, directions, stateMask, output: denseForward(memory, output, states, rows) };
  }
}
