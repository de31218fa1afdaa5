import {
  addRows,
  biaffineLayer,
  denseLayer,
  dropout,
  type EncoderDropout,
  type EncoderGradients,
  embeddingLayer,
  encoderLayers,
  type Matrix,
  type MatrixMemory,
  multiplyInPlace,
  pairLayer,
  type RowPair,
  rowsOf,
  scatterSentence,
} from "@arcwise/neural";
import { ArcNetwork, lookupsOf, type NetworkInput, type Trace } from "../scoring/network/arc-network.ts";
import { columnBackward } from "../scoring/network/column-layers.ts";
import type { NetworkShape } from "../scoring/network/network-layout.ts";

/** A loss of the scores of a batch. All methods write the gradients of the scores, which are 0 before. */
export interface NetworkLoss {
  /** The loss of a sentence: the score of head h for modifier m is in row m and column h. */
  heads(sentence: number, scores: Matrix, gradients: Matrix, length: number): void;
  /** The loss of arcs: one row of label scores each. */
  labels(scores: Matrix, gradients: Matrix): void;
  /** The loss of a column that the network predicts: one row of scores for each row of the batch. */
  column?(index: number, scores: Matrix, gradients: Matrix): void;
}

/** A network that learns: pages that only parse do not load it. Cost: three times the cost of reading. */
export class LearningNetwork extends ArcNetwork {
  constructor(memory: MatrixMemory, shape: NetworkShape) {
    super(memory, shape, true);
  }

  /**
   * Adds the gradient of a loss of the scores of heads, and of the labels of some arcs.
   *
   * @param arcs rows of head and modifier
   */
  learn(input: NetworkInput, rates: EncoderDropout, arcs: readonly RowPair[], loss: NetworkLoss): void {
    const { memory } = this;
    const mark = memory.mark;
    const trace = this.#forward(input, rates);
    const headGradients = trace.sentences.map(({ scores, length }, s) => {
      const into = memory.matrix(length, scores.row);
      loss.heads(s, scores, into, length);
      return into;
    });
    const states = this.#learnLabels(trace, rates, arcs, loss);
    const first = this.shape.firstLayerColumns ? memory.matrix(rowsOf(input.batch), states.row) : undefined;
    this.#learnColumns(trace, loss, first ?? states);
    this.#backward(input, trace, headGradients, { states, first });
    memory.release(mark);
  }

  /** Scores labels and adds the gradient of their loss: returns the gradients of the last states. */
  #learnLabels(trace: Trace, rates: EncoderDropout, arcs: readonly RowPair[], loss: NetworkLoss): Matrix {
    const { memory } = this;
    const { pair, scores: layer } = this.layers.labels;
    const parameters = this.parameters.gradient;
    const inputs = trace.labels;
    const units = pairLayer.forward(memory, pair, inputs, arcs);
    const length = arcs.length * units.row;
    const mask = dropout(memory, units, length, rates.layers, rates.stream);
    const scores = denseLayer.forward(memory, layer, units, arcs.length);
    const scoreGradients = memory.matrix(arcs.length, scores.outputs.row);
    loss.labels(scores.outputs, scoreGradients);
    const unitGradients = memory.matrix(arcs.length, units.row);
    denseLayer.backward(memory, layer, scores, {
      outputs: scoreGradients,
      inputs: unitGradients,
      parameters,
    });
    multiplyInPlace(memory.values, unitGradients, mask, length);
    const stateGradients = memory.matrix(inputs.rows, inputs.states.row);
    const gradients = { outputs: unitGradients, states: stateGradients, parameters };
    pairLayer.backward(memory, pair, { inputs, pairs: arcs, outputs: units }, gradients);
    return stateGradients;
  }

  /** Adds the gradients of the loss of columns to the gradients of the states that they are predicted from. */
  #learnColumns({ columns }: Trace, loss: NetworkLoss, stateGradients: Matrix): void {
    const { memory } = this;
    const parameters = this.parameters.gradient;
    for (const [c, trace] of columns.entries()) {
      const mark = memory.mark;
      const { rows, outputs: scores } = trace.scores;
      const outputs = memory.matrix(rows, scores.row);
      loss.column?.(c, scores, outputs);
      columnBackward(memory, this.layers.columns[c], trace, {
        outputs,
        inputs: stateGradients,
        parameters,
      });
      memory.release(mark);
    }
  }

  #forward(input: NetworkInput, rates: EncoderDropout): Trace {
    const { batch } = input;
    const rows = rowsOf(batch);
    const { inputs, vectors } = this.embed(input, rows);
    const encoded = this.mapEncoded(input, rows);
    if (encoded !== undefined) addRows(this.memory.values, inputs, encoded.outputs, rows, inputs.row);
    const encoder = encoderLayers.forward(this.memory, this.layers.encoder, batch, inputs, rates);
    return this.score(batch, encoder.states, { encoder, vectors, encoded }, rates);
  }

  /** @param layers gradients of the states of layers by the losses of labels and columns */
  #backward(
    input: NetworkInput,
    trace: Trace,
    scoreGradients: readonly Matrix[],
    layers: Pick<EncoderGradients, "states" | "first">,
  ): void {
    const { memory } = this;
    const { embeddings, encoder, head, modifier, biaffine } = this.layers;
    const { units } = biaffine;
    const parameters = this.parameters.gradient;
    const { batch } = trace;
    const rows = rowsOf(batch);
    const headGradients = memory.matrix(rows, units);
    const modifierGradients = memory.matrix(rows, units);
    for (const [s, sentence] of trace.sentences.entries()) {
      const mark = memory.mark;
      const heads = memory.matrix(sentence.length, units);
      const modifiers = memory.matrix(sentence.length, units);
      const gradients = { scores: scoreGradients[s], heads, modifiers, parameters };
      biaffineLayer.backward(memory, biaffine, sentence, gradients);
      scatterSentence(memory.values, batch, headGradients, heads, s);
      scatterSentence(memory.values, batch, modifierGradients, modifiers, s);
      memory.release(mark);
    }
    for (const [shape, dense, mask, outputs] of [
      [head, trace.heads, trace.masks.heads, headGradients],
      [modifier, trace.modifiers, trace.masks.modifiers, modifierGradients],
    ] as const) {
      if (mask) multiplyInPlace(memory.values, outputs, mask, rows * units);
      denseLayer.backward(memory, shape, dense, { outputs, inputs: layers.states, parameters });
    }
    const outputs = encoderLayers.backward(memory, encoder, trace.encoder!, { ...layers, parameters });
    embeddingLayer.backward(memory, embeddings, lookupsOf(input), { outputs, parameters });
    // Maps do not have activations, which would overwrite the gradients of outputs.
    for (const [map, own] of [
      [this.layers.vectors, trace.vectors],
      [this.layers.encoded, trace.encoded],
    ] as const) {
      if (map && own) denseLayer.backward(memory, map, own, { outputs, inputs: undefined, parameters });
    }
  }
}
