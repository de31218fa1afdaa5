import type { EncodedSentence, WordFeatures } from "@arcwise/core/features";

/**
 * The features of words that a tensor has rows for, by their codes: row k + 1 is that of `codes[k]`, row 0
 * that of the bias, which every word has. Other features are ignored.
 *
 * Lookup is in a hash table in typed arrays with linear probing, at most half full: O(1) expected.
 */
export class TensorAlphabet {
  /** Codes by row, without that of the bias; ascending. */
  readonly codes: Int32Array;
  /** Number of rows. */
  readonly size: number;
  readonly #keys: Int32Array;
  readonly #rows: Int32Array;
  readonly #shift: number;

  /** @param codes each once */
  constructor(codes: Int32Array) {
    this.codes = codes;
    this.size = 1 + codes.length;
    const bits = Math.max(4, Math.ceil(Math.log2(2 * this.size)));
    this.#shift = 32 - bits;
    this.#keys = new Int32Array(1 << bits);
    this.#rows = new Int32Array(1 << bits);
    const mask = (1 << bits) - 1;
    for (let k = 0; k < codes.length; k++) {
      let slot = Math.imul(codes[k]!, 0x9e3779b1) >>> this.#shift;
      while (this.#rows[slot] !== 0) slot = (slot + 1) & mask;
      this.#keys[slot] = codes[k]!;
      this.#rows[slot] = k + 1;
    }
  }

  /** Row of a feature, 0 when it has none. */
  row(code: number): number {
    const keys = this.#keys;
    const rows = this.#rows;
    const mask = keys.length - 1;
    let slot = Math.imul(code, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const row = rows[slot]!;
      if (row === 0 || keys[slot] === code) return row;
      slot = (slot + 1) & mask;
    }
  }
}

/** The features that occur at least `minimum` times in the sentences. O(features of all words). */
export function buildTensorAlphabet(
  sentences: readonly EncodedSentence[],
  features: WordFeatures,
  minimum: number,
): TensorAlphabet {
  const counts = new Map<number, number>();
  for (const sentence of sentences) {
    features.prepare(sentence);
    const { codes } = features;
    const count = features.start[sentence.n + 1]!;
    for (let k = 0; k < count; k++) counts.set(codes[k]!, (counts.get(codes[k]!) ?? 0) + 1);
  }
  const kept: number[] = [];
  for (const [code, count] of counts) if (count >= minimum) kept.push(code);
  return new TensorAlphabet(Int32Array.from(kept).sort());
}
