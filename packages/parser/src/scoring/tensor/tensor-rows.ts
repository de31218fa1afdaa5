import { COUNTED, DISTANCES, type EncodedSentence, type WordTemplate } from "@arcwise/core/features";
import { bucketOf } from "../arcs/buckets.ts";
import type { QuantizedVectors } from "./word-vectors.ts";

/** How a tensor scores, except weights and alphabet. Plain data. */
export interface TensorConfiguration {
  readonly rank: number;
  readonly templates: readonly WordTemplate[];
  /** Factor of the tensor's scores: (1 - γ) / γ of the paper. */
  readonly scale: number;
}

/** A tensor without its weights. Plain data. */
export interface TensorSettings {
  readonly configuration: TensorConfiguration;
  /** Codes of the features of words that have rows; ascending. */
  readonly codes: Int32Array;
  /** Vectors of words, whose entries are features of the word and of its two neighbours. */
  readonly vectors?: QuantizedVectors | undefined;
}

const MAX_COUNTED = 3;
const DIRECTED = 1 + DISTANCES + COUNTED.length * (MAX_COUNTED + 1);
/**
 * Number of features of arcs: a bias; then for each direction itself, the distance, and the number of words
 * between by class.
 */
export const ARC_ROWS = 1 + 2 * DIRECTED;
/** Number of features of an arc: the bias, then those at these offsets. */
export const ARC_FEATURES = 3 + COUNTED.length;
export const DIRECTION = 1;
export const DISTANCE = 2;
export const COUNTS = 3;

/** Writes the rows of an arc's features. O(1). */
export function arcRows({ counts }: EncodedSentence, h: number, m: number, rows: Int32Array): void {
  const low = h < m ? h : m;
  const high = h < m ? m : h;
  const first = h < m ? 1 : 1 + DIRECTED;
  rows[0] = 0;
  rows[DIRECTION] = first;
  rows[DISTANCE] = first + bucketOf(h, m);
  let kindFirst = first + 1 + DISTANCES;
  for (let kind = 0; kind < COUNTED.length; kind++) {
    const upTo = counts[kind]!;
    const number = upTo[high - 1]! - upTo[low]!;
    rows[COUNTS + kind] = kindFirst + (number < MAX_COUNTED ? number : MAX_COUNTED);
    kindFirst += MAX_COUNTED + 1;
  }
}

/** The words whose vectors are features of a word: the previous one, itself, the next one. */
export const VECTORS = 3;

/**
 * Number of rows of the features of words: the bias, those of the alphabet, those of the entries of vectors.
 */
export function wordRows(codes: number, vectorDimension: number): number {
  return 1 + codes + VECTORS * vectorDimension;
}

/**
 * Number of weights of a tensor: a row of `rank` for each feature of heads, of modifiers, and of arcs, in
 * this order.
 */
export function tensorDimension(rank: number, words: number): number {
  return rank * (2 * words + ARC_ROWS);
}
