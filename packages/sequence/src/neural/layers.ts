import { random } from "@arcwise/core";

/**
 * Layers of a network over one vector of parameters. A layer of `outputs` by `inputs` weights lies at an offset, row by
 * row, its biases behind it. Nothing is allocated here.
 */

/** A layer's place among the parameters. */
export interface Layer {
  readonly at: number;
  readonly inputs: number;
  readonly outputs: number;
}

/** Parameters of a layer. */
export function layerSize({
  inputs,
  outputs,
}: {
  readonly inputs: number;
  readonly outputs: number;
}): number {
  return outputs * (inputs + 1);
}

/** y = W x + b. O(inputs · outputs). */
export function affine(
  parameters: Float64Array,
  { at, inputs, outputs }: Layer,
  x: Float64Array,
  xAt: number,
  y: Float64Array,
  yAt: number,
): void {
  const biases = at + outputs * inputs;
  for (let o = 0; o < outputs; o++) {
    const row = at + o * inputs;
    let sum = parameters[biases + o]!;
    for (let k = 0; k < inputs; k++) sum += parameters[row + k]! * x[xAt + k]!;
    y[yAt + o] = sum;
  }
}

/** Adds the gradient of a layer's parameters, and of what went into it, given that of what came out. */
export function affineBackward(
  parameters: Float64Array,
  { at, inputs, outputs }: Layer,
  x: Float64Array,
  xAt: number,
  dy: Float64Array,
  dyAt: number,
  gradient: Float64Array,
  dx: Float64Array,
  dxAt: number,
): void {
  const biases = at + outputs * inputs;
  for (let o = 0; o < outputs; o++) {
    const slope = dy[dyAt + o]!;
    if (slope === 0) continue;
    const row = at + o * inputs;
    gradient[biases + o]! += slope;
    for (let k = 0; k < inputs; k++) {
      gradient[row + k]! += slope * x[xAt + k]!;
      dx[dxAt + k]! += slope * parameters[row + k]!;
    }
  }
}

/** Hyperbolic tangents in place. */
export function squash(values: Float64Array, at: number, length: number): void {
  for (let k = at; k < at + length; k++) values[k] = Math.tanh(values[k]!);
}

/** The slopes before a tangent, from those behind it, in place. */
export function squashBackward(values: Float64Array, slopes: Float64Array, at: number, length: number): void {
  for (let k = at; k < at + length; k++) slopes[k]! *= 1 - values[k]! ** 2;
}

/** Random starting values: normal, with the deviation 1 / root of the number of inputs (LeCun et al. 1998). */
export function initialise(parameters: Float64Array, layers: readonly Layer[], seed: number): void {
  const rng = random(seed);
  for (const { at, inputs, outputs } of layers) {
    for (let k = 0; k < inputs * outputs; k++) parameters[at + k] = rng.normal() / Math.sqrt(inputs);
  }
}

/** Random embeddings of small length. */
export function initialiseEmbeddings(
  parameters: Float64Array,
  from: number,
  end: number,
  seed: number,
): void {
  const rng = random(seed);
  for (let k = from; k < end; k++) parameters[k] = 0.1 * rng.normal();
}
