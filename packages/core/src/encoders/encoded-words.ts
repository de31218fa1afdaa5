import type { EncoderIdentity } from "../encoder-identity.ts";
import { counted } from "../errors/counted.ts";
import { ArcwiseError } from "../errors/index.ts";
import {
  accepting,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  joinOptions,
  list,
  type OptionsOf,
  string,
  withMembers,
  words,
} from "../options/index.ts";
import type { Sentence } from "../sentence.ts";
import { ENCODE_OPTIONS, type Encoder, encodeChecked, requireEncoder } from "./encoder.ts";
import { toHalves } from "./half-floats.ts";

/** The vectors of the words of a sentence. Plain data. */
export interface SentenceVectors {
  readonly encoder: EncoderIdentity;
  /** words x width 16-bit floats: see `toHalves`. */
  readonly values: Uint16Array;
}

const SENTENCES_OPTIONS = joinOptions(
  ENCODE_OPTIONS,
  defineOptions({
    onProgress: {
      check: accepting<(share: number) => void>(callback),
      help: "called after each batch with the share of the words that are done",
      programmatic: true,
    },
  }),
);

/** Options of `encodeSentences`. */
export interface EncodeSentencesOptions extends OptionsOf<typeof SENTENCES_OPTIONS> {}

/** Accepts encoders, or what they are identified by. */
const identity = withMembers<EncoderIdentity>("an encoder", "name", "width", "fingerprint");
/** Accepts vectors of the words of a sentence. */
const sentenceVectors = withMembers<SentenceVectors>("vectors of words", "encoder", "values");

/** Maximum numbers of sentences and of words that are given to an encoder at a time. */
const MAX_SENTENCES = 256;
const MAX_WORDS = 1024;

/**
 * Returns the vectors of sentences as 16-bit floats, in memory that threads share where the engine allows it. Sentences
 * that occur several times are encoded once, and sentences of similar lengths together. 2 bytes per number.
 *
 * @throws the errors of the encoder, and what `encodeChecked` throws
 */
export async function encodeSentences(
  encoder: Encoder,
  sentences: readonly (readonly string[])[],
  options?: EncodeSentencesOptions,
): Promise<SentenceVectors[]> {
  const { width } = requireEncoder(encoder, "encodeSentences");
  checkArgument(list(list(string)), sentences, "encodeSentences: sentences");
  const { signal, onProgress } = checkOptions(SENTENCES_OPTIONS, options, "encodeSentences");
  const identity = identityOf(encoder);
  const distinct = new Map(sentences.map((words) => [keyOf(words), words]));
  const order = [...distinct].sort(([, a], [, b]) => b.length - a.length);
  const total = order.reduce((sum, [, words]) => sum + words.length, 0);
  const all = sharedHalves(total * width);
  const found = new Map<string, SentenceVectors>();
  let done = 0;
  for (const batch of batchesOf(order)) {
    const vectors = await encodeChecked(
      encoder,
      batch.map(([, words]) => words),
      { signal },
    );
    for (const [k, [key, words]] of batch.entries()) {
      const values = all.subarray(done * width, (done + words.length) * width);
      found.set(key, { encoder: identity, values: toHalves(vectors[k], values) });
      done += words.length;
    }
    onProgress?.(done / Math.max(1, total));
  }
  return sentences.map((words) => found.get(keyOf(words))!);
}

/** Returns a string that sentences share if they have the same words: one of another sentence is another string. */
function keyOf(words: readonly string[]): string {
  return JSON.stringify(words);
}

function* batchesOf<Entry extends readonly [string, readonly string[]]>(
  order: readonly Entry[],
): Generator<Entry[]> {
  let batch: Entry[] = [];
  let words = 0;
  for (const entry of order) {
    const count = entry[1].length;
    if (batch.length > 0 && (batch.length === MAX_SENTENCES || words + count > MAX_WORDS)) {
      yield batch;
      batch = [];
      words = 0;
    }
    batch.push(entry);
    words += count;
  }
  if (batch.length > 0) yield batch;
}

function sharedHalves(length: number): Uint16Array {
  const bytes = 2 * length;
  return new Uint16Array(
    typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes),
  );
}

/** Returns the identity of an encoder without its functions. */
export function identityOf(encoder: EncoderIdentity): EncoderIdentity {
  checkArgument(identity, encoder, "identityOf");
  const { name, width, fingerprint, parts } = encoder;
  return { name, width, fingerprint, ...(parts && { parts }) };
}

/** Returns the words of a sentence with their vectors. @throws ArcwiseError `invalid-encoder` unless there is one for each */
export function withVectors(sentence: Sentence, vectors: SentenceVectors): Sentence {
  checkArgument(words, sentence, "withVectors: sentence");
  checkArgument(sentenceVectors, vectors, "withVectors: vectors");
  const { encoder, values } = vectors;
  const { width } = encoder;
  if (values.length !== sentence.length * width) {
    const what = `expected ${counted(sentence.length, "word")} x ${counted(width, "number")}, found ${values.length}`;
    throw new ArcwiseError("invalid-encoder", `vectors of encoder ${encoder.name}: ${what}`);
  }
  return sentence.map((word, k) => ({
    ...word,
    vector: { encoder, values: values.subarray(k * width, (k + 1) * width) },
  }));
}

/**
 * Returns sentences whose words have the vectors of an encoder, for parsers of models that were trained with it. Cost: the
 * encoder's.
 *
 * @throws as `encodeSentences`
 * @example
 * const [sentence] = await encodeWords(encoder, [[{ form: "Dogs" }, { form: "bark" }]]);
 * const { heads } = createParser(model).parse(sentence);
 */
export async function encodeWords(
  encoder: Encoder,
  sentences: readonly Sentence[],
  options?: EncodeSentencesOptions,
): Promise<Sentence[]> {
  checkArgument(list(words), sentences, "encodeWords: sentences");
  const forms = sentences.map((sentence) => sentence.map(({ form }) => form));
  const vectors = await encodeSentences(encoder, forms, options);
  return sentences.map((sentence, s) => withVectors(sentence, vectors[s]));
}

/** Returns the name, width and fingerprint of an encoder, for messages. */
function describeEncoder(encoder: EncoderIdentity): string {
  const { name, width, fingerprint } = encoder;
  return `${name} (${counted(width, "number")}, fingerprint ${fingerprint})`;
}

/** Returns in what two encoders differ, for messages; an empty string unless the parts of both fingerprints are known. */
function differences(needed: EncoderIdentity, given: EncoderIdentity): string {
  if (needed.parts === undefined || given.parts === undefined) return "";
  const [expected, found] = [needed.parts, given.parts];
  const different = Object.keys({ ...expected, ...found })
    .filter((name) => expected[name] !== found[name])
    .map((name) => `${name} (expected ${expected[name] ?? "none"}, found ${found[name] ?? "none"})`);
  return different.length === 0 ? "" : `; they differ in ${different.join(", ")}`;
}

/** Returns whether two encoders give the same vectors: the name does not matter. */
function isSameEncoder(a: EncoderIdentity, b: EncoderIdentity): boolean {
  return a === b || (a.fingerprint === b.fingerprint && a.width === b.width);
}

/**
 * Checks that an encoder is the one that a model was trained with.
 *
 * @param needed the encoder of the model; undefined: it was trained without one
 * @param given undefined: no encoder was given
 * @throws ArcwiseError `missing-encoder` that names both, and the parts of their fingerprints that differ
 */
export function requireSameEncoder(
  needed: EncoderIdentity | undefined,
  given: EncoderIdentity | undefined,
): void {
  if (needed === undefined ? given === undefined : given !== undefined && isSameEncoder(needed, given))
    return;
  const [expected, found] = [needed, given].map((encoder) =>
    encoder === undefined ? "no encoder" : `the encoder ${describeEncoder(encoder)}`,
  );
  const why = needed && given ? differences(needed, given) : "";
  throw new ArcwiseError("missing-encoder", `expected ${expected}, found ${found}${why}`, {
    expected,
    found,
  });
}

/**
 * Checks that all words have vectors of the encoder that a model was trained with.
 *
 * @throws ArcwiseError `missing-encoder` that names both
 */
export function requireVectors(sentence: Sentence, needed: EncoderIdentity): void {
  checkArgument(words, sentence, "requireVectors: sentence");
  checkArgument(identity, needed, "requireVectors: needed");
  for (const { form, vector } of sentence) {
    if (vector !== undefined && isSameEncoder(needed, vector.encoder)) continue;
    const found = vector === undefined ? "none" : `vectors of ${describeEncoder(vector.encoder)}`;
    const expected = `vectors of the encoder ${describeEncoder(needed)}`;
    const why = vector === undefined ? "" : differences(needed, vector.encoder);
    const advice = "give the encoder: createPipeline(model, { encoder }), or encodeWords(encoder, sentences)";
    throw new ArcwiseError(
      "missing-encoder",
      `word ${JSON.stringify(form)}: expected ${expected}, found ${found}${why}; ${advice}`,
      { expected, found },
    );
  }
}
