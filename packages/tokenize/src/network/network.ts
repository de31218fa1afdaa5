import type { Random } from "@arcwise/core";
import {
  columnFrom,
  type DenseShape,
  denseBackward,
  denseForward,
  dropout,
  embeddingBackward,
  embeddingForward,
  type Lookups,
  type LstmTrace,
  lstmBackward,
  lstmForward,
  lstmRead,
  type Matrix,
  MatrixMemory,
  multiplyInPlace,
  Parameters,
  rowsOf,
  type SentenceBatch,
  softmaxLosses,
} from "@arcwise/neural";
import { initialize, type Layers, layersAt, type NetworkShape, networkSize, weightsOf } from "./layout.ts";

/** Sequences of features, as rows of a batch. */
export interface NetworkInput {
  readonly batch: SentenceBatch;
  /** The features of each row: indices of embeddings. */
  readonly lookups: Lookups;
}

/** What the rows of a batch are to be classified as. */
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

/** Trace of a forward pass, for the backward pass. */
interface Trace {
  readonly rows: number;
  readonly states: Matrix;
  /** In training. */
  readonly directions: readonly LstmTrace[];
  /** Factors of dropout, in training. */
  readonly inputMask: Matrix | undefined;
  readonly stateMask: Matrix | undefined;
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
   * Makes reading cheaper, for a network that does not learn any more: products are those of integers. Call
   * once, when the parameters are set. O(parameters).
   */
  finish(): void {
    for (const { weights, inputs, outputs } of weightsOf(this.#layers))
      this.memory.roundWeights(weights, outputs, inputs);
  }

  /** Scores the classes of each row of a batch. The matrix is valid until memory is released. */
  scores(input: NetworkInput): Matrix {
    const { states, rows } = this.#forward(input, undefined);
    return denseForward(this.memory, this.#layers.output, states, rows).outputs;
  }

  /**
   * Adds the gradients of the negative log-likelihood of classes, and of auxiliary classes; returns the first
   * one, summed over all rows.
   */
  learn(input: NetworkInput, targets: Targets, noise: Noise): number {
    const { memory } = this;
    const { embedding, units, classes } = this.shape;
    const { embeddings, forward, backward, output, auxiliary } = this.#layers;
    const parameters = this.parameters.gradient;
    const mark = memory.mark;
    const trace = this.#forward(input, noise);
    const { rows } = trace;
    const ofStates = memory.matrix(rows, 2 * units);
    const ofInputs = memory.matrix(rows, embedding);
    const own = { trace, ofStates };
    const loss = this.#classify(own, output, { targets: targets.classes, classes, weight: 1 });
    for (const [k, layer] of auxiliary.entries()) {
      const choice = { targets: targets.auxiliary[k]!, classes: this.#auxiliary[k]! };
      this.#classify(own, layer, { ...choice, weight: targets.weight });
    }
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

  /** Adds the gradients of one kind of classes; returns the loss. */
  #classify(
    { trace, ofStates }: { readonly trace: Trace; readonly ofStates: Matrix },
    layer: DenseShape,
    { targets, classes, weight }: Classes,
  ): number {
    const { memory } = this;
    const scores = denseForward(memory, layer, trace.states, trace.rows);
    const outputs = memory.matrix(trace.rows, layer.outputs);
    const loss = softmaxLosses(memory.values, scores.outputs, outputs, targets, classes);
    const { values } = memory;
    const end = outputs.at + trace.rows * layer.outputs;
    if (weight !== 1) for (let i = outputs.at; i < end; i++) values[i]! *= weight;
    const parameters = this.parameters.gradient;
    denseBackward(memory, layer, scores, { outputs, inputs: ofStates, parameters });
    return loss;
  }

  #forward({ batch, lookups }: NetworkInput, noise: Noise | undefined): Trace {
    const { memory } = this;
    const { embedding, units } = this.shape;
    const { embeddings, forward, backward } = this.#layers;
    const rows = rowsOf(batch);
    const drop = (entries: Matrix, length: number) =>
      noise && dropout(memory, entries, length, noise.rate, noise.stream);
    const inputs = memory.matrix(rows, embedding);
    embeddingForward(memory, embeddings, lookups, inputs);
    const inputMask = drop(inputs, rows * embedding);
    const states = memory.unsetMatrix(rows, 2 * units);
    const directions: LstmTrace[] = [];
    for (const [d, layer] of [forward, backward].entries()) {
      const own = columnFrom(states, d * units);
      if (noise === undefined) lstmRead(memory, layer, batch, inputs, own);
      else directions.push(lstmForward(memory, layer, batch, inputs, own));
    }
    const stateMask = drop(states, rows * 2 * units);
    return { rows, states, inputMask, directions, stateMask };
  }
}
