import type { Random } from "@arcwise/core";
import type { MatrixMemory } from "../matrices.ts";
import type { Matrix } from "../matrix.ts";
import { addRows, columnFrom } from "../rows.ts";
import { rowsOf, type SentenceBatch } from "../sentence-batch.ts";
import { dropout, multiplyInPlace } from "./dropout.ts";
import {
  initializeLstm,
  type KnownInputs,
  type LstmShape,
  type LstmTrace,
  lstmAt,
  lstmBackward,
  lstmForward,
  lstmRead,
  lstmSize,
  lstmSums,
} from "./lstm.ts";

/** Long short-term memories in both directions, one layer above the other. */
export interface EncoderShape {
  readonly inputs: number;
  /** Length of a state of one direction. A row has the states of both directions, forward first. */
  readonly units: number;
  /** Both directions of each layer: forward, backward. */
  readonly layers: readonly (readonly [LstmShape, LstmShape])[];
}

/** The widths of an encoder. */
export interface EncoderWidths {
  readonly inputs: number;
  readonly units: number;
  /** Number of layers. */
  readonly layers: number;
}

/** Returns the number of inputs of a layer: the inputs of the first layer, or the states of the layer below. */
function inputsOf(layer: number, { inputs, units }: EncoderWidths): number {
  return layer === 0 ? inputs : 2 * units;
}

/** Returns the number of parameters. */
export function encoderSize(widths: EncoderWidths): number {
  let size = 0;
  for (let layer = 0; layer < widths.layers; layer++)
    size += 2 * lstmSize(inputsOf(layer, widths), widths.units);
  return size;
}

/** Returns the encoder at an offset. */
export function encoderAt(at: number, widths: EncoderWidths): EncoderShape {
  const { inputs, units } = widths;
  let next = at;
  const layers = Array.from({ length: widths.layers }, (_, layer) => {
    const own = inputsOf(layer, widths);
    const [forward, backward] = [next, next + lstmSize(own, units)];
    next += 2 * lstmSize(own, units);
    return [lstmAt(forward, own, units, false), lstmAt(backward, own, units, true)] as const;
  });
  return { inputs, units, layers };
}

/** Writes random parameters: see `initializeLstm`. */
export function initializeEncoder(values: Float32Array, { layers }: EncoderShape, stream: Random): void {
  for (const shape of layers.flat()) initializeLstm(values, shape, stream);
}

/** A matrix of weights: `inputs` rows of `outputs` columns. */
export interface LayerWeights {
  readonly weights: Matrix;
  readonly inputs: number;
  readonly outputs: number;
}

/** Returns the weights that rows are multiplied with, for `roundLayers`. */
export function encoderWeights({ layers }: EncoderShape): LayerWeights[] {
  return layers.flat().flatMap(({ inputs, units, input, state }) => [
    { weights: input, inputs, outputs: 4 * units },
    { weights: state, inputs: units, outputs: 4 * units },
  ]);
}

/** Rounds weights of layers to integers, for a network that is only read: see `MatrixMemory.roundWeights`. */
export function roundLayers(memory: MatrixMemory, layers: Iterable<LayerWeights>): void {
  for (const { weights, inputs, outputs } of layers) memory.roundWeights(weights, outputs, inputs);
}

/**
 * Computes the states of each layer for each row of a batch, with nothing that a backward pass needs.
 * O(layers · rows · units (inputs + units)).
 */
export function encoderRead(
  memory: MatrixMemory,
  { units, layers }: EncoderShape,
  batch: SentenceBatch,
  inputs: Matrix | KnownInputs,
): Matrix[] {
  const states: Matrix[] = [];
  for (const directions of layers) {
    const below = states.at(-1);
    const own = memory.unsetMatrix(rowsOf(batch), 2 * units);
    for (const [d, shape] of directions.entries())
      lstmRead(memory, shape, batch, below ?? directionOf(inputs, d, units), columnFrom(own, d * units));
    // The layer above and the layers of the network read all of them several times.
    states.push(memory.withIntegers(own, rowsOf(batch), 2 * units));
  }
  return states;
}

/** Returns the inputs of a direction of the first layer: known sums of both directions have 8 `units` columns. */
function directionOf(inputs: Matrix | KnownInputs, d: number, units: number): Matrix | KnownInputs {
  if (!("entries" in inputs)) return inputs;
  const { table, entries, added } = inputs;
  return { table: columnFrom(table, 4 * units * d), entries, added };
}

/**
 * Writes the sums that the gates of the first layer have of the inputs alone, of both directions: `encoderRead` takes
 * them in place of the inputs, to the same bits. O(rows · units inputs).
 *
 * @param sums rows of 8 `units` columns
 */
export function encoderSums(
  memory: MatrixMemory,
  { units, layers }: EncoderShape,
  inputs: Matrix,
  rows: number,
  sums: Matrix,
): void {
  for (const [d, shape] of layers[0].entries())
    lstmSums(memory, shape, inputs, rows, columnFrom(sums, 4 * units * d));
}

/** Dropout in training: its rates, and the stream that decides which entries are dropped. */
export interface EncoderDropout {
  /** Of the inputs, and of the states of each layer. */
  readonly inputs: number;
  readonly layers: number;
  readonly stream: Random;
}

/** Trace of a forward pass, for `encoderBackward`. */
export interface EncoderTrace {
  readonly batch: SentenceBatch;
  /** The states of each layer, after dropout. */
  readonly states: readonly Matrix[];
  /** Both directions of each layer. */
  readonly directions: readonly (readonly LstmTrace[])[];
  /** Factors of dropout of the inputs, then of the states of each layer. */
  readonly factors: readonly Matrix[];
}

/**
 * Computes the same states as `encoderRead`, with dropout and with a trace. Cost as `encoderRead`.
 *
 * @param inputs rows that follow each other; dropout changes them
 */
export function encoderForward(
  memory: MatrixMemory,
  { units, layers }: EncoderShape,
  batch: SentenceBatch,
  inputs: Matrix,
  rates: EncoderDropout,
): EncoderTrace {
  const rows = rowsOf(batch);
  const drop = (entries: Matrix, rate: number) =>
    dropout(memory, entries, rows * entries.row, rate, rates.stream);
  const factors = [drop(inputs, rates.inputs)];
  const states: Matrix[] = [];
  const directions = layers.map((shapes) => {
    const below = states.at(-1) ?? inputs;
    const own = memory.unsetMatrix(rows, 2 * units);
    const traces = shapes.map((shape, d) =>
      lstmForward(memory, shape, batch, below, columnFrom(own, d * units)),
    );
    factors.push(drop(own, rates.layers));
    states.push(own);
    return traces;
  });
  return { batch, states, directions, factors };
}

/** Gradients: state gradients are overwritten, parameter gradients are added to. */
export interface EncoderGradients {
  /** Of the states of the last layer. */
  readonly states: Matrix;
  /** Of the states of the first of several layers, by what reads them besides the second; undefined: nothing does. */
  readonly first?: Matrix | undefined;
  /** Distance from a parameter to its gradient. */
  readonly parameters: number;
}

/**
 * Adds the gradients of parameters, given the gradients of states; returns the gradients of the inputs. Cost
 * as forward, twice.
 */
export function encoderBackward(
  memory: MatrixMemory,
  { units, layers }: EncoderShape,
  { batch, directions, factors }: EncoderTrace,
  { states, first, parameters }: EncoderGradients,
): Matrix {
  const rows = rowsOf(batch);
  const undrop = (gradients: Matrix, layer: number) =>
    multiplyInPlace(memory.values, gradients, factors[layer], rows * gradients.row);
  let gradients = states;
  for (let layer = layers.length - 1; layer >= 0; layer--) {
    if (layer === 0 && first) addRows(memory.values, gradients, first, rows, first.row);
    undrop(gradients, layer + 1);
    const shapes = layers[layer];
    const inputs = memory.matrix(rows, shapes[0].inputs);
    for (const [d, shape] of shapes.entries()) {
      const own = columnFrom(gradients, d * units);
      lstmBackward(memory, shape, directions[layer][d], { states: own, inputs, parameters });
    }
    gradients = inputs;
  }
  undrop(gradients, 0);
  return gradients;
}

/** Layers of long short-term memories, each in both directions. */
export const encoderLayers = {
  at: encoderAt,
  size: encoderSize,
  initialize: initializeEncoder,
  weights: encoderWeights,
  sums: encoderSums,
  forward: encoderForward,
  read: encoderRead,
  backward: encoderBackward,
} as const;
