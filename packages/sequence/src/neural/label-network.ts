import { random } from "@arcwise/core";
import {
  type BatchLoss,
  type EmbeddingShape,
  embeddingLayer,
  fillNormal,
  type Matrix,
  MatrixMemory,
  matrix,
  Parameters,
} from "@arcwise/neural";
import type { Layer, LayerFactory, Pass } from "./layers.ts";

/** The widths of a network. */
export interface NetworkShape {
  /** Entries of the vocabulary of each template. */
  readonly sizes: readonly number[];
  readonly labels: number;
  /** Length of an embedding: a multiple of 4, as are the widths of layers. */
  readonly embedding: number;
}

/** Result of a forward pass over a sentence. */
export interface NetworkPass {
  readonly outputs: Matrix;
  /** Adds the gradients of parameters, given the gradients of the outputs. */
  backward(outputs: Matrix): void;
}

/** Deviation of random embeddings. */
const EMBEDDING_DEVIATION = 0.1;

/**
 * A differentiable scorer of labels: layers over the concatenated embeddings of each position. Not for concurrent use: it
 * computes in the memory of its parameters.
 */
export abstract class LabelNetwork {
  /** Of the embeddings, of the layers, then further ones. */
  readonly parameters: Parameters;
  readonly embeddings: EmbeddingShape;
  protected readonly layers: readonly Layer[];
  /** First entry of the vocabulary of each template. */
  readonly #tables: readonly number[];

  /**
   * @param sizes entries of each vocabulary
   * @param more number of parameters after those of the layers
   * @param learning whether to allocate gradients
   */
  constructor(
    sizes: readonly number[],
    embedding: number,
    factories: readonly LayerFactory[],
    more: number,
    learning: boolean,
  ) {
    this.#tables = sizes.map((_, t) => sum(sizes.slice(0, t)));
    const entries = sum(sizes);
    const own = embeddingLayer.size(entries, embedding);
    const lengths = factories.map((make) => make(0).size);
    this.parameters = new Parameters(new MatrixMemory(), own + sum(lengths) + more, learning);
    const { first } = this.parameters;
    this.embeddings = embeddingLayer.at(first, entries, embedding);
    this.layers = factories.map((make, k) => make(first + own + sum(lengths.slice(0, k))));
  }

  /** Adds the gradient of the negative log-likelihood of gold labels. */
  abstract learn(rows: Int32Array, gold: Int32Array): BatchLoss;

  /** Returns the labels of a sentence. */
  abstract decode(rows: Int32Array): Int32Array;

  /** Writes random parameters, which depend only on the seed. */
  initialize(seed: number): void {
    const { values } = this.parameters.memory;
    const stream = random(seed);
    const { table, entries, units } = this.embeddings;
    fillNormal(values, table, entries * units, EMBEDDING_DEVIATION, stream);
    for (const layer of this.layers) layer.initialize(values, stream);
  }

  /** Returns the entries of the embedding that the templates of some rows look up. */
  protected entriesOf(rows: Int32Array): Int32Array {
    return rows.map((value, k) => this.#tables[k % this.#tables.length] + value);
  }

  /** Concatenates the embeddings of each of some rows. */
  protected embed(entries: Int32Array): Matrix {
    const { memory } = this.parameters;
    const { units } = this.embeddings;
    const columns = this.#tables.length * units;
    const inputs = memory.matrix(entries.length / this.#tables.length, columns);
    embeddingLayer.forward(memory, this.embeddings, singleLookups(entries), matrix(inputs.at, units));
    return inputs;
  }

  /** Computes a row of outputs of the last layer for each row of entries. */
  protected forward(entries: Int32Array): NetworkPass {
    const { memory, gradient: parameters } = this.parameters;
    const n = entries.length / this.#tables.length;
    const passes: Pass[] = [];
    let outputs = this.embed(entries);
    for (const layer of this.layers) {
      const pass = layer.forward(memory, outputs, n);
      passes.push(pass);
      outputs = pass.outputs;
    }
    return {
      outputs,
      backward: (gradients) => {
        const { at } = passes.reduceRight((own, pass) => pass.backward(own, parameters), gradients);
        const inputs = { outputs: matrix(at, this.embeddings.units), parameters };
        embeddingLayer.backward(memory, this.embeddings, singleLookups(entries), inputs);
      },
    };
  }
}

/** Makes one lookup per entry: embeddings next to each other. */
function singleLookups(entries: Int32Array) {
  return { start: Int32Array.from({ length: entries.length + 1 }, (_, k) => k), entries };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
