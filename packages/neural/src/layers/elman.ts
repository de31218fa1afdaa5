import { tanh } from "../functions.ts";
import type { MatrixMemory } from "../matrices.ts";
import { type Matrix, matrix, transposed } from "../matrix.ts";
import { addColumnSums, copyRows, moved, rowFrom } from "../rows.ts";
import { rowsOf, type SentenceBatch, stepsOf } from "../sentence-batch.ts";
import { checkWidths } from "./widths.ts";

/** A simple recurrent layer, with its offsets among the parameters. */
export interface ElmanShape {
  readonly inputs: number;
  /** Length of a state. */
  readonly units: number;
  /** Weights of inputs (`inputs` rows) and of the previous state (`units` rows), and biases. */
  readonly input: Matrix;
  readonly state: Matrix;
  readonly bias: Matrix;
}

/** Returns the number of parameters. */
export function elmanSize(inputs: number, units: number): number {
  return (inputs + units + 1) * units;
}

/** Returns the layer at an offset. */
export function elmanAt(at: number, inputs: number, units: number): ElmanShape {
  checkWidths({ inputs, units });
  const state = at + inputs * units;
  return {
    inputs,
    units,
    input: matrix(at, units),
    state: matrix(state, units),
    bias: matrix(state + units * units, units),
  };
}

/** Trace of a forward pass, for `elmanBackward`: matrices with a row for each row of the batch. */
export interface ElmanTrace {
  readonly batch: SentenceBatch;
  readonly inputs: Matrix;
  /** State before each position. */
  readonly before: Matrix;
  readonly states: Matrix;
}

/**
 * Computes the states of a simple recurrent network (Elman 1990): each is tanh(W x + V h + b), with the input
 * x and the previous state h, 0 at the beginning. O(rows · units (inputs + units)).
 */
export function elmanForward(
  memory: MatrixMemory,
  shape: ElmanShape,
  batch: SentenceBatch,
  inputs: Matrix,
): ElmanTrace {
  const { units } = shape;
  const rows = rowsOf(batch);
  const before = memory.matrix(rows, units);
  const states = memory.matrix(rows, units);
  memory.fillRows(states, shape.bias, rows, units);
  memory.multiply(states, inputs, shape.input, rows, units, shape.inputs);
  for (const { row, active, previous, continued } of stepsOf(batch, false)) {
    const own = rowFrom(before, row);
    copyRows(memory.values, own, rowFrom(states, previous), continued, units);
    const here = rowFrom(states, row);
    memory.multiply(here, own, shape.state, continued, units, units);
    applyTanh(memory.values, here.at, active * units);
  }
  return { batch, inputs, before, states };
}

/**
 * Makes one step for `rows` rows of inputs and previous states: returns the next states. O(rows · units
 * (inputs + units)).
 */
export function elmanStep(
  memory: MatrixMemory,
  shape: ElmanShape,
  inputs: Matrix,
  before: Matrix,
  rows: number,
): Matrix {
  const { units } = shape;
  const states = memory.matrix(rows, units);
  memory.fillRows(states, shape.bias, rows, units);
  memory.multiply(states, inputs, shape.input, rows, units, shape.inputs);
  memory.multiply(states, before, shape.state, rows, units, units);
  applyTanh(memory.values, states.at, rows * units);
  return states;
}

/** Gradients of states are overwritten, gradients of inputs and parameters are added to. */
export interface ElmanGradients {
  readonly states: Matrix;
  readonly inputs: Matrix;
  /** Distance from a parameter to its gradient. */
  readonly parameters: number;
}

/**
 * Adds the gradients of parameters and inputs, given the gradients of the states: back-propagation through
 * time. Cost as forward.
 */
export function elmanBackward(
  memory: MatrixMemory,
  shape: ElmanShape,
  { batch, inputs: x, before, states }: ElmanTrace,
  { states: ds, inputs: dx, parameters }: ElmanGradients,
): void {
  const { units, inputs } = shape;
  const rows = rowsOf(batch);
  const stateByUnit = memory.matrix(units, units);
  const inputByUnit = memory.matrix(units, inputs);
  memory.transpose(stateByUnit, shape.state, units, units);
  memory.transpose(inputByUnit, shape.input, inputs, units);
  const { values } = memory;
  for (const { row, active, previous, continued } of stepsOf(batch, false).reverse()) {
    const here = rowFrom(ds, row);
    for (let i = 0; i < active * units; i++) {
      const state = values[states.at + row * units + i];
      values[here.at + i] *= 1 - state * state;
    }
    memory.multiply(rowFrom(ds, previous), here, stateByUnit, continued, units, units);
  }
  memory.multiply(moved(shape.state, parameters), transposed(before), ds, units, units, rows);
  memory.multiply(moved(shape.input, parameters), transposed(x), ds, inputs, units, rows);
  addColumnSums(values, moved(shape.bias, parameters), ds, rows, units);
  memory.multiply(dx, ds, inputByUnit, rows, inputs, units);
}

function applyTanh(values: Float32Array, at: number, length: number): void {
  for (let i = at; i < at + length; i++) values[i] = tanh(values[i]);
}

/** A simple recurrent layer (Elman 1990). */
export const elmanLayer = {
  at: elmanAt,
  size: elmanSize,
  forward: elmanForward,
  step: elmanStep,
  backward: elmanBackward,
} as const;
