import { type Random, random } from "@arcwise/core";
import {
  type DenseTrace,
  denseLayer,
  encoderLayers,
  type Matrix,
  type MatrixMemory,
  sentenceBatch,
} from "@arcwise/neural";

/** Layers between the embeddings of a sentence and the scores of its labels. */
export interface NetworkBody {
  /** Writes random parameters. */
  initialize(values: Float32Array, stream: Random): void;
  /** Computes a row of hidden units for each of n positions, from a row of embeddings for each. */
  forward(memory: MatrixMemory, inputs: Matrix, n: number): BodyTrace;
}

/** Result of a forward pass. */
export interface BodyTrace {
  readonly outputs: Matrix;
  /**
   * Adds the gradients of parameters, given the gradients of the outputs; returns the gradients of the inputs.
   *
   * @param parameters distance from a parameter to its gradient
   */
  backward(outputs: Matrix, parameters: number): Matrix;
}

/** The widths of a body, and how to make it once its parameters have an offset. */
export interface BodyShape {
  /** Number of parameters. */
  readonly size: number;
  /** Length of a row of hidden units. */
  readonly outputs: number;
  at(offset: number): NetworkBody;
}

/** Returns the shape of one or two dense layers of tanh, which see the embeddings of one position. */
export function denseBody(inputs: number, hidden: readonly number[]): BodyShape {
  if (hidden.length < 1 || hidden.length > 2)
    throw new RangeError(`expected one or two hidden layers, got ${hidden.length}`);
  const widths = [inputs, ...hidden];
  const sizes = hidden.map((outputs, k) => denseLayer.size(widths[k], outputs));
  return {
    size: sizes.reduce((sum, size) => sum + size, 0),
    outputs: hidden.at(-1)!,
    at(offset) {
      let next = offset;
      const layers = hidden.map((outputs, k) => {
        next += sizes[k];
        return denseLayer.at(next - sizes[k], widths[k], outputs, "tanh");
      });
      return {
        initialize(values, stream) {
          for (const layer of layers) denseLayer.initialize(values, layer, stream);
        },
        forward(memory, from, n) {
          const traces: DenseTrace[] = [];
          for (const layer of layers)
            traces.push(denseLayer.forward(memory, layer, traces.at(-1)?.outputs ?? from, n));
          return {
            outputs: traces.at(-1)!.outputs,
            backward(gradients, parameters) {
              let outputs = gradients;
              for (let k = layers.length - 1; k >= 0; k--) {
                const inputs = memory.matrix(n, layers[k].inputs);
                denseLayer.backward(memory, layers[k], traces[k], { outputs, inputs, parameters });
                outputs = inputs;
              }
              return outputs;
            },
          };
        },
      };
    },
  };
}

/**
 * Returns the shape of a long short-term memory in both directions, which sees the whole sentence at each
 * position (Huang, Xu and Yu 2015).
 */
export function lstmBody(inputs: number, hidden: readonly number[]): BodyShape {
  if (hidden.length !== 1) throw new RangeError(`an LSTM network has one layer, got ${hidden.length}`);
  const widths = { inputs, units: hidden[0], layers: 1 };
  // At rates of 0 nothing is dropped, whatever the stream.
  const rates = { inputs: 0, layers: 0, stream: random(0) };
  return {
    size: encoderLayers.size(widths),
    outputs: 2 * widths.units,
    at(offset) {
      const shape = encoderLayers.at(offset, widths);
      return {
        initialize: (values, stream) => encoderLayers.initialize(values, shape, stream),
        forward(memory, from, n) {
          const trace = encoderLayers.forward(memory, shape, sentenceBatch([n]), from, rates);
          return {
            outputs: trace.states.at(-1)!,
            backward: (states, parameters) =>
              encoderLayers.backward(memory, shape, trace, { states, parameters }),
          };
        },
      };
    },
  };
}
