import { random } from "@arcwise/core";
import {
  type DenseShape,
  denseAt,
  denseSize,
  type EmbeddingShape,
  embeddingAt,
  embeddingSize,
  fillNormal,
  type LstmShape,
  lstmAt,
  lstmSize,
  type Matrix,
  padded,
} from "@arcwise/neural";

/** Widths of a network. */
export interface NetworkShape {
  /** Features with an embedding. */
  readonly features: number;
  /** Length of an embedding, and units of each direction: multiples of 4. */
  readonly embedding: number;
  readonly units: number;
  readonly classes: number;
}

/** The layers of a network, in the order of their parameters. */
export interface Layers {
  readonly embeddings: EmbeddingShape;
  readonly forward: LstmShape;
  readonly backward: LstmShape;
  readonly output: DenseShape;
  /** Layers of auxiliary classes, which only training has. */
  readonly auxiliary: readonly DenseShape[];
}

/**
 * Returns the number of parameters.
 *
 * @param auxiliary numbers of auxiliary classes, whose layers come last
 */
export function networkSize(shape: NetworkShape, auxiliary: readonly number[] = []): number {
  const { features, embedding, units, classes } = shape;
  const recurrent = 2 * lstmSize(embedding, units);
  return [classes, ...auxiliary].reduce(
    (size, outputs) => size + denseSize(2 * units, padded(outputs)),
    embeddingSize(features, embedding) + recurrent,
  );
}

/** Returns the layers of a network whose parameters begin at an offset. */
export function layersAt(first: number, shape: NetworkShape, auxiliary: readonly number[]): Layers {
  const { features, embedding, units, classes } = shape;
  const recurrent = first + embeddingSize(features, embedding);
  const size = lstmSize(embedding, units);
  const outputs: DenseShape[] = [];
  let at = recurrent + 2 * size;
  for (const own of [classes, ...auxiliary]) {
    outputs.push(denseAt(at, 2 * units, padded(own), "none"));
    at += denseSize(2 * units, padded(own));
  }
  return {
    embeddings: embeddingAt(first, features, embedding),
    forward: lstmAt(recurrent, embedding, units, false),
    backward: lstmAt(recurrent + size, embedding, units, true),
    output: outputs[0]!,
    auxiliary: outputs.slice(1),
  };
}

/** A matrix of weights, with its numbers of rows and columns. */
interface Weights {
  readonly weights: Matrix;
  readonly inputs: number;
  readonly outputs: number;
}

/** Returns the weights that reading multiplies rows with. */
export function weightsOf({ forward, backward, output }: Layers): readonly Weights[] {
  return [
    ...[forward, backward].flatMap(({ inputs, units, input, state }) => [
      { weights: input, inputs, outputs: 4 * units },
      { weights: state, inputs: units, outputs: 4 * units },
    ]),
    output,
  ];
}

/** Standard deviation of embeddings, a few of which are summed. */
const EMBEDDING_DEVIATION = 0.2;

/** Writes random parameters: the same seed gives the same. Biases are 0, except those of forget gates. */
export function initialize(values: Float32Array, layers: Layers, seed: number): void {
  const stream = random(seed);
  const normal = (of: Matrix, length: number, deviation: number) =>
    fillNormal(values, of, length, deviation, stream);
  const { embeddings, output, auxiliary } = layers;
  normal(embeddings.table, embeddings.entries * embeddings.units, EMBEDDING_DEVIATION);
  for (const { inputs, units, input, state, bias } of [layers.forward, layers.backward]) {
    normal(input, inputs * 4 * units, 1 / Math.sqrt(inputs + units));
    normal(state, units * 4 * units, 1 / Math.sqrt(inputs + units));
    // Forget gates that are open at first let gradients reach far (Gers, Schmidhuber and Cummins 2000).
    values.fill(1, bias.at + units, bias.at + 2 * units);
  }
  for (const { weights, inputs, outputs } of [output, ...auxiliary])
    normal(weights, inputs * outputs, 1 / Math.sqrt(inputs));
}
