import { random } from "@arcwise/core";
import {
  type DenseShape,
  denseLayer,
  type EmbeddingShape,
  type EncoderShape,
  type EncoderWidths,
  embeddingLayer,
  encoderLayers,
  fillNormal,
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
    (size, outputs) => size + denseLayer.size(2 * units, padded(outputs)),
    embeddingLayer.size(features, embedding) + encoderLayers.size(encoderWidths(shape)),
  );
}

/** Returns the layers of a network whose parameters begin at an offset. */
export function layersAt(first: number, shape: NetworkShape, auxiliary: readonly number[]): Layers {
  const { features, embedding, units, classes } = shape;
  const widths = encoderWidths(shape);
  const recurrent = first + embeddingLayer.size(features, embedding);
  let at = recurrent + encoderLayers.size(widths);
  const [output, ...others] = [classes, ...auxiliary].map((outputs) => {
    const layer = denseLayer.at(at, 2 * units, padded(outputs), "none");
    at += denseLayer.size(2 * units, padded(outputs));
    return layer;
  });
  return {
    embeddings: embeddingLayer.at(first, features, embedding),
    encoder: encoderLayers.at(recurrent, widths),
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
  encoderLayers.initialize(values, encoder, stream);
  for (const layer of [output, ...auxiliary]) denseLayer.initialize(values, layer, stream);
}
