import type { Random } from "@arcwise/core";
import { LEAK, tanh } from "../functions.ts";
import type { MatrixMemory } from "../matrices.ts";
import { type Matrix, matrix, transposed } from "../matrix.ts";
import { fillNormal } from "../parameters.ts";
import { addColumnSums, moved } from "../rows.ts";
import { checkWidths } from "./widths.ts";

/** Activation applied to W x + b: none, a leaky ReLU, or the hyperbolic tangent. */
export type Activation = "none" | "leaky-relu" | "tanh";

/** A feed-forward layer, with its offsets among the parameters. */
export interface DenseShape {
  readonly inputs: number;
  readonly outputs: number;
  readonly activation: Activation;
  /** `inputs` rows of `outputs` columns. */
  readonly weights: Matrix;
  readonly bias: Matrix;
}

/** Returns the number of parameters. */
export function denseSize(inputs: number, outputs: number): number {
  return (inputs + 1) * outputs;
}

/** Returns the layer at an offset. */
export function denseAt(at: number, inputs: number, outputs: number, activation: Activation): DenseShape {
  checkWidths({ inputs, outputs });
  const bias = matrix(at + inputs * outputs, outputs);
  return { inputs, outputs, activation, weights: matrix(at, outputs), bias };
}

/** Writes random weights, whose variance is 1 / `inputs`. */
export function initializeDense(
  values: Float32Array,
  { inputs, outputs, weights }: Pick<DenseShape, "inputs" | "outputs" | "weights">,
  stream: Random,
): void {
  fillNormal(values, weights, inputs * outputs, 1 / Math.sqrt(inputs), stream);
}

/** Trace of a forward pass, for `denseBackward`. */
export interface DenseTrace {
  readonly inputs: Matrix;
  readonly outputs: Matrix;
  readonly rows: number;
}

/** Computes the layer's outputs for each row. O(rows · inputs · outputs). */
export function denseForward(memory: MatrixMemory, shape: DenseShape, x: Matrix, rows: number): DenseTrace {
  const { inputs, outputs, activation } = shape;
  const y = memory.unsetMatrix(rows, outputs);
  memory.fillRows(y, shape.bias, rows, outputs);
  memory.multiply(y, x, shape.weights, rows, outputs, inputs);
  activate(memory, y.at, rows * outputs, activation);
  return { inputs: x, outputs: y, rows };
}

/** Gradients of outputs are overwritten, gradients of inputs and parameters are added to. */
export interface DenseGradients {
  readonly outputs: Matrix;
  /** Undefined: inputs do not learn. */
  readonly inputs: Matrix | undefined;
  /** Distance from a parameter to its gradient. */
  readonly parameters: number;
}

/**
 * Adds the gradients of parameters and inputs, given the gradients of the outputs. O(rows · inputs ·
 * outputs).
 */
export function denseBackward(
  memory: MatrixMemory,
  { inputs, outputs, weights, bias, activation }: DenseShape,
  { inputs: x, outputs: y, rows }: DenseTrace,
  gradients: DenseGradients,
): void {
  const { outputs: dy, inputs: dx, parameters } = gradients;
  const weightsByOutput = dx && memory.matrix(outputs, inputs);
  const { values } = memory;
  multiplyByDerivative(values, dy.at, y.at, rows * outputs, activation);
  addColumnSums(values, moved(bias, parameters), dy, rows, outputs);
  memory.multiply(moved(weights, parameters), transposed(x), dy, inputs, outputs, rows);
  if (dx === undefined) return;
  memory.transpose(weightsByOutput!, weights, inputs, outputs);
  memory.multiply(dx, dy, weightsByOutput!, rows, inputs, outputs);
}

function activate(memory: MatrixMemory, at: number, length: number, activation: Activation): void {
  const { values } = memory;
  if (activation === "leaky-relu") memory.leakyRelu(at, length);
  if (activation === "tanh") for (let i = at; i < at + length; i++) values[i] = tanh(values[i]);
}

/** Multiplies gradients by the derivative of the activation, which is a function of its value. */
function multiplyByDerivative(
  values: Float32Array,
  gradients: number,
  outputs: number,
  length: number,
  activation: Activation,
): void {
  if (activation === "leaky-relu") {
    for (let i = 0; i < length; i++) if (values[outputs + i] < 0) values[gradients + i] *= LEAK;
  }
  if (activation === "tanh") {
    for (let i = 0; i < length; i++) {
      const y = values[outputs + i];
      values[gradients + i] *= 1 - y * y;
    }
  }
}

/**
 * A dense layer with an activation.
 *
 * @example
 * import { random } from "@arcwise/core";
 * import { denseLayer, MatrixMemory, Parameters, softmaxLosses, Trainer } from "@arcwise/neural";
 *
 * // Exclusive or: two bits and two zeros, since rows are padded to a multiple of 4; class 1 where the bits
 * // differ.
 * const examples = [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0];
 * const classes = Int32Array.from([0, 1, 1, 0]);
 * const [inputs, units, outputs] = [4, 8, 4];
 *
 * // All parameters are one range of memory; each layer lies at an offset in it.
 * const memory = new MatrixMemory();
 * const size = denseLayer.size(inputs, units) + denseLayer.size(units, outputs);
 * const parameters = new Parameters(memory, size, true);
 * const hidden = denseLayer.at(parameters.first, inputs, units, "tanh");
 * const output = denseLayer.at(parameters.first + denseLayer.size(inputs, units), units, outputs, "none");
 * const stream = random(1);
 * for (const layer of [hidden, output]) denseLayer.initialize(memory.values, layer, stream);
 * const trainer = new Trainer(parameters);
 *
 * // One epoch over all examples: scores, loss, gradients, a step. Returns the loss before the step.
 * function learn(): number {
 *   const mark = memory.mark;
 *   const x = memory.matrix(4, inputs);
 *   memory.values.set(examples, x.at);
 *   const first = denseLayer.forward(memory, hidden, x, 4);
 *   const second = denseLayer.forward(memory, output, first.outputs, 4);
 *
 *   const scoreGradients = memory.matrix(4, outputs);
 *   const unitGradients = memory.matrix(4, units);
 *   const inputGradients = memory.matrix(4, inputs);
 *   const loss = softmaxLosses(memory.values, second.outputs, scoreGradients, classes, 2);
 *   const gradient = parameters.gradient;
 *   denseLayer.backward(memory, output, second, { outputs: scoreGradients, inputs: unitGradients, parameters: gradient });
 *   denseLayer.backward(memory, hidden, first, { outputs: unitGradients, inputs: inputGradients, parameters: gradient });
 *   memory.release(mark);
 *
 *   trainer.step(0.05, { count: 4 });
 *   return loss / 4;
 * }
 *
 * const before = learn();
 * for (let epoch = 1; epoch < 100; epoch++) learn();
 * console.log(before > 0.5, learn() < 0.01); // true true
 */
export const denseLayer = {
  at: denseAt,
  size: denseSize,
  initialize: initializeDense,
  forward: denseForward,
  backward: denseBackward,
} as const;
