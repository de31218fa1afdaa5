import { LEAK } from "../functions.ts";
import type { MatrixMemory } from "../matrices.ts";
import { type Matrix, matrix, transposed } from "../matrix.ts";
import { addColumnSums, moved } from "../rows.ts";
import { checkWidths } from "./widths.ts";

/** A feed-forward layer over pairs of rows, with its offsets among the parameters. */
export interface PairShape {
  readonly inputs: number;
  readonly units: number;
  /** Weights of the first row of a pair and of the second (`inputs` rows each), and biases. */
  readonly first: Matrix;
  readonly second: Matrix;
  readonly bias: Matrix;
}

/** Returns the number of parameters. */
export function pairSize(inputs: number, units: number): number {
  return (2 * inputs + 1) * units;
}

/** Returns the layer at an offset. */
export function pairAt(at: number, inputs: number, units: number): PairShape {
  checkWidths({ inputs, units });
  const second = at + inputs * units;
  return {
    inputs,
    units,
    first: matrix(at, units),
    second: matrix(second, units),
    bias: matrix(second + inputs * units, units),
  };
}

/** Indices of two rows. */
export interface RowPair {
  readonly first: number;
  readonly second: number;
}

/** Contributions of each row to the units of a pair as its first row (biases included) and as its second. */
export interface PairInputs {
  readonly states: Matrix;
  readonly rows: number;
  readonly first: Matrix;
  readonly second: Matrix;
}

/** Multiplies all rows by both matrices of weights, once for all pairs. O(rows · inputs · units). */
export function pairInputs(memory: MatrixMemory, shape: PairShape, states: Matrix, rows: number): PairInputs {
  const { inputs, units, bias } = shape;
  const first = memory.matrix(rows, units);
  const second = memory.matrix(rows, units);
  memory.fillRows(first, bias, rows, units);
  memory.multiply(first, states, shape.first, rows, units, inputs);
  memory.multiply(second, states, shape.second, rows, units, inputs);
  return { states, rows, first, second };
}

/** Computes leaky ReLUs of W s + V t + b for pairs of rows s and t, one row per pair. O(pairs · units). */
export function pairForward(
  memory: MatrixMemory,
  { units }: PairShape,
  { first, second }: Pick<PairInputs, "first" | "second">,
  pairs: readonly RowPair[],
): Matrix {
  const outputs = memory.unsetMatrix(pairs.length, units);
  const indices = new Int32Array(2 * pairs.length);
  for (let p = 0; p < pairs.length; p++) {
    indices[2 * p] = pairs[p].first;
    indices[2 * p + 1] = pairs[p].second;
  }
  memory.pairRows(outputs, first, second, indices);
  return outputs;
}

/** Trace of a forward pass, for `pairBackward`. */
export interface PairTrace {
  readonly inputs: PairInputs;
  readonly pairs: readonly RowPair[];
  readonly outputs: Matrix;
}

/** Gradients of states and parameters are added to. */
export interface PairGradients {
  readonly outputs: Matrix;
  readonly states: Matrix;
  /** Distance from a parameter to its gradient. */
  readonly parameters: number;
}

/**
 * Adds the gradients of parameters and states, given the gradients of the units. O(pairs · units + rows ·
 * inputs · units).
 */
export function pairBackward(
  memory: MatrixMemory,
  shape: PairShape,
  { inputs: { states, rows }, pairs, outputs }: PairTrace,
  { outputs: dy, states: ds, parameters }: PairGradients,
): void {
  const { inputs, units } = shape;
  const firstGradient = memory.matrix(rows, units);
  const secondGradient = memory.matrix(rows, units);
  const weightsByUnit = memory.matrix(units, inputs);
  const { values } = memory;
  for (const [p, pair] of pairs.entries()) {
    for (let k = 0; k < units; k++) {
      const i = p * units + k;
      const gradient = values[dy.at + i] * (values[outputs.at + i] < 0 ? LEAK : 1);
      values[firstGradient.at + pair.first * units + k] += gradient;
      values[secondGradient.at + pair.second * units + k] += gradient;
    }
  }
  addColumnSums(values, moved(shape.bias, parameters), firstGradient, rows, units);
  for (const [weights, gradients] of [
    [shape.first, firstGradient],
    [shape.second, secondGradient],
  ] as const) {
    memory.multiply(moved(weights, parameters), transposed(states), gradients, inputs, units, rows);
    memory.transpose(weightsByUnit, weights, inputs, units);
    memory.multiply(ds, gradients, weightsByUnit, rows, inputs, units);
  }
}

/** A feed-forward layer over pairs of rows. */
export const pairLayer = {
  at: pairAt,
  size: pairSize,
  inputs: pairInputs,
  forward: pairForward,
  backward: pairBackward,
} as const;
