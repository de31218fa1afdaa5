import { random } from "@arcwise/core";
import {
  type DenseShape,
  denseAt,
  denseSize,
  type EmbeddingShape,
  type EncoderShape,
  type EncoderWidths,
  embeddingAt,
  embeddingSize,
  encoderAt,
  encoderSize,
  fillNormal,
  initializeDense,
  initializeEncoder,
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
  readonly encoder: EncoderShape;
  readonly output: DenseShape;
  /** Layers of auxiliary classes, which only training has. */
  readonly auxiliary: readonly DenseShape[];
}

function encoderWidths({ embedding, units }: NetworkShape): EncoderWidths {
  return { inputs: embedding, units, layers: 1 };
}

/**
 * Returns the number of parameters.
 *
 * @param auxiliary numbers of auxiliary classes, whose layers come last
 */
export function networkSize(shape: NetworkShape, auxiliary: readonly number[] = []): number {
  const { features, embedding, units, classes } = shape;
  return [classes, ...auxiliary].reduce(
    (size, outputs) => size + denseSize(2 * units, padded(outputs)),
    embeddingSize(features, embedding) + encoderSize(encoderWidths(shape)),
  );
}

/** Returns the layers of a network whose parameters begin at an offset. */
export function layersAt(first: number, shape: NetworkShape, auxiliary: readonly number[]): Layers {
  const { features, embedding, units, classes } = shape;
  const widths = encoderWidths(shape);
  const recurrent = first + embeddingSize(features, embedding);
  let at = recurrent + encoderSize(widths);
  const [output, ...others] = [classes, ...auxiliary].map((outputs) => {
    const layer = denseAt(at, 2 * units, padded(outputs), "none");
    at += denseSize(2 * units, padded(outputs));
    return layer;
  });
  return {
    embeddings: embeddingAt(first, features, embedding),
    encoder: encoderAt(recurrent, widths),
    output: output!,
    auxiliary: others,
  };
}

/** Standard deviation of embeddings, a few of which are summed. */
const EMBEDDING_DEVIATION = 0.2;

/**
 * Writes random parameters: the same seed gives the same. Biases are 0, except the biases of forget gates.
 */
export function initialize(values: Float32Array, layers: Layers, seed: number): void {
  const stream = random(seed);
  const { embeddings, encoder, output, auxiliary } = layers;
  const { table, entries, units } = embeddings;
  fillNormal(values, table, entries * units, EMBEDDING_DEVIATION, stream);
  initializeEncoder(values, encoder, stream);
  for (const layer of [output, ...auxiliary]) initializeDense(values, layer, stream);
}
