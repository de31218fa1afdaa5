import {
  integer,
  list,
  ModelError,
  number,
  optional,
  readable,
  record,
  refuse,
  type SectionTable,
  type Vector,
} from "@arcwise/core/container";
import { parseWordTemplate } from "@arcwise/core/features";
import { quantizeParameters, restoreRows } from "../scoring/quantize-rows.ts";
import { MAX_RANK } from "../scoring/tensor/tensor-plan.ts";
import {
  type TensorConfiguration,
  type TensorSettings,
  tensorDimension,
  wordRows,
} from "../scoring/tensor/tensor-rows.ts";
import { checkCodes, checkScales } from "./sections.ts";
import { readVectors, VECTOR_HEADER, type VectorHeader, vectorHeader } from "./vector-model.ts";

/**
 * A quantised tensor, as stored in a model file. Each row of weights is kept in bytes with a scale of its
 * own.
 */
export interface QuantizedTensor extends TensorSettings {
  readonly values: Int8Array;
  /** The weight that a byte of 1 stands for, by row. */
  readonly scales: Float32Array;
}

const MAX_FEATURES = 2 ** 21;
/** Indices of templates fit into a byte. */
const MAX_TEMPLATES = 255;

/**
 * Rounds the weights of a tensor to bytes, row by row. O(weights).
 *
 * @throws RangeError when one is not finite, or too large for a file
 */
export function quantizeTensor(settings: TensorSettings, weights: Float32Array): QuantizedTensor {
  return {
    ...settings,
    ...quantizeParameters(weights, settings.configuration.rank, "weights of the tensor"),
  };
}

/** Returns the weights of a quantised tensor. O(weights). */
export function restoreTensor({ values, scales, configuration }: QuantizedTensor): Float32Array {
  const weights = new Float32Array(values.length);
  restoreRows(values, scales, configuration.rank, weights);
  return weights;
}

/** The vectors of a tensor in a model file. */
export function tensorVectors({ codes, values, scales, vectors }: QuantizedTensor): Record<string, Vector> {
  return {
    tensorCodes: codes,
    tensor: values,
    tensorScales: scales,
    ...(vectors ? { wordVectors: vectors.values, wordVectorScales: vectors.scales } : {}),
  };
}

/** The configuration of a tensor in the header of a model file. */
export interface TensorHeader extends TensorConfiguration {
  readonly vectors?: VectorHeader;
}

export function tensorHeader({ configuration, vectors }: QuantizedTensor): TensorHeader {
  if (vectors === undefined) return configuration;
  return { ...configuration, vectors: vectorHeader(vectors) };
}

const TENSOR = record<TensorHeader>({
  rank: integer(1, MAX_RANK),
  templates: list(readable(parseWordTemplate), { max: MAX_TEMPLATES, distinct: true }),
  scale: number(2 ** -32, 2 ** 16),
  vectors: optional(VECTOR_HEADER),
});

/**
 * Checks the configuration of a tensor in the header of a model file, and takes its vectors.
 *
 * @throws ModelError that names the first thing that is wrong
 */
export function checkTensor(value: unknown, sections: SectionTable): void {
  const at = "damaged model file: header.tensor";
  TENSOR(value, at);
  const { rank, vectors } = value as TensorHeader;
  // Codes are ascending: one of them may be 0.
  const codes = sections.takeDense("tensorCodes", "int32", 1);
  if (codes >= MAX_FEATURES) refuse(at, `fewer than ${MAX_FEATURES} features`, codes);
  const dimension = tensorDimension(rank, wordRows(codes, vectors?.dimension ?? 0));
  sections.expect("tensor", "int8", dimension);
  sections.expect("tensorScales", "float32", dimension / rank);
  if (vectors === undefined) return;
  sections.expect("wordVectors", "int8", vectors.words.length * vectors.dimension);
  sections.expect("wordVectorScales", "float32", vectors.words.length);
}

/**
 * Reads the tensor of a model file that was checked.
 *
 * @throws ModelError when the vectors have other contents than expected
 */
export function readTensor(
  { vectors: header, ...configuration }: TensorHeader,
  vectors: Readonly<Record<string, Vector>>,
): QuantizedTensor {
  const { tensorCodes: codes, tensor: values, tensorScales: scales } = vectors;
  const typed = codes instanceof Int32Array && values instanceof Int8Array && scales instanceof Float32Array;
  if (!typed) throw new ModelError("damaged model file: no weights of the tensor");
  checkCodes(codes, "tensor");
  checkScales(scales, "tensor");
  if (header === undefined) return { configuration, codes, values, scales };
  return { configuration, codes, vectors: readVectors(header, vectors, "word"), values, scales };
}
