import type { Random, Word } from "@arcwise/core";
import {
  ATTRIBUTES,
  codeOf,
  type EncodedSentence,
  normalForm,
  PADDING,
  type SentenceEncoder,
  WordFeatures,
  type WordTemplate,
} from "@arcwise/core/features";
import { rowsOf, type SentenceBatch, sentenceBatch } from "@arcwise/neural";
import { vectorAt } from "../vectors/encoded-input.ts";
import type { KnownInput, NetworkInput, WordInput } from "./arc-network.ts";
import { CHARACTERS, characterFeatures } from "./character-features.ts";
import { FeatureRows } from "./feature-rows.ts";
import { knownWords, readsForms } from "./known-words.ts";

/** Templates of the input of a network: attributes of the word itself. The network computes the context. */
export const NETWORK_TEMPLATES: readonly WordTemplate[] = [
  "word",
  "lemma",
  "upos",
  "xpos",
  "feats",
  "prefix",
  "suffix",
  "ending",
  "shape",
  "feat",
];

/** The column of words, and the code of unknown ones: their forms are unknown as well. */
const WORD = ATTRIBUTES.indexOf("word");
const UNKNOWN = codeOf(WORD, 0);

/** Returns the codes of the frequent features, which have embeddings, ascending. O(features of all words). */
export function networkCodes(
  sentences: readonly EncodedSentence[],
  templates: readonly WordTemplate[],
  minimum: number,
): Int32Array {
  const counts = new Map<number, number>();
  const features = new InputFeatures(templates);
  const add = (code: number) => counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const sentence of sentences) {
    features.prepare(sentence);
    for (let i = 0; i <= sentence.n; i++) features.forEach(i, add);
  }
  const kept: number[] = [];
  for (const [code, count] of counts) if (count >= minimum) kept.push(code);
  return Int32Array.from(kept).sort();
}

/** The features of the words of one sentence at a time: features of templates, and of characters. */
class InputFeatures {
  readonly #words: WordFeatures;
  readonly #characters: ReturnType<typeof characterFeatures> | undefined;
  #sentence: EncodedSentence | undefined;

  constructor(templates: readonly WordTemplate[]) {
    this.#words = new WordFeatures(templates.filter((template) => template !== CHARACTERS));
    this.#characters = templates.includes(CHARACTERS) ? characterFeatures() : undefined;
  }

  prepare(sentence: EncodedSentence): void {
    this.#words.prepare(sentence);
    this.#sentence = sentence;
  }

  /** Calls `add` with the code of each feature of position i (0 is the root). */
  forEach(i: number, add: (code: number) => void): void {
    const { start, codes } = this.#words;
    for (let k = start[i]; k < start[i + 1]; k++) add(codes[k]);
    if (this.#characters === undefined || i === 0) return;
    const { words, columns } = this.#sentence!;
    if (words === undefined) throw new Error("expected a sentence that was encoded with its words");
    const { form, others } = this.#characters(normalForm(words[i - 1].form));
    if (columns[WORD][i + PADDING] !== UNKNOWN) add(form);
    for (const code of others) add(code);
  }
}

/** Returns the given vector of each row of a batch; undefined when sentences were encoded without vectors. */
function vectorsOf(sentences: readonly EncodedSentence[], batch: SentenceBatch): Int32Array | undefined {
  if (!sentences.some(({ vectors }) => vectors !== undefined)) return undefined;
  return rowsInBatch(
    sentences.map(({ vectors }) => vectors ?? []),
    batch,
  );
}

/** Returns numbers of the positions of each sentence as numbers of the rows of a batch. */
function rowsInBatch(numbers: readonly ArrayLike<number>[], batch: SentenceBatch): Int32Array {
  const rows = new Int32Array(rowsOf(batch));
  for (const [s, own] of numbers.entries()) {
    for (let i = 0; i < own.length; i++) rows[batch.start[i] + s] = own[i];
  }
  return rows;
}

/** Returns the vector of an encoder in each row of a batch. */
function encodedOf(
  sentences: readonly EncodedSentence[],
  batch: SentenceBatch,
): readonly (Uint16Array | undefined)[] {
  const rows = new Array<Uint16Array | undefined>(rowsOf(batch));
  for (const [s, sentence] of sentences.entries()) {
    for (let i = 0; i <= sentence.n; i++) rows[batch.start[i] + s] = vectorAt(sentence, i);
  }
  return rows;
}

/** The words of a batch by their numbers, with the words that have new numbers. */
export interface KnownBatch extends KnownInput {
  readonly added: WordInput;
  /** The number of the first one. */
  readonly first: number;
}

/** How words are remembered. */
export interface WordRecall {
  /** Encodes new words. */
  readonly encoder: SentenceEncoder;
  /** Maximum number of words that are known at a time. */
  readonly words: number;
}

/** Looks up the embeddings of the words of sentences. */
export class NetworkReader {
  readonly #features: InputFeatures;
  readonly #rows: FeatureRows;
  readonly #known: ReturnType<typeof knownWords> | undefined;
  readonly #isEncoded: boolean;
  readonly #recall: WordRecall | undefined;

  /**
   * @param codes of the features that have an embedding, ascending
   * @param isEncoded whether words have vectors of an encoder
   * @param recall for `readKnown`
   */
  constructor(
    templates: readonly WordTemplate[],
    codes: Int32Array,
    isEncoded: boolean,
    recall?: WordRecall,
  ) {
    this.#isEncoded = isEncoded;
    this.#recall = recall;
    this.#features = new InputFeatures(templates);
    this.#rows = new FeatureRows(codes);
    this.#known = recall !== undefined && readsForms(templates) ? knownWords(recall.words) : undefined;
  }

  /** Whether `readKnown` can be called: forms decide all features, and new words can be encoded. */
  get isOfForms(): boolean {
    return this.#known !== undefined;
  }

  /**
   * Reads sentences in order of decreasing length, by numbers of their words; undefined where they are too long.
   * O(words + features of new words).
   */
  readKnown(sentences: readonly EncodedSentence[]): KnownBatch | undefined {
    const batch = sentenceBatch(sentences.map(({ n }) => n + 1));
    if (rowsOf(batch) > this.#recall!.words) return undefined;
    /** New words, undefined for the root. */
    const fresh: (Word | undefined)[] = [];
    const { numbers, first } = this.#known!(sentences, (s, i) =>
      fresh.push(i === 0 ? undefined : sentences[s].words![i - 1]),
    );
    return {
      batch,
      entries: rowsInBatch(numbers, batch),
      encoded: this.#encoded(sentences, batch),
      added: this.#inputOf(fresh),
      first,
    };
  }

  /** Returns the input of words, which are encoded as if they were a sentence: forms decide all features. */
  #inputOf(words: readonly (Word | undefined)[]): WordInput {
    const sentence = this.#recall!.encoder.encode(words.filter((word) => word !== undefined));
    if (words.length > 0) this.#features.prepare(sentence);
    const ends = new Int32Array(words.length + 1);
    const vectors = new Int32Array(words.length);
    const found: number[] = [];
    const add = (code: number) => {
      const row = this.#rows.row(code);
      if (row > 0) found.push(row - 1);
    };
    let position = 0;
    for (let k = 0; k < words.length; k++) {
      const i = words[k] === undefined ? 0 : ++position;
      this.#features.forEach(i, add);
      ends[k + 1] = found.length;
      vectors[k] = sentence.vectors?.[i] ?? 0;
    }
    return { start: ends, features: Int32Array.from(found), vectors };
  }

  #encoded(sentences: readonly EncodedSentence[], batch: SentenceBatch): NetworkInput["encoded"] {
    return this.#isEncoded ? encodedOf(sentences, batch) : undefined;
  }

  /**
   * Reads sentences in order of decreasing length. O(features).
   *
   * @param dropped in training: the share of features that are omitted at random
   */
  read(
    sentences: readonly EncodedSentence[],
    dropped?: { readonly rate: number; readonly stream: Random },
  ): NetworkInput {
    const batch = sentenceBatch(sentences.map(({ n }) => n + 1));
    const bound = dropped ? dropped.rate * 2 ** 32 : 0;
    const found: number[] = [];
    const ends = sentences.map((sentence) => {
      this.#features.prepare(sentence);
      const add = (code: number) => {
        const row = this.#rows.row(code);
        if (row > 0 && !(dropped && dropped.stream.uint32() < bound)) found.push(row - 1);
      };
      return Int32Array.from({ length: sentence.n + 1 }, (_, i) => {
        this.#features.forEach(i, add);
        return found.length;
      });
    });
    const start = new Int32Array(rowsOf(batch) + 1);
    const features = new Int32Array(found.length);
    let end = 0;
    for (let t = 0; t + 1 < batch.start.length; t++) {
      for (let row = batch.start[t]; row < batch.start[t + 1]; row++) {
        const s = row - batch.start[t];
        const from = t > 0 ? ends[s][t - 1] : s > 0 ? ends[s - 1].at(-1)! : 0;
        for (let k = from; k < ends[s][t]; k++) features[end++] = found[k];
        start[row + 1] = end;
      }
    }
    const encoded = this.#encoded(sentences, batch);
    return { batch, start, features, vectors: vectorsOf(sentences, batch), encoded };
  }
}
