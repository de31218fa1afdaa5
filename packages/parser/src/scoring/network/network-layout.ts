import { random } from "@arcwise/core";
import {
  type BiaffineShape,
  biaffineAt,
  biaffineSize,
  type DenseShape,
  denseAt,
  denseSize,
  type EmbeddingShape,
  embeddingAt,
  embeddingSize,
  fillNormal,
  LANES,
  type LstmShape,
  lstmAt,
  lstmSize,
  type Matrix,
  padded,
} from "@arcwise/neural";
import type { QuantizedVectors } from "../tensor/word-vectors.ts";
import { type ColumnShape, type ColumnWidths, columnAt, columnSize } from "./column-layers.ts";
import { type LabelShape, labelLayerAt, labelLayerSize } from "./label-layer.ts";

/** Layers of recurrent units, each of which reads in both directions. */
export const LAYERS = 2;

/** Maximum number of units. */
export const MAX_UNITS = 1024;

/** Maximum number of networks whose scores are averaged. */
export const MAX_MEMBERS = 16;

/** Returns whether a value is a number of units: a multiple of `LANES` up to `MAX_UNITS`. */
export function isUnits(units: unknown): units is number {
  return (
    Number.isInteger(units) &&
    (units as number) >= LANES &&
    (units as number) % LANES === 0 &&
    (units as number) <= MAX_UNITS
  );
}

/** The widths of a network. */
export interface NetworkShape {
  /** Features of words that have an embedding. */
  readonly features: number;
  /** Length of embeddings, of states, and of the vectors of heads and modifiers: a multiple of 4. */
  readonly units: number;
  readonly labels: number;
  /** Columns of words that it predicts besides arcs. Default: none. */
  readonly columns?: readonly ColumnWidths[] | undefined;
  /** Given vectors of words, which do not change in training. Default: none. */
  readonly vectors?: QuantizedVectors | undefined;
}

/** What the layout of a network depends on. */
type Widths = Omit<NetworkShape, "vectors"> & {
  readonly vectors?: Pick<QuantizedVectors, "dimension"> | undefined;
};

/** The layers of a network, in the order of their parameters. */
export interface Places {
  readonly embeddings: EmbeddingShape;
  /** Number of parameters that are embeddings: they come first. */
  readonly ofEmbeddings: number;
  readonly layers: readonly (readonly [LstmShape, LstmShape])[];
  readonly head: DenseShape;
  readonly modifier: DenseShape;
  readonly biaffine: BiaffineShape;
  readonly labels: LabelShape;
  readonly columns: readonly ColumnShape[];
  /** The linear map from given vectors to embeddings; undefined: there are none. */
  readonly vectors: DenseShape | undefined;
  readonly size: number;
}

/** Lays out a network whose parameters begin at an offset. */
export function placesAt(first: number, { features, units, labels, columns = [], vectors }: Widths): Places {
  let at = first;
  const take = (length: number): number => {
    at += length;
    return at - length;
  };
  const embeddings = embeddingAt(take(embeddingSize(features, units)), features, units);
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const inputs = layer === 0 ? units : 2 * units;
    const direction = (backward: boolean) => lstmAt(take(lstmSize(inputs, units)), inputs, units, backward);
    return [direction(false), direction(true)] as const;
  });
  const dense = () => denseAt(take(denseSize(2 * units, units)), 2 * units, units, "leaky-relu");
  const mapAt = (inputs: number) => denseAt(take(denseSize(inputs, units)), inputs, units, "none");
  return {
    embeddings,
    ofEmbeddings: embeddingSize(features, units),
    layers,
    head: dense(),
    modifier: dense(),
    biaffine: biaffineAt(take(biaffineSize(units)), units),
    labels: labelLayerAt(take(labelLayerSize(2 * units, units, labels)), 2 * units, units, labels),
    columns: columns.map((widths) =>
      columnAt(take(columnSize(2 * units, units, widths)), 2 * units, units, widths),
    ),
    vectors: vectors && mapAt(padded(vectors.dimension)),
    size: at - first,
  };
}

/** A matrix of weights, with its numbers of rows and columns. */
interface Weights {
  readonly weights: Matrix;
  readonly inputs: number;
  readonly outputs: number;
}

/** Returns the weights that states of words are multiplied with. */
export function weightsOf({
  layers,
  head,
  modifier,
  biaffine,
  labels,
  columns,
  vectors,
}: Places): readonly Weights[] {
  const { pair } = labels;
  const ofPairs = [pair.first, pair.second].map((weights) => ({
    weights,
    inputs: pair.inputs,
    outputs: pair.units,
  }));
  return [
    ...layers.flat().flatMap(({ inputs, units, input, state }) => [
      { weights: input, inputs, outputs: 4 * units },
      { weights: state, inputs: units, outputs: 4 * units },
    ]),
    ...[head, modifier, labels.scores],
    { weights: biaffine.weights, inputs: biaffine.units, outputs: biaffine.units },
    ...ofPairs,
    ...columns.flatMap(({ hidden, scores }) => [hidden, scores]),
    ...(vectors ? [vectors] : []),
  ];
}

/** Number of parameters. */
export function networkSize(shape: Widths): number {
  return placesAt(0, shape).size;
}

/** Identifies the stream of random numbers for parameters. */
const INITIAL = 0x1e7;
/** Standard deviation of embeddings, of which about ten are summed for a word. */
const EMBEDDING_DEVIATION = 0.15;
/** Standard deviation of the map of given vectors, whose length is 1. */
const MAP_DEVIATION = 0.3;

/** Writes random parameters: the same seed gives the same. Biases are 0, except those of forget gates. */
export function initialParameters(values: Float32Array, places: Places, seed: number): void {
  const { embeddings, ofEmbeddings, layers, head, modifier, biaffine, labels, columns, vectors } = places;
  const stream = random(seed).fork(INITIAL);
  const normal = (of: Matrix, length: number, deviation: number) =>
    fillNormal(values, of, length, deviation, stream);
  normal(embeddings.table, ofEmbeddings, EMBEDDING_DEVIATION);
  for (const { inputs, units, input, state, bias } of layers.flat()) {
    normal(input, inputs * 4 * units, 1 / Math.sqrt(inputs + units));
    normal(state, units * 4 * units, 1 / Math.sqrt(inputs + units));
    // Forget gates that are open at first let gradients reach far (Gers, Schmidhuber and Cummins 2000).
    values.fill(1, bias.at + units, bias.at + 2 * units);
  }
  const dense = ({ weights, inputs, outputs }: DenseShape) =>
    normal(weights, inputs * outputs, 1 / Math.sqrt(inputs));
  for (const shape of [head, modifier]) dense(shape);
  const { units } = biaffine;
  normal(biaffine.weights, units * units, 0.1 / Math.sqrt(units));
  const { pair, scores } = labels;
  normal(pair.first, 2 * pair.inputs * units, 1 / Math.sqrt(2 * pair.inputs));
  normal(scores.weights, units * scores.outputs, 1 / Math.sqrt(units));
  for (const { hidden, scores: ofLabels } of columns) {
    dense(hidden);
    dense(ofLabels);
  }
  if (vectors) normal(vectors.weights, vectors.inputs * vectors.outputs, MAP_DEVIATION);
}
