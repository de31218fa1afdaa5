import { bitsFor } from "@arcwise/core/arithmetic";

/**
 * The rows of features by their codes: the row of `codes[k]` is k + 1, the row of any other code is 0.
 *
 * Lookup is in a hash table in typed arrays with linear probing, at most half full: O(1) expected.
 */
export class FeatureRows {
  readonly #keys: Int32Array;
  readonly #rows: Int32Array;
  readonly #shift: number;

  /** @param codes distinct */
  constructor(codes: Int32Array) {
    const bits = Math.max(4, bitsFor(2 * (1 + codes.length)));
    this.#shift = 32 - bits;
    this.#keys = new Int32Array(1 << bits);
    this.#rows = new Int32Array(1 << bits);
    const mask = (1 << bits) - 1;
    for (let k = 0; k < codes.length; k++) {
      let slot = Math.imul(codes[k], 0x9e3779b1) >>> this.#shift;
      while (this.#rows[slot] !== 0) slot = (slot + 1) & mask;
      this.#keys[slot] = codes[k];
      this.#rows[slot] = k + 1;
    }
  }

  /** Returns the row of a feature. */
  row(code: number): number {
    const keys = this.#keys;
    const rows = this.#rows;
    const mask = keys.length - 1;
    let slot = Math.imul(code, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const row = rows[slot];
      if (row === 0 || keys[slot] === code) return row;
      slot = (slot + 1) & mask;
    }
  }
}
