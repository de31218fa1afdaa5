import { type GlobalFeatures, VIEW, type WeightTable } from "@arcwise/core/features";

/** The memo has 2^BITS entries. */
const BITS = 13;
/**
 * Length of an entry in 32-bit integers: four keys, the score, and 8 unused bytes, so that an entry is in one
 * cache line.
 */
const KEYS = 8;
/** Offset of the score, in 64-bit floats. */
const SCORE = 2;
/** Positions are packed in pairs. The scores of longer sentences are not stored. */
const MAX_WORDS = 2 ** 15 - 2;
/** Marks the entries of heads. */
const HEAD = 1 << 31;
/** Mark the entries of crossings and of pairs, in place of words. */
const CROSSING = -1;
const PAIR = -2;

/** The features of the current sentence, and their stored scores. */
export interface GlobalEngine {
  readonly features: GlobalFeatures;
  readonly memo: GlobalMemo;
}

/**
 * Stores scores of words as heads and as modifiers. A climb visits the same words in the same neighbourhoods
 * many times: a lookup takes a few nanoseconds, computing the features some hundred. A new score replaces an
 * old one with the same entry.
 */
export class GlobalMemo {
  readonly #features: GlobalFeatures;
  readonly #keys = new Int32Array(KEYS << BITS);
  readonly #scores = new Float64Array(this.#keys.buffer);
  #table: WeightTable = { values: new Float32Array(0), first: 0, scale: 1 };
  #remembers = true;

  constructor(features: GlobalFeatures) {
    this.#features = features;
  }

  /** Clears all entries, for another sentence or other weights. */
  reset(n: number, table: WeightTable): void {
    this.#table = table;
    this.#remembers = n <= MAX_WORDS;
    this.#keys.fill(-1);
  }

  /** Score of h as a head: of its `valency` and of the tags of its modifiers on either side. */
  head(h: number, lefts: number, rights: number, leftCode: number, rightCode: number): number {
    const word = h | HEAD;
    const numbers = lefts | (rights << 16);
    const at = entryOf(word, numbers, leftCode, rightCode) * KEYS;
    if (this.#holds(at, word, numbers, leftCode, rightCode)) return this.#scores[(at >> 1) + SCORE];
    let score = this.view(VIEW.valency, h, lefts, rights, 0);
    if (lefts > 0) score += this.view(VIEW.leftTags, h, leftCode, lefts, 0);
    if (rights > 0) score += this.view(VIEW.rightTags, h, rightCode, rights, 0);
    this.#keep(at, word, numbers, leftCode, rightCode, score);
    return score;
  }

  /**
   * Score of x as a modifier of h, if from `left` to `right` are the words below it, p introduces it and c
   * coordinates it (-1 = none): of its `span`, `phrase` and `coordination`.
   */
  modifier(h: number, x: number, left: number, right: number, p: number, c: number): number {
    const arc = h | (x << 16);
    const span = left | (right << 16);
    const marks = (p + 1) | ((c + 1) << 16);
    const at = entryOf(arc, span, marks, 0) * KEYS;
    if (this.#holds(at, arc, span, marks, 0)) return this.#scores[(at >> 1) + SCORE];
    let score = this.view(VIEW.span, h, x, left, right);
    if (p >= 0) score += this.view(VIEW.phrase, h, p, x, 0);
    if (c > h) score += this.view(VIEW.coordination, h, c, x, right);
    this.#keep(at, arc, span, marks, 0, score);
    return score;
  }

  /** Score of one crossing of h -> m, for that arc alone. */
  crossing(h: number, m: number): number {
    const arc = h | (m << 16);
    const at = entryOf(arc, CROSSING, 0, 0) * KEYS;
    if (this.#holds(at, arc, CROSSING, 0, 0)) return this.#scores[(at >> 1) + SCORE];
    const score = this.view(VIEW.crossing, h, m, 0, 0);
    this.#keep(at, arc, CROSSING, 0, 0, score);
    return score;
  }

  /** Score of a pair of punctuation a and b with the heads g and h. */
  pair(a: number, b: number, g: number, h: number): number {
    const pair = a | (b << 16);
    const heads = g | (h << 16);
    const at = entryOf(pair, PAIR, heads, 0) * KEYS;
    if (this.#holds(at, pair, PAIR, heads, 0)) return this.#scores[(at >> 1) + SCORE];
    const score = this.view(VIEW.pair, a, b, g, h);
    this.#keep(at, pair, PAIR, heads, 0, score);
    return score;
  }

  /** Computes the score of a view with the given arguments (see `GLOBAL_VIEWS`), without storing it. */
  view(view: number, a: number, b: number, c: number, d: number): number {
    const { values, first, scale } = this.#table;
    return scale * this.#features.sum(values, first, view, a, b, c, d);
  }

  #holds(at: number, a: number, b: number, c: number, d: number): boolean {
    const keys = this.#keys;
    return (
      this.#remembers && keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d
    );
  }

  #keep(at: number, a: number, b: number, c: number, d: number, score: number): void {
    const keys = this.#keys;
    keys[at] = a;
    keys[at + 1] = b;
    keys[at + 2] = c;
    keys[at + 3] = d;
    this.#scores[(at >> 1) + SCORE] = score;
  }
}

function entryOf(a: number, b: number, c: number, d: number): number {
  const hash = Math.imul(Math.imul(Math.imul(a, 0x2c1b3c6d) ^ b, 0x297a2d39) ^ c, 0x165667b1) ^ d;
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - BITS);
}
