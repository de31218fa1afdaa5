import { areParts, type EncoderIdentity, MAX_ENCODER_WIDTH } from "../encoder-identity.ts";
import { counted } from "../errors/counted.ts";
import { ArcwiseError, describeValue } from "../errors/index.ts";
import {
  checkArgument,
  checkOptions,
  defineOptions,
  list,
  type OptionsOf,
  signal,
  string,
} from "../options/index.ts";

/** The options of `EncodeOptions`. */
export const ENCODE_OPTIONS = defineOptions({
  signal: {
    check: signal,
    help: "ends the work: the promise is rejected with the reason of the signal",
    programmatic: true,
  },
});

/** Options of `Encoder.encode`. */
export interface EncodeOptions extends OptionsOf<typeof ENCODE_OPTIONS> {}

/**
 * Computes a vector for each word of sentences: a pretrained model, or vectors that were computed elsewhere.
 *
 * @example
 * const lengths: Encoder = {
 *   name: "lengths",
 *   width: 1,
 *   fingerprint: "lengths 1",
 *   encode: async (sentences) => sentences.map((words) => Float32Array.from(words, (word) => word.length)),
 * };
 */
export interface Encoder extends EncoderIdentity {
  /**
   * Computes the vectors of sentences of given words: for each sentence a new array of words x width finite numbers, the
   * vector of the first word first. A word may be any string, also an empty one, one of a thousand characters, or one with
   * spaces; a sentence may have any number of words, also 0. The vectors of a sentence do not depend on the other sentences,
   * up to rounding, and not on earlier calls. Calls may overlap.
   *
   * Callers pass up to some hundred sentences of any lengths at a time: the encoder sorts them and cuts them into batches.
   *
   * @throws the reason of the signal once it is aborted
   */
  encode(sentences: readonly (readonly string[])[], options?: EncodeOptions): Promise<Float32Array[]>;
  /** Frees memory and threads; `encode` is not called later. Absent: nothing needs to be freed. */
  close?(): Promise<void>;
}

/** The members of an encoder: what they are, and whether a value is that. */
const MEMBERS: readonly (readonly [
  name: keyof Encoder,
  what: string,
  isSound: (value: unknown) => boolean,
])[] = [
  ["name", "a string that is not empty", isText],
  ["width", `an integer from 1 to ${MAX_ENCODER_WIDTH}`, isWidth],
  ["fingerprint", "a string that is not empty", isText],
  ["parts", "undefined, or strings by their names", areParts],
  ["encode", "a function", (value) => typeof value === "function"],
];

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isWidth(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_ENCODER_WIDTH;
}

/**
 * Checks that a value has the members of an encoder.
 *
 * @param source where the value is from, for the message
 * @throws ArcwiseError `invalid-encoder` that names the first member that is missing or wrong
 */
export function requireEncoder(value: unknown, source: string): Encoder {
  checkArgument(string, source, "requireEncoder: source");
  if (typeof value !== "object" || value === null)
    throw invalid(`${source}: expected an encoder, found ${describeValue(value)}`);
  for (const [name, what, isSound] of MEMBERS) {
    if (!isSound((value as Encoder)[name]))
      throw invalid(`${source}: expected an encoder whose ${name} is ${what}`);
  }
  return value as Encoder;
}

/**
 * Returns the vectors of sentences, once it is checked that the encoder keeps its contract.
 *
 * @throws ArcwiseError `invalid-encoder` if an array is missing, has another length, or a number is not finite;
 *   `invalid-argument`, `invalid-option`
 * @throws the errors of the encoder
 */
export async function encodeChecked(
  encoder: Encoder,
  sentences: readonly (readonly string[])[],
  options?: EncodeOptions,
): Promise<Float32Array[]> {
  requireEncoder(encoder, "encodeChecked");
  checkArgument(list(list(string)), sentences, "encodeChecked: sentences");
  checkOptions(ENCODE_OPTIONS, options, "encodeChecked").signal?.throwIfAborted();
  const vectors: readonly unknown[] = await encoder.encode(sentences, options);
  if (!Array.isArray(vectors) || vectors.length !== sentences.length)
    throw broken(encoder, `expected ${sentences.length} arrays, found ${vectors?.length}`);
  for (const [s, words] of sentences.entries()) checkVectors(encoder, words, vectors[s], s + 1);
  return vectors as Float32Array[];
}

function checkVectors(encoder: EncoderIdentity, words: readonly string[], vectors: unknown, s: number): void {
  const length = words.length * encoder.width;
  if (!(vectors instanceof Float32Array) || vectors.length !== length) {
    const found = vectors instanceof Float32Array ? counted(vectors.length, "number") : `${typeof vectors}`;
    const what = `a Float32Array of ${counted(words.length, "word")} x ${encoder.width}`;
    throw broken(encoder, `sentence ${s}: expected ${what}, found ${found}`);
  }
  for (let i = 0; i < length; i++) {
    if (Number.isFinite(vectors[i])) continue;
    const word = JSON.stringify(words[Math.floor(i / encoder.width)]);
    throw broken(encoder, `sentence ${s}, word ${word}: expected finite numbers, found ${vectors[i]}`);
  }
}

function broken({ name }: EncoderIdentity, what: string): ArcwiseError {
  return invalid(`encoder ${name}: ${what}`);
}

function invalid(message: string): ArcwiseError {
  return new ArcwiseError("invalid-encoder", message);
}
