import {
  type EmbeddingShape,
  embeddingLayer,
  type Lookups,
  type Matrix,
  type MatrixMemory,
  matrix,
  type Parameters,
} from "@arcwise/neural";

/** A differentiable scorer of labels. Not for concurrent use: it computes in the memory of its parameters. */
export interface NeuralNetwork {
  /** All parameters: the embeddings, then the layers. */
  readonly parameters: Parameters;
  readonly embeddings: EmbeddingShape;
  /** Writes random parameters, which depend only on the seed. */
  initialize(seed: number): void;
  /** Returns the embeddings that a sentence looks up in training. */
  lookups(rows: Int32Array, gold: Int32Array): Lookups;
  /** Returns the negative log-likelihood of gold labels; adds its gradient. */
  loss(rows: Int32Array, gold: Int32Array): number;
  /** Returns the labels of a sentence. */
  decode(rows: Int32Array): Int32Array;
}

/** The widths of a network. */
export interface NetworkShape {
  /** Entries of the vocabulary of each template. */
  readonly sizes: readonly number[];
  readonly labels: number;
  /** Length of an embedding: a multiple of 4, as are the widths of layers. */
  readonly embedding: number;
}

/** Deviation of random embeddings. */
export const EMBEDDING_DEVIATION = 0.1;

/** First entry of each template in a table that holds all vocabularies, and the number of entries. */
export function tablesOf(sizes: readonly number[]): {
  readonly tables: readonly number[];
  readonly entries: number;
} {
  let entries = 0;
  const tables = sizes.map((size) => {
    entries += size;
    return entries - size;
  });
  return { tables, entries };
}

/** Makes one lookup per entry: embeddings that `concatenatedForward` concatenates. */
export function singleLookups(entries: Int32Array): Lookups {
  return { start: Int32Array.from({ length: entries.length + 1 }, (_, k) => k), entries };
}

/** Returns the concatenated embeddings of each of some rows, which have the same number of lookups. */
export function concatenatedForward(
  memory: MatrixMemory,
  shape: EmbeddingShape,
  lookups: Lookups,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Matrix {
  const inputs = memory.matrix(rows, columns);
  embeddingLayer.forward(memory, shape, lookups, matrix(inputs.at, shape.units));
  return inputs;
}

/** Adds the gradients of concatenated embeddings to the gradients of the parameters. */
export function concatenatedBackward(
  { memory, gradient }: Parameters,
  shape: EmbeddingShape,
  lookups: Lookups,
  { at }: Matrix,
): void {
  const gradients = { outputs: matrix(at, shape.units), parameters: gradient };
  embeddingLayer.backward(memory, shape, lookups, gradients);
}
