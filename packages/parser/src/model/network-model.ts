import { ModelError, type SectionTable, type Vector } from "@arcwise/core/container";
import { type EncoderIdentity, identityOf } from "@arcwise/core/encoders";
import { counted } from "@arcwise/core/errors";
import { parseWordTemplate } from "@arcwise/core/features";
import {
  encoderIdentity,
  flag,
  integer,
  list,
  number,
  optional,
  readable,
  record,
  refuse,
  satisfying,
  string,
} from "@arcwise/core/options";
import { CHARACTERS } from "../scoring/network/character-features.ts";
import { type Combination, MAX_COMBINATIONS } from "../scoring/network/combinations.ts";
import { isUnits, MAX_MEMBERS, networkSize, parameterRowCount } from "../scoring/network/network-layout.ts";
import {
  type ColumnLabels,
  type NetworkConfiguration,
  type QuantizedNetwork,
  widthsOf,
} from "../scoring/network/quantized-network.ts";
import type { EncodedInput } from "../scoring/vectors/encoded-input.ts";
import { checkCodes, checkScales } from "./sections.ts";
import { readVectors, VECTOR_HEADER, type VectorHeader, vectorHeader } from "./vector-model.ts";

const MAX_FEATURES = 2 ** 22;
/** Indices of templates fit into a byte. */
const MAX_TEMPLATES = 255;

/** Returns the vectors of a network in a model file. */
export function networkVectors(network: QuantizedNetwork | undefined): Record<string, Vector | undefined> {
  return {
    networkCodes: network?.codes,
    network: network?.values,
    networkScales: network?.scales,
    [VECTORS]: network?.vectors?.values,
    [VECTOR_SCALES]: network?.vectors?.scales,
    [ENCODER_MEANS]: network?.encoder?.means,
    [ENCODER_SCALES]: network?.encoder?.scales,
  };
}

/** Sections of the given vectors. */
const VECTORS = "networkVectors";
const VECTOR_SCALES = "networkVectorScales";
/** Sections of the vectors of an encoder: means and scales of their numbers. */
const ENCODER_MEANS = "networkEncoderMeans";
const ENCODER_SCALES = "networkEncoderScales";

/** The configuration of a network in the header of a model file. */
export interface NetworkHeader extends NetworkConfiguration {
  readonly vectors?: VectorHeader | undefined;
  readonly encoder?: EncoderIdentity | undefined;
}

/** Returns the header of a network: its configuration, with the words that have vectors, and with its encoder. */
export function networkHeader({ configuration, vectors, encoder }: QuantizedNetwork): NetworkHeader {
  return {
    ...configuration,
    ...(vectors && { vectors: vectorHeader(vectors) }),
    ...(encoder && { encoder: identityOf(encoder) }),
  };
}

/** Maximum absolute value of means and scales: their products with 16-bit floats are finite. */
const MAX_ENCODER_NUMBER = 2 ** 32;

const MAX_MARGIN = 2 ** 32;
const MAX_COLUMNS = 64;
const MAX_COLUMN_LABELS = 2 ** 16;
const MAX_PARTS = 64;
/** Maximum number of words of training data. */
const MAX_WORDS = 2 ** 48;
const UNITS = satisfying<number>("a number of units", isUnits);
/** Factors of scores: their product with any logarithm of a probability is finite. */
const FACTOR = number(2 ** -32, 2 ** 10);

/**
 * Checks the configuration of a network in the header of a model file, and takes its vectors.
 *
 * @param labels of the model
 */
export function checkNetwork(value: unknown, labels: number, sections: SectionTable): void {
  const at = "damaged model file: header.network";
  record<NetworkHeader>({
    units: UNITS,
    embeddingUnits: optional(UNITS),
    hiddenUnits: optional(UNITS),
    firstLayerColumns: optional(flag),
    members: optional(integer(2, MAX_MEMBERS)),
    labels: integer(labels, labels),
    templates: list(readable(parseNetworkTemplate), { max: MAX_TEMPLATES, distinct: true }),
    weight: FACTOR,
    labelWeight: FACTOR,
    margin: optional(number(0, MAX_MARGIN)),
    columns: optional(list(checkColumn, { max: MAX_COLUMNS })),
    combinations: (combinations, of) => checkCombinations(combinations, of, (value as NetworkHeader).columns),
    vectors: optional(VECTOR_HEADER),
    encoder: optional(encoderIdentity),
  })(value, at);
  const {
    units,
    embeddingUnits,
    hiddenUnits,
    columns,
    vectors,
    encoder,
    members = 1,
  } = value as NetworkHeader;
  // Codes are ascending: one of them may be 0.
  const features = sections.takeDense("networkCodes", "int32", 1);
  if (features > MAX_FEATURES) refuse(at, `at most ${MAX_FEATURES} features`, features);
  const widths = { features, units, embeddingUnits, hiddenUnits, labels };
  const shape = { ...widths, columns: widthsOf(columns), vectors, encoder };
  sections.expect("network", "int8", members * networkSize(shape));
  sections.expect("networkScales", "float32", members * parameterRowCount(shape));
  if (encoder !== undefined) {
    sections.expect(ENCODER_MEANS, "float32", encoder.width);
    sections.expect(ENCODER_SCALES, "float32", encoder.width);
  }
  if (vectors === undefined) return;
  sections.expect(VECTORS, "int8", vectors.words.length * vectors.dimension);
  sections.expect(VECTOR_SCALES, "float32", vectors.words.length);
}

/** @throws RangeError when a template cannot be read */
function parseNetworkTemplate(text: string): unknown {
  return text === CHARACTERS ? undefined : parseWordTemplate(text);
}

/** Checks a column that a network predicts. */
function checkColumn(value: unknown, at: string): void {
  record<ColumnLabels>({
    name: string,
    labels: list(string, { min: 1, max: MAX_COLUMN_LABELS, distinct: true }),
    parts: list(list(integer(0, MAX_COLUMN_LABELS), { max: MAX_PARTS }), { max: MAX_COLUMN_LABELS }),
  })(value, at);
  const { labels, parts } = value as ColumnLabels;
  if (parts.length > 0 && parts.length !== labels.length)
    refuse(`${at}.parts`, `parts of ${counted(labels.length, "label")}, or none`, parts.length);
}

/** Checks the labels that words have together in several columns. */
function checkCombinations(value: unknown, at: string, columns: readonly ColumnLabels[] = []): void {
  optional(list(list(integer(0, MAX_WORDS)), { min: 1, max: MAX_COMBINATIONS }))(value, at);
  const combinations = (value ?? []) as readonly Combination[];
  for (const [k, combination] of combinations.entries()) {
    const isWhole = combination.length === columns.length + 1 && combination[columns.length]! > 0;
    if (columns.length === 0 || !isWhole || columns.some(({ labels }, c) => combination[c]! >= labels.length))
      refuse(`${at}[${k}]`, "a label of each column, and a number of words", combination);
  }
}

/** Reads the network of a model file that was checked. */
export function readNetwork(
  { vectors: header, encoder, ...configuration }: NetworkHeader,
  vectors: Readonly<Record<string, Vector | undefined>>,
): QuantizedNetwork {
  const { networkCodes: codes, network: values, networkScales: scales } = vectors;
  if (!(codes instanceof Int32Array && values instanceof Int8Array && scales instanceof Float32Array)) {
    throw new ModelError("damaged model file: no parameters of the network");
  }
  checkCodes(codes, "network");
  checkScales(scales, "network");
  return {
    ...{ configuration, codes, values, scales },
    ...(header && { vectors: readVectors(header, vectors) }),
    ...(encoder && { encoder: readEncoder(encoder, vectors) }),
  };
}

/** Reads the input of an encoder from its checked sections. */
function readEncoder(
  encoder: EncoderIdentity,
  { [ENCODER_MEANS]: means, [ENCODER_SCALES]: scales }: Readonly<Record<string, Vector | undefined>>,
): EncodedInput {
  if (!(means instanceof Float32Array && scales instanceof Float32Array))
    throw new ModelError("damaged model file: no numbers of the encoder");
  for (const [name, numbers] of Object.entries({ means, scales })) {
    const wrong = numbers.find((number) => !(Math.abs(number) <= MAX_ENCODER_NUMBER));
    if (wrong === undefined) continue;
    const expected = `${name} of its encoder up to ${MAX_ENCODER_NUMBER}`;
    throw new ModelError(`damaged model file: expected ${expected}, found ${wrong}`);
  }
  return { ...encoder, means, scales };
}
