import type { Sentence } from "@arcwise/core";
import { power } from "@arcwise/core/arithmetic";
import { ArcwiseError, type ArcwiseErrorOptions, counted } from "@arcwise/core/errors";
import { hashString, mix, normalForm, type SentenceEncoder, vocabulary } from "@arcwise/core/features";
import { quantizeRows } from "../quantize-rows.ts";

/** Vectors of words: the vector of `words[i]` is `values[dimension i .. dimension (i + 1) - 1]`. */
export interface WordVectors {
  readonly dimension: number;
  /** Distinct words. */
  readonly words: readonly string[];
  readonly values: Float32Array;
  /**
   * A word without a vector has the vector of its longest beginning, as in a lexicon of stems: the minimum
   * length of beginnings in UTF-16 code units. Absent: such a word has no vector.
   */
  readonly beginnings?: number | undefined;
}

/** Quantised word vectors of length 1: small integers, with a scale for each word. */
export interface QuantizedVectors {
  readonly dimension: number;
  readonly words: readonly string[];
  readonly values: Int8Array;
  readonly scales: Float32Array;
  /** See `WordVectors`. */
  readonly beginnings?: number | undefined;
}

/** Word vectors in the description of a model: their number and dimension, and a hash of all of them. */
export interface VectorsDescription {
  readonly words: number;
  readonly dimension: number;
  readonly hash: number;
  /** See `WordVectors`. */
  readonly beginnings?: number | undefined;
}

/** A file of word vectors cannot be read: position, what was expected, and what was found. */
export class WordVectorError extends ArcwiseError {
  override readonly name = "WordVectorError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-vectors", message, options);
  }
}

/** Options of `readWordVectors`. */
export interface WordVectorOptions {
  /** Name of the file in messages. Default: "word vectors". */
  readonly source?: string | undefined;
  /** Selects words to keep wherever they are in the file. */
  readonly keep?: ((word: string) => boolean) | undefined;
  /**
   * Maximum number of other words, the first ones, since files list frequent words first. Default: 100,000.
   */
  readonly most?: number | undefined;
}

/** Default maximum number of words that `keep` does not select. */
const MAX_WORDS = 100_000;
/** Maximum number of dimensions of a vector. */
export const MAX_NUMBERS = 4096;
/** Maximum length of the shortest beginning of a word that stands for it. */
export const MAX_BEGINNING = 1000;

/**
 * Reads vectors in the text format of word2vec: a line with the numbers of words and of dimensions (which may
 * be missing, as in the files of GloVe), then a line a word with its numbers, separated by spaces. Of a
 * repeated word the first is kept. Memory: the vectors that are kept.
 *
 * @param lines the lines of the file, without their ends; the file need not be in memory
 * @throws ArcwiseError `invalid-vectors` with file and line, when a line has another number of numbers, or something else
 *   than numbers
 */
export async function readWordVectors(
  lines: Iterable<string> | AsyncIterable<string>,
  { source = "word vectors", keep = () => false, most = MAX_WORDS }: WordVectorOptions = {},
): Promise<WordVectors> {
  const words = new Set<string>();
  let values = new Float32Array(0);
  let dimension = 0;
  let number = 0;
  let others = 0;
  for await (const line of lines) {
    number++;
    const fields = line.trimEnd().split(/[ \t]+/);
    if (number === 1 && fields.length === 2 && fields.every((field) => /^\d+$/.test(field))) {
      dimension = Number(fields[1]);
      expectDimension(dimension, `${source}:1`);
      continue;
    }
    if (line.trim() === "") continue;
    if (dimension === 0) {
      dimension = fields.length - 1;
      expectDimension(dimension, `${source}:${number}`);
    }
    if (fields.length !== dimension + 1) {
      const found = counted(fields.length - 1, "number");
      throw new WordVectorError(
        `${source}:${number}: expected a word and ${counted(dimension, "number")}, found ${found}`,
      );
    }
    const word = fields[0];
    if (words.has(word)) continue;
    if (!keep(word) && others++ >= most) continue;
    const at = words.size * dimension;
    if (at === values.length) values = grown(values, dimension);
    readNumbers(fields, values.subarray(at, at + dimension), `${source}:${number}`);
    words.add(copyOf(word));
  }
  if (words.size === 0) throw new WordVectorError(`${source}: expected vectors of words, found none`);
  return { dimension, words: [...words], values: values.slice(0, words.size * dimension) };
}

/** Returns the same numbers with space for more. */
function grown(values: Float32Array, dimension: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(Math.max(1024 * dimension, 2 * values.length));
  larger.set(values);
  return larger;
}

/** Returns a string of its own: one cut out of a line keeps the whole line in memory, and what that is of. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function expectDimension(dimension: number, where: string): void {
  if (dimension >= 1 && dimension <= MAX_NUMBERS) return;
  throw new WordVectorError(`${where}: expected from 1 to ${MAX_NUMBERS} numbers a word, found ${dimension}`);
}

/** Maximum number of characters of a field in messages. */
const MAX_SHOWN = 60;

/** Reads the numbers of a line, all fields but the first. */
function readNumbers(fields: readonly string[], numbers: Float32Array, where: string): void {
  for (let d = 0; d < numbers.length; d++) {
    const field = fields[d + 1];
    numbers[d] = Number(field);
    if (field === "" || !Number.isFinite(numbers[d])) {
      const found = JSON.stringify(field.slice(0, MAX_SHOWN));
      throw new WordVectorError(`${where}: expected a number as field ${d + 2}, found ${found}`);
    }
  }
}

/**
 * The largest integer of a vector. A number takes 3.5 bits in a file; with 127 it would take 7.5, and
 * networks find the same tags and trees.
 */
const LARGEST_OF_VECTORS = 7;

/** Scales vectors to length 1 and quantises them. O(numbers). */
export function quantizeVectors({ dimension, words, values, beginnings }: WordVectors): QuantizedVectors {
  if (!Number.isInteger(dimension) || dimension < 1 || values.length !== words.length * dimension) {
    throw new RangeError(
      `expected ${words.length} vectors of ${counted(dimension, "number")}, got ${counted(values.length, "number")} in all`,
    );
  }
  if (
    beginnings !== undefined &&
    !(Number.isInteger(beginnings) && beginnings >= 1 && beginnings <= MAX_BEGINNING)
  ) {
    throw new RangeError(
      `expected a minimum length of beginnings from 1 to ${MAX_BEGINNING}, got ${beginnings}`,
    );
  }
  vocabulary(words);
  const rounded = quantizeRows(values, dimension, "word vectors", LARGEST_OF_VECTORS);
  const scales = rounded.scales.map((scale, row) => {
    let squares = 0;
    for (let d = 0; d < dimension; d++) squares += power(rounded.values[row * dimension + d], 2);
    return scale === 0 ? 0 : 1 / Math.sqrt(squares);
  });
  return { dimension, words, values: rounded.values, scales, beginnings };
}

/** Describes vectors, as the description of a model has them, with a checksum. O(entries). */
export function describeVectors(vectors: WordVectors | undefined): VectorsDescription | undefined {
  if (vectors === undefined) return undefined;
  const { words, dimension, values, beginnings } = vectors;
  let hash = hashString(words.join(" ")) ^ (beginnings ?? 0);
  for (const bits of new Int32Array(values.slice().buffer)) hash = mix(hash ^ bits);
  return { words: words.length, dimension, hash: hash >>> 0, beginnings };
}

/**
 * Returns an encoder that also looks up the vectors of words: of the form itself, otherwise in lower case,
 * otherwise of its longest beginning if the vectors say so. O(1) a word; with beginnings a lookup for each
 * character of the word, or of the longest word with a vector.
 */
export function withVectors(
  encoder: SentenceEncoder,
  vectors: QuantizedVectors | undefined,
): SentenceEncoder {
  if (vectors === undefined) return encoder;
  const known = vocabulary(vectors.words);
  const { beginnings = Infinity } = vectors;
  const longest = vectors.words.reduce((most, { length }) => Math.max(most, length), 0);
  const rowOf = (given: string) => {
    const form = normalForm(given);
    const lower = form.toLowerCase();
    const row = known.id(form) || known.id(lower) || known.id(given);
    if (row !== 0) return row;
    for (let length = Math.min(form.length - 1, longest); length >= beginnings; length--) {
      const found = known.id(form.slice(0, length)) || known.id(lower.slice(0, length));
      if (found !== 0) return found;
    }
    return 0;
  };
  const rowsOf = (sentence: Sentence) => Int32Array.of(0, ...sentence.map(({ form }) => rowOf(form)));
  return {
    ...encoder,
    encode: (sentence) => ({ ...encoder.encode(sentence), vectors: rowsOf(sentence) }),
  };
}
