import type { Random } from "@arcwise/core";
import type { CellStep } from "../kernel-steps.ts";
import type { MatrixMemory } from "../matrices.ts";
import { type Matrix, matrix, transposed } from "../matrix.ts";
import { fillNormal } from "../parameters.ts";
import { addColumnSums, copyRows, moved, rowFrom } from "../rows.ts";
import { type BatchStep, rowsOf, type SentenceBatch, stepNumbers, stepsOf } from "../sentence-batch.ts";
import { checkWidths } from "./widths.ts";

/** A long short-term memory layer in one direction, with its offsets among the parameters. */
export interface LstmShape {
  readonly inputs: number;
  /** Length of a state. */
  readonly units: number;
  /** Whether sequences are read from their ends. */
  readonly backward: boolean;
  /**
   * Weights of inputs (`inputs` rows), of the previous state (`units` rows), and biases. Their 4 · `units`
   * columns belong to the input gate, the forget gate, the candidate and the output gate.
   */
  readonly input: Matrix;
  readonly state: Matrix;
  readonly bias: Matrix;
}

/** Returns the number of parameters. */
export function lstmSize(inputs: number, units: number): number {
  return (inputs + units + 1) * 4 * units;
}

/** Returns the layer at an offset. */
export function lstmAt(at: number, inputs: number, units: number, backward: boolean): LstmShape {
  checkWidths({ inputs, units });
  const state = at + inputs * 4 * units;
  return {
    inputs,
    units,
    backward,
    input: matrix(at, 4 * units),
    state: matrix(state, 4 * units),
    bias: matrix(state + units * 4 * units, 4 * units),
  };
}

/** Writes random weights, and biases of 0, except of forget gates: the biases were 0 before. */
export function initializeLstm(values: Float32Array, shape: LstmShape, stream: Random): void {
  const { inputs, units, input, bias } = shape;
  // The weights of inputs and of the previous state are contiguous.
  fillNormal(values, input, (inputs + units) * 4 * units, 1 / Math.sqrt(inputs + units), stream);
  // Forget gates that are open at first let gradients reach far (Gers, Schmidhuber and Cummins 2000).
  values.fill(1, bias.at + units, bias.at + 2 * units);
}

/** Trace of a forward pass, for `lstmBackward`: matrices with a row for each row of the batch. */
export interface LstmTrace {
  readonly batch: SentenceBatch;
  readonly inputs: Matrix;
  /**
   * Input gate, forget gate, candidate, output gate. The backward pass replaces them by the gradients of
   * their inputs.
   */
  readonly gates: Matrix;
  /** State before each position; cells and their hyperbolic tangents. */
  readonly before: Matrix;
  readonly cells: Matrix;
  readonly tangents: Matrix;
  /** States: columns of a wider matrix. */
  readonly states: Matrix;
}

/**
 * Computes the states of a long short-term memory (Hochreiter and Schmidhuber 1997) with forget gates (Gers,
 * Schmidhuber and Cummins 2000) at all positions. O(rows · units (inputs + units)).
 *
 * @param states zeros, allocated by the caller: may be columns of a wider matrix, such as the matrix of both
 *   directions
 */
export function lstmForward(
  memory: MatrixMemory,
  shape: LstmShape,
  batch: SentenceBatch,
  inputs: Matrix,
  states: Matrix,
): LstmTrace {
  const { units } = shape;
  const rows = rowsOf(batch);
  const gates = memory.unsetMatrix(rows, 4 * units);
  const before = memory.matrix(rows, units);
  const cells = memory.unsetMatrix(rows, units);
  const tangents = memory.unsetMatrix(rows, units);
  const trace = { batch, inputs, gates, before, cells, tangents, states };
  memory.fillRows(gates, shape.bias, rows, 4 * units);
  memory.multiply(gates, inputs, shape.input, rows, 4 * units, shape.inputs);
  for (const step of stepsOf(batch, shape.backward)) {
    const own = rowFrom(before, step.row);
    copyRows(memory.values, own, rowFrom(states, step.previous), step.continued, units);
    memory.multiply(rowFrom(gates, step.row), own, shape.state, step.continued, 4 * units, units);
    const { row, previous, continued, active } = step;
    memory.cell(cellStep(trace, units, row, previous, continued));
    memory.cell(cellStep(trace, units, row + continued, -1, active - continued));
  }
  return trace;
}

/** Inputs whose products with the weights are known: row `entries[r]` of the table has the sums of the gates of row r. */
export interface KnownInputs {
  readonly table: Matrix;
  readonly entries: Int32Array;
  /** More inputs of each row, whose products are not known. Absent: nothing is added. */
  readonly added?: Matrix | undefined;
}

/** Maximum number of rows whose gates `lstmRead` holds at a time, unless a step has more. */
const MAX_READ_ROWS = 64;

/**
 * Computes the same states as `lstmForward`, to the bit, without what a backward pass needs: gates and cells
 * of a few steps at a time, which fit into caches. Cost as `lstmForward`, in less memory.
 *
 * @param states allocated by the caller, with any entries: may be columns of a wider matrix
 */
export function lstmRead(
  memory: MatrixMemory,
  shape: LstmShape,
  batch: SentenceBatch,
  inputs: Matrix | KnownInputs,
  states: Matrix,
): void {
  const { units } = shape;
  const width = 4 * units;
  const { mark } = memory;
  const most = batch.lengths.length;
  const gates = memory.unsetMatrix(Math.max(most, MAX_READ_ROWS), width);
  const { at: cells } = memory.unsetMatrix(most, units);
  const { at: tangents } = memory.unsetMatrix(most, units);
  const steps = stepNumbers(batch, shape.backward);
  for (let from = 0, to = 0; from < steps.length; from = to) {
    let rows = steps[to + ACTIVE];
    to += STEP;
    while (to < steps.length && rows + steps[to + ACTIVE] <= MAX_READ_ROWS) {
      rows += steps[to + ACTIVE];
      to += STEP;
    }
    // Steps in turn have rows in turn: backward, the rows of the last step come first.
    const first = Math.min(steps[from], steps[to - STEP]);
    if ("entries" in inputs) readKnown(memory, shape, gates, inputs, first, rows);
    else lstmSums(memory, shape, rowFrom(inputs, first), rows, gates);
    memory.lstmSteps({
      gates: gates.at - first * width,
      cells,
      tangents,
      states,
      units,
      weights: shape.state,
      steps: steps.subarray(from, to),
      rows: most,
    });
  }
  memory.release(mark);
}

/** Numbers of a step, and the place of the number of its rows among them: see `stepNumbers`. */
const STEP = 4;
const ACTIVE = 3;

/** Writes the sums of the gates of inputs, without the previous state: to columns of a wider matrix, or to a matrix. */
export function lstmSums(
  memory: MatrixMemory,
  { inputs, units, input, bias }: LstmShape,
  rows: Matrix,
  count: number,
  sums: Matrix,
): void {
  memory.fillRows(sums, bias, count, 4 * units);
  memory.multiply(sums, rows, input, count, 4 * units, inputs);
}

/** Copies the known sums of some rows from one on, and adds the products of what is added to them. */
function readKnown(
  memory: MatrixMemory,
  { inputs, units, input }: LstmShape,
  gates: Matrix,
  { table, entries, added }: KnownInputs,
  first: number,
  rows: number,
): void {
  memory.gatherRows(gates, table, gates.row, entries.subarray(first, first + rows));
  if (added !== undefined) memory.multiply(gates, rowFrom(added, first), input, rows, 4 * units, inputs);
}

/** Gradients of states are overwritten, gradients of inputs and parameters are added to. */
export interface LstmGradients {
  /** Columns of a wider matrix, as the states. */
  readonly states: Matrix;
  readonly inputs: Matrix;
  /** Distance from a parameter to its gradient. */
  readonly parameters: number;
}

/**
 * Adds the gradients of parameters and inputs, given the gradients of the states: back-propagation through
 * time. Cost as forward.
 */
export function lstmBackward(
  memory: MatrixMemory,
  shape: LstmShape,
  trace: LstmTrace,
  { states: ds, inputs: dx, parameters }: LstmGradients,
): void {
  const { units, inputs } = shape;
  const { batch, gates } = trace;
  const rows = rowsOf(batch);
  const cellGradients = memory.matrix(rows, units);
  const stateByGate = memory.matrix(4 * units, units);
  memory.transpose(stateByGate, shape.state, units, 4 * units);
  for (const step of stepsOf(batch, shape.backward).reverse()) {
    for (let s = 0; s < step.active; s++) {
      const row = step.row + s;
      const previous = previousRow(step, s);
      memory.cellBack(cellStep(trace, units, row, previous, 1), {
        states: ds.at + row * ds.row,
        cells: cellGradients.at + row * units,
        before: cellGradients.at + previous * units,
      });
    }
    const { continued } = step;
    const earlier = rowFrom(ds, step.previous);
    memory.multiply(earlier, rowFrom(gates, step.row), stateByGate, continued, units, 4 * units);
  }
  memory.multiply(moved(shape.state, parameters), transposed(trace.before), gates, units, 4 * units, rows);
  memory.multiply(moved(shape.input, parameters), transposed(trace.inputs), gates, inputs, 4 * units, rows);
  addColumnSums(memory.values, moved(shape.bias, parameters), gates, rows, 4 * units);
  const inputByGate = memory.matrix(4 * units, inputs);
  memory.transpose(inputByGate, shape.input, inputs, 4 * units);
  memory.multiply(dx, gates, inputByGate, rows, inputs, 4 * units);
}

/** Returns the row of the previous position in the s-th sequence of a step; -1 at its beginning. */
function previousRow({ previous, continued }: BatchStep, s: number): number {
  return s < continued ? previous + s : -1;
}

/** Returns the offsets of some rows from one on. */
function cellStep(
  { gates, cells, tangents, states }: LstmTrace,
  units: number,
  row: number,
  previous: number,
  rows: number,
): CellStep {
  return {
    gates: gates.at + row * gates.row,
    before: previous < 0 ? -1 : cells.at + previous * units,
    cells: cells.at + row * units,
    tangents: tangents.at + row * units,
    states: states.at + row * states.row,
    units,
    rows,
    statesRow: states.row,
  };
}
