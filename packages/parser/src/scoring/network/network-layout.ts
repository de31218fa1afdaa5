import { random } from "@arcwise/core";
import { flag, optional, satisfying } from "@arcwise/core/options";
import {
  type BiaffineShape,
  biaffineLayer,
  type DenseShape,
  denseLayer,
  type EmbeddingShape,
  type EncoderShape,
  embeddingLayer,
  encoderLayers,
  fillNormal,
  LANES,
  type LayerWeights,
  type PairShape,
  padded,
  pairLayer,
} from "@arcwise/neural";
import type { EncodedInput } from "../vectors/encoded-input.ts";
import type { QuantizedVectors } from "../vectors/word-vectors.ts";
import { type ColumnShape, type ColumnWidths, columnAt, columnSize } from "./column-layers.ts";

/** Layers of the encoder. */
const LAYERS = 2;

/** Maximum number of units. */
const MAX_UNITS = 1024;

/** Maximum number of networks whose scores are averaged. */
export const MAX_MEMBERS = 16;

/** The check of a number of units. */
export const unitCount = satisfying<number>(
  `a multiple of ${LANES} from ${LANES} to ${MAX_UNITS}`,
  (units) =>
    Number.isInteger(units) &&
    (units as number) >= LANES &&
    (units as number) % LANES === 0 &&
    (units as number) <= MAX_UNITS,
);

/** The checks of the widths in the header of a model file that settings of the same name give. */
export const WIDTHS = {
  units: unitCount,
  embeddingUnits: optional(unitCount),
  hiddenUnits: optional(unitCount),
  firstLayerColumns: optional(flag),
};

/** The widths that settings of the same name give. */
type WidthSettings = Pick<NetworkWidths, keyof typeof WIDTHS>;

/** Returns the widths that settings of the same name give. */
export function widthSettings(of: WidthSettings): WidthSettings {
  const names = Object.keys(WIDTHS) as (keyof WidthSettings)[];
  return Object.fromEntries(names.map((name) => [name, of[name] || undefined])) as unknown as WidthSettings;
}

/** The widths of a network that its settings determine. */
export interface NetworkWidths {
  /** Length of states: a multiple of 4. */
  readonly units: number;
  /** Length of embeddings: a multiple of 4. Absent: `units`. */
  readonly embeddingUnits?: number | undefined;
  /** Length of the vectors of heads, modifiers, labels and columns: a multiple of 4. Absent: `units`. */
  readonly hiddenUnits?: number | undefined;
  readonly labels: number;
  /** Whether columns are predicted from the states of the first recurrent layer, not of the last. Absent: of the last. */
  readonly firstLayerColumns?: boolean | undefined;
}

/** The widths of a network. */
export interface NetworkShape extends NetworkWidths {
  /** Features of words that have an embedding. */
  readonly features: number;
  /** Columns of words that it predicts besides arcs. Default: none. */
  readonly columns?: readonly ColumnWidths[] | undefined;
  /** Given vectors of words, which do not change in training. Default: none. */
  readonly vectors?: QuantizedVectors | undefined;
  /** The encoder whose vectors of words in sentences are an input. Default: none. */
  readonly encoder?: EncodedInput | undefined;
}

/** The properties of a network that determine its layers. */
type Widths = Omit<NetworkShape, "vectors" | "encoder"> & {
  readonly vectors?: Pick<QuantizedVectors, "dimension"> | undefined;
  readonly encoder?: Pick<EncodedInput, "width"> | undefined;
};

/** The layers that score the labels of arcs, with their offsets among the parameters. */
interface LabelShape {
  /** Units of an arc: of its head's states (`first`) and its modifier's (`second`). */
  readonly pair: PairShape;
  /** From units to the scores of labels, `padded(labels)` columns. */
  readonly scores: DenseShape;
}

/** Number of parameters: a multiple of `units`, so that all rows of the network have the same length. */
function labelLayerSize(inputs: number, units: number, labels: number): number {
  const size = pairLayer.size(inputs, units) + denseLayer.size(units, padded(labels));
  return Math.ceil(size / units) * units;
}

/** The layers at an offset. */
function labelLayerAt(at: number, inputs: number, units: number, labels: number): LabelShape {
  const scores = denseLayer.at(at + pairLayer.size(inputs, units), units, padded(labels), "none");
  return { pair: pairLayer.at(at, inputs, units), scores };
}

/** The layers of a network, in the order of their parameters. */
export interface Layers {
  readonly embeddings: EmbeddingShape;
  readonly encoder: EncoderShape;
  readonly head: DenseShape;
  readonly modifier: DenseShape;
  readonly biaffine: BiaffineShape;
  readonly labels: LabelShape;
  readonly columns: readonly ColumnShape[];
  /** The linear map from given vectors to embeddings; undefined without given vectors. */
  readonly vectors: DenseShape | undefined;
  /** The linear map from vectors of an encoder to embeddings; undefined without an encoder. */
  readonly encoded: DenseShape | undefined;
  readonly size: number;
}

/** Returns the layers of a network whose parameters begin at an offset. */
export function layersAt(first: number, shape: Widths): Layers {
  const {
    features,
    units,
    embeddingUnits = units,
    hiddenUnits = units,
    labels,
    columns = [],
    vectors,
    encoder: encoded,
  } = shape;
  let at = first;
  const take = (length: number): number => {
    at += length;
    return at - length;
  };
  const embeddings = embeddingLayer.at(
    take(embeddingLayer.size(features, embeddingUnits)),
    features,
    embeddingUnits,
  );
  const widths = { inputs: embeddingUnits, units, layers: LAYERS };
  const states = 2 * units;
  const dense = () =>
    denseLayer.at(take(denseLayer.size(states, hiddenUnits)), states, hiddenUnits, "leaky-relu");
  const mapAt = (inputs: number) =>
    denseLayer.at(take(denseLayer.size(inputs, embeddingUnits)), inputs, embeddingUnits, "none");
  const layers = {
    encoder: encoderLayers.at(take(encoderLayers.size(widths)), widths),
    head: dense(),
    modifier: dense(),
    biaffine: biaffineLayer.at(take(biaffineLayer.size(hiddenUnits)), hiddenUnits),
    labels: labelLayerAt(take(labelLayerSize(states, hiddenUnits, labels)), states, hiddenUnits, labels),
    columns: columns.map((column) =>
      columnAt(take(columnSize(states, hiddenUnits, column)), states, hiddenUnits, column),
    ),
  };
  // Whole rows of parameters: see `parameterRows`.
  take((units - ((at - first - embeddings.entries * embeddingUnits) % units)) % units);
  return {
    embeddings,
    ...layers,
    vectors: vectors && mapAt(padded(vectors.dimension)),
    encoded: encoded && mapAt(padded(encoded.width)),
    size: at - first,
  };
}

/** Returns the weights that states of words are multiplied with. */
export function weightsOf({
  encoder,
  head,
  modifier,
  biaffine,
  labels,
  columns,
  vectors,
  encoded,
}: Layers): readonly LayerWeights[] {
  const { pair } = labels;
  const pairParts = [pair.first, pair.second].map((weights) => ({
    weights,
    inputs: pair.inputs,
    outputs: pair.units,
  }));
  return [
    ...encoderLayers.weights(encoder),
    ...[head, modifier, labels.scores],
    { weights: biaffine.weights, inputs: biaffine.units, outputs: biaffine.units },
    ...pairParts,
    ...columns.flatMap(({ hidden, scores }) => [hidden, scores]),
    ...[vectors, encoded].flatMap((map) => (map === undefined ? [] : [map])),
  ];
}

/** Number of parameters. */
export function networkSize(shape: Widths): number {
  return layersAt(0, shape).size;
}

/** Rows of equal width among the parameters of a network: from offset `from` to before `end`. */
export interface ParameterRows {
  readonly from: number;
  readonly end: number;
  readonly width: number;
}

/**
 * Returns the rows of the parameters that share a scale when they are stored: embeddings, then the other layers,
 * then the maps of given vectors and of vectors of an encoder, if there are any.
 */
export function parameterRows(shape: Widths): readonly ParameterRows[] {
  const { units, embeddingUnits = units, features } = shape;
  const { size, vectors, encoded } = layersAt(0, shape);
  const embeddings = embeddingLayer.size(features, embeddingUnits);
  const map = (vectors ?? encoded)?.weights.at ?? size;
  return [
    { from: 0, end: embeddings, width: embeddingUnits },
    { from: embeddings, end: map, width: units },
    { from: map, end: size, width: embeddingUnits },
  ];
}

/** Number of rows of the parameters of a network, see `parameterRows`. */
export function parameterRowCount(shape: Widths): number {
  return parameterRows(shape).reduce((sum, { from, end, width }) => sum + (end - from) / width, 0);
}

/** Identifies the stream of random numbers for parameters. */
const INITIAL = 0x1e7;
/** Standard deviation of embeddings, of which about ten are summed for a word. */
const EMBEDDING_DEVIATION = 0.15;
/** Standard deviation of the map of given vectors, whose length is 1. */
const MAP_DEVIATION = 0.3;

/**
 * Writes random parameters: the same seed gives the same. Biases are 0, except the biases of forget gates.
 */
export function initialize(values: Float32Array, layers: Layers, seed: number): void {
  const { embeddings, encoder, head, modifier, biaffine, labels, columns, vectors, encoded } = layers;
  const stream = random(seed).fork(INITIAL);
  const dense = (layer: DenseShape) => denseLayer.initialize(values, layer, stream);
  fillNormal(values, embeddings.table, embeddings.entries * embeddings.units, EMBEDDING_DEVIATION, stream);
  encoderLayers.initialize(values, encoder, stream);
  dense(head);
  dense(modifier);
  fillNormal(
    values,
    biaffine.weights,
    biaffine.units * biaffine.units,
    0.1 / Math.sqrt(biaffine.units),
    stream,
  );
  const { pair, scores } = labels;
  fillNormal(values, pair.first, 2 * pair.inputs * pair.units, 1 / Math.sqrt(2 * pair.inputs), stream);
  dense(scores);
  for (const column of columns) {
    dense(column.hidden);
    dense(column.scores);
  }
  if (vectors) fillNormal(values, vectors.weights, vectors.inputs * vectors.outputs, MAP_DEVIATION, stream);
  if (encoded) dense(encoded);
}
