import { type Context, codeContext, contextOf } from "./context-rows.ts";
import type { EncodedSentence } from "./encode.ts";
import { hashString, mix } from "./hash.ts";
import type { Piece } from "./templates.ts";

/** The pieces of a template that are about one word. */
export interface WordContext {
  /** The template: its text seeds the hash. */
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/**
 * Computes codes of the pieces of templates that are about one word, for all words of a sentence.
 *
 * Word i, template t is at `codes[i * width + t]`; row n + 1 stands for an absent word. The codes are well
 * mixed, so that a feature of several words is the XOR of their codes.
 */
export class ContextCoder {
  codes = new Int32Array(0);
  /** Number of templates. */
  readonly width: number;
  /** Context of each template. */
  readonly #contexts: readonly Context[];
  readonly #seeds: Int32Array;

  /**
   * @param seed distinguishes the words of a template: the same context has another code for each
   */
  constructor(contexts: readonly WordContext[], seed: number) {
    this.width = contexts.length;
    this.#contexts = contexts.map(({ pieces }) => contextOf(pieces));
    this.#seeds = Int32Array.from(contexts, ({ text }) => hashString(text, seed));
  }

  /** Codes all words of a sentence. O(n · (templates + pieces of contexts that are not coded yet)). */
  prepare(sentence: EncodedSentence): void {
    const { width } = this;
    const rowLength = sentence.n + 2;
    if (this.codes.length < rowLength * width) this.codes = new Int32Array(2 * rowLength * width);
    const codes = this.codes;
    for (let t = 0; t < width; t++) {
      const seed = this.#seeds[t];
      const row = codeContext(this.#contexts[t], sentence);
      for (let i = 0; i < rowLength; i++) codes[i * width + t] = mix(row[i] ^ seed);
    }
  }
}
