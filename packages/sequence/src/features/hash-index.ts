/**
 * Assigns indices 0, 1, 2, ... to 32-bit keys: an open-addressing hash table in typed arrays with linear
 * probing. Keys are codes of features, well mixed: two features share a key, and then an index, with
 * probability 2^-32.
 */
export class HashIndex {
  /** Key and index of each slot, side by side in one cache line; the index of an empty slot is -1. */
  #table: Int32Array;
  /** A bit for each of eight times as many hash codes as slots, so that few missing keys are searched. */
  #filter: Int32Array;
  #size = 0;
  /** Scratch memory of `findAll`. */
  #likely = new Int32Array(0);

  /** @param capacity expected number of keys; a hint */
  constructor(capacity = 1024) {
    const slots = 2 ** Math.max(4, Math.ceil(Math.log2(capacity / MAX_LOAD)));
    this.#table = new Int32Array(2 * slots).fill(-1);
    this.#filter = new Int32Array(slots / 4);
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** Returns the index of a key, -1 when it has none. O(1) expected. */
  find(key: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    const hash = Math.imul(key, SPREAD);
    const shift = Math.clz32(mask);
    const bit = hash >>> (shift - 2);
    if ((this.#filter[bit >>> 5]! & (1 << (bit & 31))) === 0) return -1;
    let slot = (hash >>> shift) & ~1;
    for (;;) {
      const id = table[slot + 1]!;
      if (id < 0 || table[slot] === key) return id;
      slot = (slot + 2) & mask;
    }
  }

  /**
   * Looks up several keys. Each look-up waits for memory; here they wait together, which takes less time than
   * as many calls of `find`. O(count) expected.
   *
   * @param into receives, for each key that has an index, its position among `keys` and its index, in turn
   * @returns the number of these keys
   */
  findAll(keys: Int32Array, count: number, into: Int32Array): number {
    if (this.#likely.length < count) this.#likely = new Int32Array(2 * count);
    const likely = this.#likely;
    const filter = this.#filter;
    const table = this.#table;
    const mask = table.length - 1;
    const shift = Math.clz32(mask);
    let candidates = 0;
    for (let k = 0; k < count; k++) {
      const bit = Math.imul(keys[k]!, SPREAD) >>> (shift - 2);
      likely[candidates] = k;
      candidates += (filter[bit >>> 5]! >>> (bit & 31)) & 1;
    }
    let found = 0;
    for (let c = 0; c < candidates; c++) {
      const k = likely[c]!;
      const key = keys[k]!;
      let slot = (Math.imul(key, SPREAD) >>> shift) & ~1;
      while (table[slot + 1]! >= 0 && table[slot] !== key) slot = (slot + 2) & mask;
      const id = table[slot + 1]!;
      if (id < 0) continue;
      into[found++] = k;
      into[found++] = id;
    }
    return found / 2;
  }

  /** Returns the index of a key, which gets the next one when it has none. Amortised O(1) expected. */
  add(key: number): number {
    const found = this.find(key);
    if (found >= 0) return found;
    if (this.#size + 1 > (MAX_LOAD / 2) * this.#table.length) this.#grow();
    this.#put(key, this.#size);
    return this.#size++;
  }

  /** Returns all keys in the order of their indices. */
  keys(): Int32Array {
    const list = new Int32Array(this.#size);
    for (let slot = 0; slot < this.#table.length; slot += 2) {
      const id = this.#table[slot + 1]!;
      if (id >= 0) list[id] = this.#table[slot]!;
    }
    return list;
  }

  #put(key: number, id: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    const hash = Math.imul(key, SPREAD);
    const shift = Math.clz32(mask);
    const bit = hash >>> (shift - 2);
    this.#filter[bit >>> 5]! |= 1 << (bit & 31);
    let slot = (hash >>> shift) & ~1;
    while (table[slot + 1]! >= 0) slot = (slot + 2) & mask;
    table[slot] = key;
    table[slot + 1] = id;
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Int32Array(2 * before.length).fill(-1);
    this.#filter = new Int32Array(2 * this.#filter.length);
    for (let slot = 0; slot < before.length; slot += 2) {
      if (before[slot + 1]! >= 0) this.#put(before[slot]!, before[slot + 1]!);
    }
  }
}

const SPREAD = 0x9e3779b1;
/** Maximum share of slots that are filled. */
const MAX_LOAD = 0.6;

/** Counts keys, and makes an index of the frequent ones. */
export class KeyCounter {
  readonly #index = new HashIndex(2 ** 16);
  #counts = new Int32Array(2 ** 16);

  add(key: number): void {
    const id = this.#index.add(key);
    if (id === this.#counts.length) {
      const counts = new Int32Array(2 * id);
      counts.set(this.#counts);
      this.#counts = counts;
    }
    this.#counts[id]!++;
  }

  /** Returns the keys that were added at least `minimum` times, in the order of their first addition. */
  frequent(minimum: number): Int32Array {
    const counts = this.#counts;
    return this.#index.keys().filter((_, id) => counts[id]! >= minimum);
  }

  count(key: number): number {
    const id = this.#index.find(key);
    return id < 0 ? 0 : this.#counts[id]!;
  }
}

/** Makes an index of keys, in their order. */
export function indexOf(keys: Int32Array): HashIndex {
  const index = new HashIndex(keys.length);
  for (let k = 0; k < keys.length; k++) index.add(keys[k]!);
  return index;
}
