import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";

/** Receives a gradient with one entry per weight, to which entries or runs of entries are added. */
export interface GradientSink {
  /** Adds to the gradient of a weight. */
  add(weight: number, derivative: number): void;
  /**
   * Adds `gradient[k]` to the gradient of weight `from + k`, for k below `count`. Runs of a task that begin
   * at the same weight have the same length, and weights of a run are in no other run and are not added one
   * by one.
   */
  addRun(from: number, gradient: Float64Array, count: number): void;
}

/** Entries of a sparse vector, `k < size`. */
export interface GradientEntries {
  readonly indices: Int32Array;
  readonly values: Float64Array;
  readonly size: number;
}

/** Adds gradients, each multiplied by a factor, to a dense vector. */
export class DenseGradient implements GradientSink {
  readonly #into: Float64Array;
  readonly #scale: number;

  constructor(into: Float64Array, scale: number) {
    this.#into = into;
    this.#scale = scale;
  }

  add(weight: number, derivative: number): void {
    this.#into[weight] += this.#scale * derivative;
  }

  addRun(from: number, gradient: Float64Array, count: number): void {
    const into = this.#into;
    const scale = this.#scale;
    for (let k = 0; k < count; k++) into[from + k] += scale * gradient[k];
  }
}

/**
 * The gradient of one example: a sparse vector whose hash table has one entry per run, not per weight. Adding
 * is O(1) expected and a loop over the run. Memory grows with the largest example.
 */
export class GradientRuns implements GradientSink, GradientEntries {
  indices: Int32Array;
  values: Float64Array;
  size = 0;
  /** For each slot the key of its run, and the offset of its entries; -1 for none. */
  #keys: Int32Array;
  #begins: Int32Array;
  /** The occupied slots, in the order of their runs. */
  #taken: Int32Array;
  #runs = 0;

  constructor(capacity = 64) {
    const slots = powerOfTwo(Math.max(4, bitsFor(capacity)));
    this.indices = new Int32Array(slots);
    this.values = new Float64Array(slots);
    this.#keys = new Int32Array(slots);
    this.#begins = new Int32Array(slots).fill(-1);
    this.#taken = new Int32Array(slots >> 1);
  }

  add(weight: number, derivative: number): void {
    const at = this.#find(weight);
    if (at >= 0) {
      this.values[at] += derivative;
      return;
    }
    const to = this.#append(1);
    this.indices[to] = weight;
    this.values[to] = derivative;
  }

  addRun(from: number, gradient: Float64Array, count: number): void {
    const at = this.#find(from);
    if (at >= 0) {
      this.#addTo(at, gradient, count);
      return;
    }
    const to = this.#append(count);
    const { indices, values } = this;
    for (let k = 0; k < count; k++) {
      indices[to + k] = from + k;
      values[to + k] = gradient[k];
    }
  }

  /**
   * Removes entries that are 0, of which runs may have many. Nothing may be added until `clear`. O(entries).
   */
  dropZeros(): void {
    const { indices, values, size } = this;
    let kept = 0;
    for (let e = 0; e < size; e++) {
      const value = values[e];
      if (value === 0) continue;
      indices[kept] = indices[e];
      values[kept++] = value;
    }
    this.size = kept;
  }

  /** Removes all entries. O(runs). */
  clear(): void {
    for (let run = 0; run < this.#runs; run++) this.#begins[this.#taken[run]] = -1;
    this.#runs = 0;
    this.size = 0;
  }

  #addTo(at: number, gradient: Float64Array, count: number): void {
    const { values } = this;
    for (let k = 0; k < count; k++) values[at + k] += gradient[k];
  }

  /** Returns the offset of the entries of a run; -1 if it is new, and then adds it at `size`. */
  #find(key: number): number {
    if (this.#runs === this.#taken.length) this.#growTable();
    const keys = this.#keys;
    const begins = this.#begins;
    const mask = keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> (Math.clz32(mask) & 31);
    for (;;) {
      const begin = begins[slot];
      if (begin < 0) break;
      if (keys[slot] === key) return begin;
      slot = (slot + 1) & mask;
    }
    keys[slot] = key;
    begins[slot] = this.size;
    this.#taken[this.#runs++] = slot;
    return -1;
  }

  #append(count: number): number {
    const from = this.size;
    this.size += count;
    if (this.size > this.indices.length) this.#growEntries();
    return from;
  }

  #growEntries(): void {
    const indices = new Int32Array(2 * this.size);
    const values = new Float64Array(2 * this.size);
    indices.set(this.indices);
    values.set(this.values);
    this.indices = indices;
    this.values = values;
  }

  #growTable(): void {
    const [keys, begins, taken] = [this.#keys, this.#begins, this.#taken];
    this.#keys = new Int32Array(2 * keys.length);
    this.#begins = new Int32Array(2 * keys.length).fill(-1);
    this.#taken = new Int32Array(2 * taken.length);
    const mask = this.#keys.length - 1;
    for (let run = 0; run < this.#runs; run++) {
      const key = keys[taken[run]];
      let slot = Math.imul(key, 0x9e3779b1) >>> (Math.clz32(mask) & 31);
      while (this.#begins[slot] >= 0) slot = (slot + 1) & mask;
      this.#keys[slot] = key;
      this.#begins[slot] = begins[taken[run]];
      this.#taken[run] = slot;
    }
  }
}
