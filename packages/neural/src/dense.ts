import { LEAK } from "./functions.ts";
import { type Matrix, type MatrixMemory, matrix, transposed } from "./matrices.ts";
import { addColumnSums, fillRows, moved } from "./rows.ts";

/** A layer of rectified units, with its places among the parameters. */
export interface DenseShape {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: Matrix;
  readonly bias: Matrix;
}

export function denseSize(inputs: number, outputs: number): number {
  return (inputs + 1) * outputs;
}

export function denseAt(at: number, inputs: number, outputs: number): DenseShape {
  return { inputs, outputs, weights: matrix(at, outputs), bias: matrix(at + inputs * outputs, outputs) };
}

/** Leaky rectified units over W x + b. O(rows · inputs · outputs). */
export function denseForward(memory: MatrixMemory, shape: DenseShape, x: Matrix, rows: number): Matrix {
  const { inputs, outputs } = shape;
  const y = memory.matrix(rows, outputs);
  fillRows(memory.values, y, shape.bias, rows, outputs);
  memory.multiply(y, x, shape.weights, rows, outputs, inputs);
  const { values } = memory;
  for (let i = y.at; i < y.at + rows * outputs; i++) if (values[i]! < 0) values[i]! *= LEAK;
  return y;
}

/** Adds the gradients of parameters and inputs, from those of the units, which are spent. */
export function denseBackward(
  memory: MatrixMemory,
  shape: DenseShape,
  x: Matrix,
  y: Matrix,
  slopes: Matrix,
  inputSlopes: Matrix,
  rows: number,
  gradient: number,
): void {
  const { inputs, outputs, weights, bias } = shape;
  const turned = memory.matrix(outputs, inputs);
  const { values } = memory;
  for (let i = 0; i < rows * outputs; i++) if (values[y.at + i]! < 0) values[slopes.at + i]! *= LEAK;
  addColumnSums(values, moved(bias, gradient), slopes, rows, outputs);
  memory.multiply(moved(weights, gradient), transposed(x), slopes, inputs, outputs, rows);
  memory.transpose(turned, weights, inputs, outputs);
  memory.multiply(inputSlopes, slopes, turned, rows, inputs, outputs);
}
