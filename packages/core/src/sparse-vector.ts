import { bitsFor } from "./arithmetic/index.ts";

/**
 * A sparse vector to which entries are added: an open-addressing hash table in typed arrays, with linear
 * probing. Adding is O(1) expected and allocates only when the table doubles; clearing does not free memory.
 */
export class SparseVector {
  /** Index of entry k, `k < size`; entries keep the order in which they were first added to. */
  indices: Int32Array;
  /** Value of entry k. May be 0 where additions cancelled. */
  values: Float64Array;
  /** Number of entries. */
  size = 0;
  #slots: Int32Array;
  #shift: number;

  /** @param capacity entries expected; a hint */
  constructor(capacity = 64) {
    const bits = Math.max(4, bitsFor(2 * capacity));
    this.#slots = new Int32Array(1 << bits).fill(-1);
    this.#shift = 32 - bits;
    this.indices = new Int32Array(1 << (bits - 1));
    this.values = new Float64Array(1 << (bits - 1));
  }

  /** Adds a value to the entry of an index (an integer from 0 to 2^31 - 1). */
  add(index: number, value: number): void {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(index, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const entry = this.#slots[slot];
      if (entry < 0) break;
      if (this.indices[entry] === index) {
        this.values[entry] += value;
        return;
      }
      slot = (slot + 1) & mask;
    }
    if (this.size === this.indices.length) {
      this.#grow();
      this.add(index, value);
      return;
    }
    this.#slots[slot] = this.size;
    this.indices[this.size] = index;
    this.values[this.size] = value;
    this.size++;
  }

  /** Adds `scale` times another vector. O(its size). */
  addScaled(other: SparseVector, scale: number): void {
    for (let k = 0; k < other.size; k++) this.add(other.indices[k], scale * other.values[k]);
  }

  /** Removes all entries. O(entries). */
  clear(): void {
    const mask = this.#slots.length - 1;
    if (this.size > this.#slots.length >> 3) this.#slots.fill(-1);
    else {
      // From the last entry to the first: an entry's slot is then found by probing past the ones before it.
      for (let k = this.size - 1; k >= 0; k--) {
        let slot = Math.imul(this.indices[k], 0x9e3779b1) >>> this.#shift;
        while (this.#slots[slot] !== k) slot = (slot + 1) & mask;
        this.#slots[slot] = -1;
      }
    }
    this.size = 0;
  }

  /** Inner product with a dense vector. O(entries). */
  dot(dense: Float32Array | Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.size; k++) sum += this.values[k] * dense[this.indices[k]];
    return sum;
  }

  /**
   * Returns the inner product with another sparse vector, which should be the smaller one. O(its entries).
   */
  dotSparse(other: SparseVector): number {
    let sum = 0;
    for (let k = 0; k < other.size; k++) sum += other.values[k] * this.get(other.indices[k]);
    return sum;
  }

  /** Returns the value of an index, 0 when it has no entry. */
  get(index: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(index, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const entry = this.#slots[slot];
      if (entry < 0) return 0;
      if (this.indices[entry] === index) return this.values[entry];
      slot = (slot + 1) & mask;
    }
  }

  /** Sum of the squares of all values. */
  squaredNorm(): number {
    let sum = 0;
    for (let k = 0; k < this.size; k++) sum += this.values[k] * this.values[k];
    return sum;
  }

  #grow(): void {
    const indices = new Int32Array(2 * this.indices.length);
    const values = new Float64Array(2 * this.values.length);
    indices.set(this.indices);
    values.set(this.values);
    this.indices = indices;
    this.values = values;
    this.#shift--;
    const slots = new Int32Array(2 * this.#slots.length).fill(-1);
    const mask = slots.length - 1;
    for (let k = 0; k < this.size; k++) {
      let slot = Math.imul(indices[k], 0x9e3779b1) >>> this.#shift;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = k;
    }
    this.#slots = slots;
  }
}
