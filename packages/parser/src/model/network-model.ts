import { checkAscending, float32, int8, int32, optionalPart } from "@arcwise/core/container";
import { type EncoderIdentity, identityOf } from "@arcwise/core/encoders";
import { counted } from "@arcwise/core/errors";
import { parseWordTemplate } from "@arcwise/core/features";
import {
  encoderIdentity,
  integer,
  list,
  number,
  optional,
  readable,
  record,
  refuse,
  string,
} from "@arcwise/core/options";
import { CHARACTERS } from "../scoring/network/character-features.ts";
import { MAX_COMBINATIONS } from "../scoring/network/combinations.ts";
import { MAX_MEMBERS, networkSize, parameterRowCount, WIDTHS } from "../scoring/network/network-layout.ts";
import {
  type ColumnLabels,
  type NetworkConfiguration,
  type QuantizedNetwork,
  widthsOf,
} from "../scoring/network/quantized-network.ts";
import { MAX_ROW_SCALE } from "../scoring/quantize-rows.ts";
import { MAX_BEGINNING, MAX_NUMBERS, type QuantizedVectors } from "../scoring/vectors/word-vectors.ts";

const MAX_FEATURES = 2 ** 22;
/** Indices of templates fit into a byte. */
const MAX_TEMPLATES = 255;

/** The configuration of a network in the header of a model file. */
export interface NetworkHeader extends NetworkConfiguration {
  readonly vectors?: VectorHeader | undefined;
  readonly encoder?: EncoderIdentity | undefined;
}

/** Given vectors in the header of a model file. */
type VectorHeader = Pick<QuantizedVectors, "dimension" | "words" | "beginnings">;

/** Maximum absolute value of means and scales: their products with 16-bit floats are finite. */
const MAX_ENCODER_NUMBER = 2 ** 32;

const MAX_MARGIN = 2 ** 32;
const MAX_COLUMNS = 64;
const MAX_COLUMN_LABELS = 2 ** 16;
const MAX_PARTS = 64;
/** Maximum number of words of training data. */
const MAX_WORDS = 2 ** 48;
/** Factors of scores: their product with any logarithm of a probability is finite. */
const FACTOR = number(2 ** -32, 2 ** 10);

const HEADER = record<NetworkHeader>({
  ...WIDTHS,
  members: optional(integer(2, MAX_MEMBERS)),
  labels: integer(1),
  templates: list(readable(parseNetworkTemplate), { max: MAX_TEMPLATES, distinct: true }),
  weight: FACTOR,
  labelWeight: FACTOR,
  margin: optional(number(0, MAX_MARGIN)),
  columns: optional(list(checkColumn, { max: MAX_COLUMNS })),
  combinations: optional(list(list(integer(0, MAX_WORDS)), { min: 1, max: MAX_COMBINATIONS })),
  vectors: optional(
    record<VectorHeader>({
      dimension: integer(1, MAX_NUMBERS),
      words: list(string, { distinct: true }),
      beginnings: optional(integer(1, MAX_BEGINNING)),
    }),
  ),
  encoder: optional(encoderIdentity),
});

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
function checkCombinations({ combinations = [], columns = [] }: NetworkHeader, at: string): void {
  for (const [k, combination] of combinations.entries()) {
    const isWhole = combination.length === columns.length + 1 && combination[columns.length] > 0;
    if (columns.length === 0 || !isWhole || columns.some(({ labels }, c) => combination[c] >= labels.length))
      refuse(`${at}.combinations[${k}]`, "a label of each column, and a number of words", combination);
  }
}

/** Returns a check of the range of entries. */
function within(min: number, max: number) {
  return (entries: Float32Array, at: string) => {
    const wrong = entries.find((entry) => !(entry >= min && entry <= max));
    if (wrong !== undefined) refuse(at, `entries from ${min} to ${max}`, wrong);
  };
}

const checkScales = within(0, MAX_ROW_SCALE);
const checkEncoderNumbers = within(-MAX_ENCODER_NUMBER, MAX_ENCODER_NUMBER);

function vectorHeader({ dimension, words, beginnings }: VectorHeader): VectorHeader {
  return { dimension, words, beginnings };
}

/** How a network is stored in the file of a model, which may lack it. */
export const NETWORK = optionalPart({
  header(value, at) {
    HEADER(value, at);
    checkCombinations(value as NetworkHeader, at);
  },
  headerOf: ({ configuration, vectors, encoder }: QuantizedNetwork): NetworkHeader => ({
    ...configuration,
    ...(vectors && { vectors: vectorHeader(vectors) }),
    ...(encoder && { encoder: identityOf(encoder) }),
  }),
  sections(
    { columns, vectors, encoder, members = 1, ...rest }: NetworkHeader,
    entriesOf,
    model?: QuantizedNetwork,
  ) {
    const features = entriesOf("networkCodes");
    const shape = { ...rest, features, columns: widthsOf(columns), vectors, encoder };
    const ofEncoder = (vector: Float32Array | undefined) =>
      encoder && float32({ entries: encoder.width, check: checkEncoderNumbers, vector });
    return {
      // Codes are ascending: one of them may be 0.
      networkCodes: int32({
        maxEntries: MAX_FEATURES,
        maxZeros: 1,
        check: checkAscending,
        vector: model?.codes,
      }),
      network: int8({ entries: members * networkSize(shape), vector: model?.values }),
      networkScales: float32({
        entries: members * parameterRowCount(shape),
        check: checkScales,
        vector: model?.scales,
      }),
      networkVectors:
        vectors &&
        int8({ entries: vectors.words.length * vectors.dimension, vector: model?.vectors?.values }),
      networkVectorScales:
        vectors &&
        float32({ entries: vectors.words.length, check: checkScales, vector: model?.vectors?.scales }),
      networkEncoderMeans: ofEncoder(model?.encoder?.means),
      networkEncoderScales: ofEncoder(model?.encoder?.scales),
    };
  },
  read({ vectors, encoder, ...configuration }, sections): QuantizedNetwork {
    const { networkVectors, networkVectorScales, networkEncoderMeans, networkEncoderScales } = sections;
    return {
      configuration,
      codes: sections.networkCodes,
      values: sections.network,
      scales: sections.networkScales,
      ...(vectors && { vectors: { ...vectors, values: networkVectors!, scales: networkVectorScales! } }),
      ...(encoder && { encoder: { ...encoder, means: networkEncoderMeans!, scales: networkEncoderScales! } }),
    };
  },
});
