import { ModelError, type Vector } from "@arcwise/core/container";
import { integer, list, optional, record, string } from "@arcwise/core/options";
import { MAX_BEGINNING, MAX_NUMBERS, type QuantizedVectors } from "../scoring/vectors/word-vectors.ts";
import { checkScales } from "./sections.ts";

/** Given vectors in the header of a model file. */
export type VectorHeader = Pick<QuantizedVectors, "dimension" | "words" | "beginnings">;

/** Checks the header of given vectors. */
export const VECTOR_HEADER = record<VectorHeader>({
  dimension: integer(1, MAX_NUMBERS),
  words: list(string, { distinct: true }),
  beginnings: optional(integer(1, MAX_BEGINNING)),
});

/** Returns the header of given vectors. */
export function vectorHeader({ dimension, words, beginnings }: QuantizedVectors): VectorHeader {
  return { dimension, words, beginnings };
}

/** Reads given vectors from the checked sections `networkVectors` and `networkVectorScales`. */
export function readVectors(
  header: VectorHeader,
  vectors: Readonly<Record<string, Vector | undefined>>,
): QuantizedVectors {
  const { networkVectors: values, networkVectorScales: scales } = vectors;
  if (!(values instanceof Int8Array && scales instanceof Float32Array)) {
    throw new ModelError("damaged model file: no word vectors");
  }
  checkScales(scales, "network");
  return { ...header, values, scales };
}
