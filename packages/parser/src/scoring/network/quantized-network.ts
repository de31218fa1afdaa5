import type { WordTemplate } from "@arcwise/core/features";
import { MatrixMemory } from "@arcwise/neural";
import { type ByteRows, quantizeParameters, restoreRows } from "../quantize-rows.ts";
import type { EncodedInput } from "../vectors/encoded-input.ts";
import type { QuantizedVectors } from "../vectors/word-vectors.ts";
import { ArcNetwork } from "./arc-network.ts";
import type { ColumnWidths } from "./column-layers.ts";
import type { Combination } from "./combinations.ts";
import {
  type NetworkShape,
  type NetworkWidths,
  type ParameterRows,
  parameterRowCount,
  parameterRows,
  widthSettings,
} from "./network-layout.ts";

/** A column of words whose labels a network predicts. Plain data. */
export interface ColumnLabels {
  readonly name: string;
  readonly labels: readonly string[];
  /** Parts of each label, by number; empty if labels are not made of parts. */
  readonly parts: readonly (readonly number[])[];
}

/** How a network scores, except its parameters. Plain data. */
export interface NetworkConfiguration extends NetworkWidths {
  /** Number of networks, whose scores are averaged. Absent: 1. */
  readonly members?: number | undefined;
  readonly templates: readonly WordTemplate[];
  /** The factor of its scores of arcs. */
  readonly weight: number;
  /** The factor of its scores of labels. */
  readonly labelWeight: number;
  /**
   * How far the log-probability of a candidate head may be below the log-probability of the likeliest one;
   * undefined: any distance.
   */
  readonly margin?: number | undefined;
  /** Columns that it predicts besides arcs. Absent: none. */
  readonly columns?: readonly ColumnLabels[] | undefined;
  /** Labels that words have together in several columns, the most frequent first. Absent: unknown. */
  readonly combinations?: readonly Combination[] | undefined;
}

/** Returns the widths of columns. */
export function widthsOf(columns: readonly ColumnLabels[] | undefined): ColumnWidths[] | undefined {
  return columns?.map(({ labels, parts }) => ({ labels: labels.length, parts }));
}

/** A quantised network, as stored in a model file. Each row of `parameterRows` is bytes with a scale. */
export interface QuantizedNetwork {
  readonly configuration: NetworkConfiguration;
  /** The features of words that have an embedding, ascending. */
  readonly codes: Int32Array;
  /** The parameters of each member, in sequence. */
  readonly values: Int8Array;
  readonly scales: Float32Array;
  /** Given vectors of words. Absent: none. */
  readonly vectors?: QuantizedVectors | undefined;
  /** The encoder whose vectors are an input. Absent: none. */
  readonly encoder?: EncodedInput | undefined;
}

/** The inputs of a network in addition to embeddings. */
type AddedInputs = Pick<QuantizedNetwork, "vectors" | "encoder">;

/** Returns the widths of a network. */
export function shapeOf(
  configuration: NetworkConfiguration,
  features: number,
  added: AddedInputs,
): NetworkShape {
  const { labels, columns } = configuration;
  return {
    ...{ features, ...widthSettings(configuration), labels, columns: widthsOf(columns) },
    ...{ vectors: added.vectors, encoder: added.encoder },
  };
}

/**
 * The largest byte of an embedding. A number takes 4.5 bits in a file; with 127 it would take 7.5, and
 * networks find the same tags and trees: they learned to do without many of the features of a word.
 */
const LARGEST_OF_EMBEDDINGS = 15;

/** Rounds the parameters of a network to bytes. O(parameters). */
export function quantizeNetwork(
  configuration: NetworkConfiguration,
  codes: Int32Array,
  parameters: Float32Array,
  added: AddedInputs = {},
): QuantizedNetwork {
  const { members = 1 } = configuration;
  const { vectors, encoder } = added;
  const shape = shapeOf(configuration, codes.length, added);
  const [embeddings, ...others] = parameterRows(shape);
  const values = new Int8Array(parameters.length);
  const scales = new Float32Array(members * parameterRowCount(shape));
  const size = parameters.length / members;
  let row = 0;
  const round = (first: number, { from, end, width }: ParameterRows, largest?: number) => {
    const part = parameters.subarray(first + from, first + end);
    const rounded = quantizeParameters(part, width, "parameters of the network", largest);
    values.set(rounded.values, first + from);
    scales.set(rounded.scales, row);
    row += rounded.scales.length;
  };
  for (let first = 0; first < parameters.length; first += size) {
    round(first, embeddings!, LARGEST_OF_EMBEDDINGS);
    for (const rows of others) round(first, rows);
  }
  return { configuration, codes, vectors, encoder, values, scales };
}

/** Returns the networks of a model, with their parameters; embeddings stay bytes. O(parameters). */
export function restoreNetworks(stored: QuantizedNetwork): ArcNetwork[] {
  const { configuration, codes, values, scales } = stored;
  const { members = 1 } = configuration;
  const shape = shapeOf(configuration, codes.length, stored);
  const [embeddings, ...others] = parameterRows(shape);
  const size = values.length / members;
  let row = 0;
  const take = (first: number, { from, end, width }: ParameterRows): ByteRows => {
    const rows = (end - from) / width;
    row += rows;
    return {
      values: values.subarray(first + from, first + end),
      scales: scales.subarray(row - rows, row),
      width,
    };
  };
  return Array.from({ length: members }, (_, member) => {
    const network = new ArcNetwork(new MatrixMemory(), shape, false, take(member * size, embeddings!));
    const parameters = network.parameters.values;
    for (const rows of others) {
      const at = rows.from - embeddings!.end;
      restoreRows(take(member * size, rows), parameters.subarray(at, at + rows.end - rows.from));
    }
    network.finish();
    return network;
  });
}
