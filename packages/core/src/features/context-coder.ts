import { type EncodedSentence, PADDING } from "./encode.ts";
import { extend, hashString, mix } from "./hash.ts";
import type { Piece } from "./templates.ts";

/** The pieces that a template takes from the context of one word. */
export interface WordContext {
  /** The template: its text seeds the hash. */
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/**
 * Codes the pieces that templates take from the context of one word, for all words of a sentence: word i,
 * template t at `codes[i * width + t]`. Row n + 1 stands for a word that is not there. The codes are well
 * mixed, so that a feature of several words is the XOR of theirs.
 */
export class ContextCoder {
  codes = new Int32Array(0);
  /** Number of templates. */
  readonly width: number;
  readonly #start: Int32Array;
  readonly #column: Int32Array;
  readonly #offset: Int32Array;
  readonly #seeds: Int32Array;

  /** @param seed keeps the words of a template apart: the same context codes differently for each */
  constructor(contexts: readonly WordContext[], seed: number) {
    const pieces = contexts.map((context) => context.pieces);
    this.width = contexts.length;
    this.#start = new Int32Array(pieces.length + 1);
    for (let t = 0; t < pieces.length; t++) this.#start[t + 1] = this.#start[t]! + pieces[t]!.length;
    this.#column = Int32Array.from(pieces.flat(), (piece) => piece.column);
    this.#offset = Int32Array.from(pieces.flat(), (piece) => piece.offset + PADDING);
    this.#seeds = Int32Array.from(contexts, ({ text }) => hashString(text, seed));
  }

  /** Codes all words of a sentence. O(n · pieces). */
  prepare({ n, columns }: EncodedSentence): void {
    const { width } = this;
    if (this.codes.length < (n + 2) * width) this.codes = new Int32Array(2 * (n + 2) * width);
    const codes = this.codes;
    for (let t = 0; t < width; t++) {
      const from = this.#start[t]!;
      const to = this.#start[t + 1]!;
      for (let i = 0; i <= n; i++) {
        let code = this.#seeds[t]!;
        for (let p = from; p < to; p++) {
          code = extend(code, columns[this.#column[p]!]![i + this.#offset[p]!]!);
        }
        codes[i * width + t] = mix(code);
      }
      codes[(n + 1) * width + t] = mix(this.#seeds[t]! ^ ABSENT);
    }
  }
}

const ABSENT = 0x7feb352d;
