import type { Vector } from "@arcwise/core/container";
import { MAX_RANK } from "../scoring/tensor/tensor-plan.ts";
import {
  type TensorConfiguration,
  type TensorSettings,
  tensorDimension,
  wordRows,
} from "../scoring/tensor/tensor-rows.ts";
import type { QuantizedVectors } from "../scoring/tensor/word-vectors.ts";
import { ModelError, type Section } from "./container.ts";
import { quantizeRows, restoreRows } from "./quantize-rows.ts";
import { checkCodes, checkScales, entriesOf, expectEntries } from "./sections.ts";

/** A tensor at rest. Each row of weights is kept in bytes with a scale of its own. */
export interface QuantizedTensor extends TensorSettings {
  readonly values: Int8Array;
  /** What a byte of 1 is worth, by row. */
  readonly scales: Float32Array;
}

const MAX_FEATURES = 2 ** 21;

/**
 * Rounds the weights of a tensor to bytes, row by row. O(weights). @throws RangeError when one is not finite
 */
export function quantizeTensor(settings: TensorSettings, weights: Float32Array): QuantizedTensor {
  return { ...settings, ...quantizeRows(weights, settings.configuration.rank, "weights of the tensor") };
}

/** The weights of a quantised tensor. O(weights). */
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

/** What the header of a model file says of a tensor. */
export interface TensorHeader extends TensorConfiguration {
  readonly vectors?: Pick<QuantizedVectors, "dimension" | "words">;
}

export function tensorHeader({ configuration, vectors }: QuantizedTensor): TensorHeader {
  if (vectors === undefined) return configuration;
  return { ...configuration, vectors: { dimension: vectors.dimension, words: vectors.words } };
}

/**
 * Checks what the header of a model file says of a tensor, and the sizes of its vectors.
 *
 * @throws ModelError that names the first thing that is wrong
 */
export function checkTensor(value: unknown, sections: readonly Section[]): void {
  const { rank, templates, scale, vectors } = (value ?? {}) as Partial<TensorHeader>;
  const sound =
    Number.isInteger(rank) &&
    rank! >= 1 &&
    rank! <= MAX_RANK &&
    Array.isArray(templates) &&
    templates.every((template) => typeof template === "string") &&
    Number.isFinite(scale) &&
    isVectors(vectors);
  if (!sound) throw new ModelError("damaged model file: its header has no sound tensor");
  const codes = entriesOf("tensorCodes", "int32", sections);
  if (codes >= MAX_FEATURES) throw new ModelError(`damaged model file: ${codes} features of a tensor`);
  const dimension = tensorDimension(rank!, wordRows(codes, vectors?.dimension ?? 0));
  expectEntries("tensor", "int8", dimension, sections);
  expectEntries("tensorScales", "float32", dimension / rank!, sections);
  if (vectors === undefined) return;
  const numbers = vectors.words.length * vectors.dimension;
  expectEntries("wordVectors", "int8", numbers, sections);
  expectEntries("wordVectorScales", "float32", vectors.words.length, sections);
}

/** A dimension, and words of which each comes once; or nothing. */
function isVectors(value: TensorHeader["vectors"] | undefined): boolean {
  if (value === undefined) return true;
  const { dimension, words } = value ?? {};
  return (
    Number.isInteger(dimension) &&
    dimension >= 1 &&
    Array.isArray(words) &&
    words.every((word) => typeof word === "string") &&
    new Set(words).size === words.length
  );
}

/**
 * The tensor of a model file that was checked.
 *
 * @throws ModelError when the vectors do not hold what they should
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
  const { wordVectors, wordVectorScales } = vectors;
  if (!(wordVectors instanceof Int8Array && wordVectorScales instanceof Float32Array)) {
    throw new ModelError("damaged model file: no word vectors");
  }
  checkScales(wordVectorScales, "tensor");
  const ofWords = { ...header, values: wordVectors, scales: wordVectorScales };
  return { configuration, codes, vectors: ofWords, values, scales };
}
