import { type Random, random } from "@arcwise/core";
import {
  denseLayer,
  elmanLayer,
  encoderLayers,
  fillNormal,
  type Matrix,
  type MatrixMemory,
  sentenceBatch,
} from "@arcwise/neural";

/** Result of a forward pass over the rows of a sentence. */
export interface Pass {
  readonly outputs: Matrix;
  /**
   * Adds the gradients of parameters, given the gradients of the outputs; returns the gradients of the inputs.
   *
   * @param parameters distance from a parameter to its gradient
   */
  backward(outputs: Matrix, parameters: number): Matrix;
}

/** A layer at an offset. */
export interface Layer {
  /** Number of parameters. */
  readonly size: number;
  /** Writes random parameters. */
  initialize(values: Float32Array, stream: Random): void;
  /** Computes a row of outputs for each of n rows of inputs. */
  forward(memory: MatrixMemory, inputs: Matrix, n: number): Pass;
  /** Computes the states after one more position of `rows` sequences. Only layers have it that read from left to right. */
  step?(memory: MatrixMemory, inputs: Matrix, before: Matrix, rows: number): Matrix;
}

/** Makes a layer whose parameters begin at an offset. */
export type LayerFactory = (offset: number) => Layer;

/** A dense layer, which sees one position. */
export function dense(inputs: number, outputs: number, activation: "none" | "tanh"): LayerFactory {
  return (offset) => {
    const shape = denseLayer.at(offset, inputs, outputs, activation);
    return {
      size: denseLayer.size(inputs, outputs),
      initialize: (values, stream) => denseLayer.initialize(values, shape, stream),
      forward(memory, rows, n) {
        const trace = denseLayer.forward(memory, shape, rows, n);
        return {
          outputs: trace.outputs,
          backward(gradients, parameters) {
            const into = memory.matrix(n, inputs);
            denseLayer.backward(memory, shape, trace, { outputs: gradients, inputs: into, parameters });
            return into;
          },
        };
      },
    };
  };
}

/** A simple recurrent layer (Elman 1990), which sees all positions before. */
export function elman(inputs: number, units: number): LayerFactory {
  return (offset) => {
    const shape = elmanLayer.at(offset, inputs, units);
    return {
      size: elmanLayer.size(inputs, units),
      // Weights of inputs and of the previous state are contiguous.
      initialize: (values, stream) =>
        fillNormal(values, shape.input, (inputs + units) * units, 1 / Math.sqrt(inputs + units), stream),
      forward(memory, rows, n) {
        const trace = elmanLayer.forward(memory, shape, sentenceBatch([n]), rows);
        return {
          outputs: trace.states,
          backward(states, parameters) {
            const into = memory.matrix(n, inputs);
            elmanLayer.backward(memory, shape, trace, { states, inputs: into, parameters });
            return into;
          },
        };
      },
      step: (memory, rows, before, count) => elmanLayer.step(memory, shape, rows, before, count),
    };
  };
}

/**
 * A long short-term memory in both directions, which sees the whole sentence at each position (Huang, Xu and Yu 2015):
 * rows of 2 `units` outputs.
 */
export function lstm(inputs: number, units: number): LayerFactory {
  const widths = { inputs, units, layers: 1 };
  // At rates of 0 nothing is dropped, whatever the stream.
  const rates = { inputs: 0, layers: 0, stream: random(0) };
  return (offset) => {
    const shape = encoderLayers.at(offset, widths);
    return {
      size: encoderLayers.size(widths),
      initialize: (values, stream) => encoderLayers.initialize(values, shape, stream),
      forward(memory, rows, n) {
        const trace = encoderLayers.forward(memory, shape, sentenceBatch([n]), rows, rates);
        return {
          outputs: trace.states.at(-1)!,
          backward: (states, parameters) =>
            encoderLayers.backward(memory, shape, trace, { states, parameters }),
        };
      },
    };
  };
}
