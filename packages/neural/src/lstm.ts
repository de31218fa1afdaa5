import { tanh } from "./functions.ts";
import { type Matrix, type MatrixMemory, matrix, transposed } from "./matrices.ts";
import { addColumnSums, copyRows, fillRows, moved, rowFrom } from "./rows.ts";
import { rowsOf, type SentenceBatch } from "./sentence-batch.ts";

/** A layer of a network over sentences, read in one direction, with its places among the parameters. */
export interface LstmShape {
  readonly inputs: number;
  /** Length of a state. */
  readonly units: number;
  /** Whether sentences are read from their ends. */
  readonly backward: boolean;
  /** Weights of inputs (`inputs` rows), of the state before (`units` rows) and biases: columns are those of four gates. */
  readonly input: Matrix;
  readonly state: Matrix;
  readonly bias: Matrix;
}

/** Parameters of a layer. */
export function lstmSize(inputs: number, units: number): number {
  return (inputs + units + 1) * 4 * units;
}

/** A layer of parameters that begin at a place. */
export function lstmAt(at: number, inputs: number, units: number, backward: boolean): LstmShape {
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

/** What was computed on the way forward, by rows of a batch. */
export interface LstmTrace {
  readonly inputs: Matrix;
  /** Input, forget and output gates with the candidate before the last: after the way back, the slopes before them. */
  readonly gates: Matrix;
  /** States before each position, cells, and their tangents. */
  readonly before: Matrix;
  readonly cells: Matrix;
  readonly tangents: Matrix;
  /** States: columns of a wider matrix. */
  readonly states: Matrix;
}

/**
 * Long short-term memory (Hochreiter and Schmidhuber 1997) with forget gates (Gers, Schmidhuber and Cummins 2000): writes the
 * states of all positions. O(rows · units (inputs + units)).
 *
 * @param states columns of a matrix that are 0; allocated before, as the inputs
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
  const gates = memory.matrix(rows, 4 * units);
  const before = memory.matrix(rows, units);
  const cells = memory.matrix(rows, units);
  const tangents = memory.matrix(rows, units);
  const trace = { inputs, gates, before, cells, tangents, states };
  fillRows(memory.values, gates, shape.bias, rows, 4 * units);
  memory.multiply(gates, inputs, shape.input, rows, 4 * units, shape.inputs);
  for (const step of stepsOf(batch, shape.backward)) {
    copyRows(memory.values, before, step.row, states, step.previous, step.continued, units);
    const here = rowFrom(gates, step.row);
    memory.multiply(here, rowFrom(before, step.row), shape.state, step.continued, 4 * units, units);
    for (let s = 0; s < step.active; s++) {
      const previous = s < step.continued ? step.previous + s : -1;
      stepCell(memory.values, trace, step.row + s, previous, units);
    }
  }
  return trace;
}

/**
 * Adds the gradients of a layer's parameters and of its inputs, from those of its states, which are spent.
 *
 * @param gradient how far from a parameter its gradient lies
 * @param slopes of states: columns of a matrix
 */
export function lstmBackward(
  memory: MatrixMemory,
  shape: LstmShape,
  batch: SentenceBatch,
  trace: LstmTrace,
  slopes: Matrix,
  inputSlopes: Matrix,
  gradient: number,
): void {
  const { units, inputs } = shape;
  const rows = rowsOf(batch);
  const cellSlopes = memory.matrix(rows, units);
  const turned = memory.matrix(4 * units, units);
  memory.transpose(turned, shape.state, units, 4 * units);
  for (const step of stepsOf(batch, shape.backward).reverse()) {
    for (let s = 0; s < step.active; s++) {
      const previous = s < step.continued ? step.previous + s : -1;
      stepCellBackward(memory.values, trace, slopes, cellSlopes, step.row + s, previous, units);
    }
    const earlier = rowFrom(slopes, step.previous);
    memory.multiply(earlier, rowFrom(trace.gates, step.row), turned, step.continued, units, 4 * units);
  }
  const { gates } = trace;
  memory.multiply(moved(shape.state, gradient), transposed(trace.before), gates, units, 4 * units, rows);
  memory.multiply(moved(shape.input, gradient), transposed(trace.inputs), gates, inputs, 4 * units, rows);
  addColumnSums(memory.values, moved(shape.bias, gradient), gates, rows, 4 * units);
  const turnedInput = memory.matrix(4 * units, inputs);
  memory.transpose(turnedInput, shape.input, inputs, 4 * units);
  memory.multiply(inputSlopes, gates, turnedInput, rows, inputs, 4 * units);
}

/** A position of all sentences that have it, in the order of reading. */
interface Step {
  /** First of its rows, and how many there are. */
  readonly row: number;
  readonly active: number;
  /** First row of the position before, and how many sentences have one: the first ones. */
  readonly previous: number;
  readonly continued: number;
}

function stepsOf({ start }: SentenceBatch, backward: boolean): Step[] {
  const longest = start.length - 1;
  const steps: Step[] = [];
  for (let t = 0; t < longest; t++) {
    const [row, end] = [start[t]!, start[t + 1]!];
    const active = end - row;
    if (backward) {
      const continued = t + 1 < longest ? start[t + 2]! - end : 0;
      steps.push({ row, active, previous: end, continued });
    } else steps.push({ row, active, previous: t > 0 ? start[t - 1]! : 0, continued: t > 0 ? active : 0 });
  }
  return backward ? steps.reverse() : steps;
}

function stepCell(
  values: Float32Array,
  { gates, cells, tangents, states }: LstmTrace,
  row: number,
  previous: number,
  units: number,
): void {
  const gate = gates.at + row * gates.row;
  const cell = cells.at + row * units;
  const tangent = tangents.at + row * units;
  const state = states.at + row * states.row;
  const before = previous < 0 ? -1 : cells.at + previous * units;
  for (let k = 0; k < units; k++) {
    const admitted = sigmoid(values[gate + k]!);
    const kept = sigmoid(values[gate + units + k]!);
    const candidate = tanh(values[gate + 2 * units + k]!);
    const shown = sigmoid(values[gate + 3 * units + k]!);
    const now = admitted * candidate + (before < 0 ? 0 : kept * values[before + k]!);
    const squashed = tanh(now);
    values[gate + k] = admitted;
    values[gate + units + k] = kept;
    values[gate + 2 * units + k] = candidate;
    values[gate + 3 * units + k] = shown;
    values[cell + k] = now;
    values[tangent + k] = squashed;
    values[state + k] = shown * squashed;
  }
}

/** Turns the gates of a row into the slopes before them. */
function stepCellBackward(
  values: Float32Array,
  { gates, cells, tangents }: LstmTrace,
  slopes: Matrix,
  cellSlopes: Matrix,
  row: number,
  previous: number,
  units: number,
): void {
  const gate = gates.at + row * gates.row;
  const tangent = tangents.at + row * units;
  const slope = slopes.at + row * slopes.row;
  const cellSlope = cellSlopes.at + row * units;
  const before = previous < 0 ? -1 : cells.at + previous * units;
  const slopeBefore = previous < 0 ? -1 : cellSlopes.at + previous * units;
  for (let k = 0; k < units; k++) {
    const admitted = values[gate + k]!;
    const kept = values[gate + units + k]!;
    const candidate = values[gate + 2 * units + k]!;
    const shown = values[gate + 3 * units + k]!;
    const squashed = values[tangent + k]!;
    const out = values[slope + k]!;
    const into = values[cellSlope + k]! + out * shown * (1 - squashed * squashed);
    const earlier = before < 0 ? 0 : values[before + k]!;
    values[gate + k] = into * candidate * admitted * (1 - admitted);
    values[gate + units + k] = into * earlier * kept * (1 - kept);
    values[gate + 2 * units + k] = into * admitted * (1 - candidate * candidate);
    values[gate + 3 * units + k] = out * squashed * shown * (1 - shown);
    if (slopeBefore >= 0) values[slopeBefore + k]! += into * kept;
  }
}

function sigmoid(x: number): number {
  return 0.5 + 0.5 * tanh(0.5 * x);
}
