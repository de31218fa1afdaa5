import type { Sentence } from "@arcwise/core";
import type { EncodedSentence, SentenceEncoder } from "@arcwise/core/features";

/** A sentence that is encoded when one of its codes is first read: a network that knows its words needs none of them. */
export class LazySentence implements EncodedSentence {
  readonly n: number;
  readonly words: Sentence;
  readonly #encoder: SentenceEncoder;
  #encoded: EncodedSentence | undefined;

  constructor(encoder: SentenceEncoder, words: Sentence) {
    this.n = words.length;
    this.words = words;
    this.#encoder = encoder;
  }

  get #codes(): EncodedSentence {
    this.#encoded ??= this.#encoder.encode(this.words);
    return this.#encoded;
  }

  get columns(): EncodedSentence["columns"] {
    return this.#codes.columns;
  }

  get featStart(): Int32Array {
    return this.#codes.featStart;
  }

  get feats(): Int32Array {
    return this.#codes.feats;
  }

  get tag(): Uint8Array {
    return this.#codes.tag;
  }

  get counts(): EncodedSentence["counts"] {
    return this.#codes.counts;
  }

  get morphology(): EncodedSentence["morphology"] {
    return this.#codes.morphology;
  }

  get vectors(): EncodedSentence["vectors"] {
    return this.#codes.vectors;
  }
}
