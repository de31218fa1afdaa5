import { type EncodedSentence, PADDING } from "./encode.ts";
import { extend, hashString, mix } from "./hash.ts";
import { columnOf, type Piece } from "./templates.ts";

/** The pieces that a template takes from the context of one word. */
export interface WordContext {
  /** The template: its text seeds the hash. */
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/**
 * Codes the pieces that templates take from the context of one word, for all words of a sentence.
 *
 * Word i, template t is at `codes[i * width + t]`; row n + 1 stands for an absent word. The codes are well
 * mixed, so that a feature of several words is the XOR of theirs.
 */
export class ContextCoder {
  codes = new Int32Array(0);
  /** Number of templates. */
  readonly width: number;
  /** The different contexts, which several templates may share, as lists of pieces. */
  readonly #pieces: readonly (readonly Piece[])[];
  /** Context of each template. */
  readonly #context: Int32Array;
  readonly #seeds: Int32Array;
  #row = new Int32Array(0);

  /** @param seed keeps the words of a template apart: the same context codes differently for each */
  constructor(contexts: readonly WordContext[], seed: number) {
    const keyOf = ({ pieces }: WordContext) =>
      pieces.map(({ column, feature = column, offset }) => `${feature}:${offset}`).join(" ");
    const different = new Map(contexts.map((context) => [keyOf(context), context.pieces]));
    const keys = [...different.keys()];
    this.width = contexts.length;
    this.#pieces = [...different.values()];
    this.#context = Int32Array.from(contexts, (context) => keys.indexOf(keyOf(context)));
    this.#seeds = Int32Array.from(contexts, ({ text }) => hashString(text, seed));
  }

  /** Codes all words of a sentence. O(n · (templates + pieces of different contexts)). */
  prepare(sentence: EncodedSentence): void {
    const { width } = this;
    const { n } = sentence;
    const rowLength = n + 2;
    if (this.codes.length < rowLength * width) this.codes = new Int32Array(2 * rowLength * width);
    const rows = this.#pieces.length * rowLength;
    if (this.#row.length < rows) this.#row = new Int32Array(2 * rows);
    this.#codeContexts(sentence);
    const codes = this.codes;
    const row = this.#row;
    for (let t = 0; t < width; t++) {
      const seed = this.#seeds[t]!;
      const from = this.#context[t]! * rowLength;
      for (let i = 0; i < rowLength; i++) codes[i * width + t] = mix(row[from + i]! ^ seed);
    }
  }

  /** Codes each context at each word once: context c, word i at `row[c (n + 2) + i]`. */
  #codeContexts(sentence: EncodedSentence): void {
    const { n, columns } = sentence;
    const row = this.#row;
    for (let context = 0; context < this.#pieces.length; context++) {
      const from = context * (n + 2);
      row.fill(EMPTY, from, from + n + 1);
      for (const piece of this.#pieces[context]!) {
        // Attributes are read without a call: there are hundreds of pieces.
        const column = piece.column >= 0 ? columns[piece.column]! : columnOf(sentence, piece);
        const shift = piece.offset + PADDING;
        for (let i = 0; i <= n; i++) row[from + i] = extend(row[from + i]!, column[i + shift]!);
      }
      row[from + n + 1] = ABSENT;
    }
  }
}

/** Codes of a context of no pieces, and of an absent word. */
const EMPTY = 0x3f84d5b5;
const ABSENT = 0x7feb352d;
