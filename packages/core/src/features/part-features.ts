import type { PartKind } from "../parts/kinds.ts";
import { ContextCoder } from "./context-coder.ts";
import type { EncodedSentence } from "./encode.ts";
import { codeOf } from "./hash.ts";
import { PART_FEATURES } from "./part-templates.ts";
import { CODE, CONTEXT_SEED } from "./seeds.ts";
import { parsePartTemplate, type Template } from "./templates.ts";
import type { WeightTable } from "./weight-table.ts";

/** Weights of a line: of the feature itself, and of the feature in each of seven buckets of distance. */
export const PART_LINE = 8;

/** The part of each row of three arrays: the parts of a stretch of a table, which share all words but one. */
export interface PartRun {
  /** Number of parts. */
  readonly size: number;
  /** The word that the parts do not share; n + 1 where it is absent. */
  readonly words: Int32Array;
  /** Number of the pattern of directions, 0..15. */
  readonly directions: Int32Array;
  /** Distance bucket, 1..7. */
  readonly buckets: Int32Array;
}

/**
 * Hashed features of parts of one kind. A feature is the XOR of one code for each word of the part, and
 * selects a line of `PART_LINE` weights.
 */
export class PartFeatures {
  readonly kind: PartKind;
  /** Number of lines that a part has. */
  readonly width: number;
  readonly #shift: number;
  readonly #coders: readonly ContextCoder[];
  /** For each template, the XOR of the codes of the words that are fixed. */
  readonly #fixed: Int32Array;
  #varying: ContextCoder;

  /**
   * @param lineBits the table has 2^lineBits lines
   * @throws RangeError on a template that cannot be read
   */
  constructor(kind: PartKind, templates: readonly Template[], lineBits: number) {
    const anchors = PART_FEATURES[kind].words;
    const parsed = templates.map((text) => ({
      text: `${kind} ${text}`,
      pieces: parsePartTemplate(text, anchors),
    }));
    this.kind = kind;
    this.width = templates.length;
    this.#shift = 32 - lineBits;
    this.#coders = anchors.map((anchor, index) => {
      const contexts = parsed.map(({ text, pieces }) => ({ text, pieces: pieces.get(anchor)! }));
      return new ContextCoder(contexts, CONTEXT_SEED.part + index);
    });
    this.#fixed = new Int32Array(this.width);
    this.#varying = this.#coders[0];
  }

  /** Codes the contexts of all words. O(n · templates). Must come before the other methods. */
  prepare(sentence: EncodedSentence): void {
    for (const coder of this.#coders) coder.prepare(sentence);
  }

  /**
   * Sets the words that the following parts share: all but one. `words` are positions in the order of the
   * words of `PART_FEATURES`, n + 1 where a word is absent; the one at `varying` is left out.
   */
  fix(words: Int32Array, varying: number): void {
    const { width } = this;
    const fixed = this.#fixed;
    fixed.fill(0);
    for (let k = 0; k < this.#coders.length; k++) {
      if (k === varying) continue;
      const { codes } = this.#coders[k];
      const at = words[k] * width;
      for (let t = 0; t < width; t++) fixed[t] ^= codes[at + t];
    }
    this.#varying = this.#coders[varying];
  }

  /**
   * Scores the parts of a run: `scores[at + k]` becomes the scaled sum of the weights of part k.
   * O(size · templates).
   */
  scoreRun(
    { values: weights, first, scale }: WeightTable,
    run: PartRun,
    scores: Float64Array,
    at: number,
  ): void {
    const { size, words, directions, buckets } = run;
    const { width } = this;
    const { codes } = this.#varying;
    const fixed = this.#fixed;
    const shift = this.#shift;
    for (let k = 0; k < size; k++) {
      const direction = DIRECTION_CODES[directions[k]];
      const bucket = buckets[k];
      const from = words[k] * width;
      let sum = 0;
      for (let t = 0; t < width; t++) {
        const code = fixed[t] ^ codes[from + t] ^ direction;
        const line = first + (Math.imul(code, SPREAD) >>> shift) * PART_LINE;
        sum += weights[line] + weights[line + bucket];
      }
      scores[at + k] = scale * sum;
    }
  }

  /** Writes the offsets of the lines of the part whose remaining word is `word`; returns their number. */
  lines(from: number, word: number, directions: number, lines: Int32Array): number {
    const { width } = this;
    const { codes } = this.#varying;
    const direction = DIRECTION_CODES[directions];
    const at = word * width;
    for (let t = 0; t < width; t++) {
      const code = this.#fixed[t] ^ codes[at + t] ^ direction;
      lines[t] = from + (Math.imul(code, SPREAD) >>> this.#shift) * PART_LINE;
    }
    return width;
  }
}

const SPREAD = 0x9e3779b1;
const DIRECTION_CODES = Int32Array.from({ length: 16 }, (_, pattern) => codeOf(CODE.partDirections, pattern));
