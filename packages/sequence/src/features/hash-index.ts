import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";

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

  constructor(capacity = 1024) {
    const slots = powerOfTwo(Math.max(4, bitsFor(capacity / MAX_LOAD)));
    this.#table = new Int32Array(2 * slots).fill(-1);
    this.#filter = new Int32Array(slots / 4);
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** Returns the index of a key, -1 for an unknown key. O(1) expected. */
  find(key: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    const hash = Math.imul(key, SPREAD);
    const shift = Math.clz32(mask);
    const bit = hash >>> (shift - 2);
    if ((this.#filter[bit >>> 5] & (1 << (bit & 31))) === 0) return -1;
    let slot = (hash >>> shift) & ~1;
    for (;;) {
      const id = table[slot + 1];
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
      const bit = Math.imul(keys[k], SPREAD) >>> (shift - 2);
      likely[candidates] = k;
      candidates += (filter[bit >>> 5] >>> (bit & 31)) & 1;
    }
    let found = 0;
    for (let c = 0; c < candidates; c++) {
      const k = likely[c];
      const key = keys[k];
      let slot = (Math.imul(key, SPREAD) >>> shift) & ~1;
      while (table[slot + 1] >= 0 && table[slot] !== key) slot = (slot + 2) & mask;
      const id = table[slot + 1];
      if (id < 0) continue;
      into[found++] = k;
      into[found++] = id;
    }
    return found / 2;
  }

  /** Returns the index of a key; a new key gets the next one. Amortised O(1) expected. */
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
      const id = this.#table[slot + 1];
      if (id >= 0) list[id] = this.#table[slot];
    }
    return list;
  }

  #put(key: number, id: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    const hash = Math.imul(key, SPREAD);
    const shift = Math.clz32(mask);
    const bit = hash >>> (shift - 2);
    this.#filter[bit >>> 5] |= 1 << (bit & 31);
    let slot = (hash >>> shift) & ~1;
    while (table[slot + 1] >= 0) slot = (slot + 2) & mask;
    table[slot] = key;
    table[slot + 1] = id;
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Int32Array(2 * before.length).fill(-1);
    this.#filter = new Int32Array(2 * this.#filter.length);
    for (let slot = 0; slot < before.length; slot += 2) {
      if (before[slot + 1] >= 0) this.#put(before[slot], before[slot + 1]);
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
    this.#counts[id]++;
  }

  /** Returns the keys that were added at least `minimum` times, in the order of their first addition. */
  frequent(minimum: number): Int32Array {
    const counts = this.#counts;
    return this.#index.keys().filter((_, id) => counts[id] >= minimum);
  }

  count(key: number): number {
    const id = this.#index.find(key);
    return id < 0 ? 0 : this.#counts[id];
  }
}

/** Finds the indices of keys. */
export type KeyIndex = Pick<HashIndex, "find" | "findAll">;

/** Returns an index of keys, in their order. O(keys), in a fraction of the time where they are ascending. */
export function indexOf(keys: Int32Array): KeyIndex {
  return isAscending(keys) ? new AscendingIndex(keys) : hashed(keys);
}

function hashed(keys: Int32Array): HashIndex {
  const index = new HashIndex(keys.length);
  for (let k = 0; k < keys.length; k++) index.add(keys[k]);
  return index;
}

function isAscending(keys: Int32Array): boolean {
  for (let k = 1; k < keys.length; k++) if (keys[k] <= keys[k - 1]) return false;
  return true;
}

/**
 * The index of ascending keys, as model files have them. At first they are searched where their first bits say,
 * since codes of features are spread evenly: that needs some five bytes for each key and one pass over them. A hash
 * index finds keys in three quarters of the time, and is made once as many were looked up as there are.
 */
class AscendingIndex implements KeyIndex {
  readonly #keys: Int32Array;
  /** The index of the first key that begins with bits b, at b; a last entry is the number of keys. */
  readonly #start: Int32Array;
  /** Number of bits of a key after its first ones. */
  readonly #shift: number;
  /** A bit for each value of the first bits and four more: most missing keys are found missing by it. */
  readonly #filter: Int32Array;
  /** Scratch memory of `findAll`. */
  #likely = new Int32Array(0);
  #lookups = 0;
  #hashed: HashIndex | undefined;

  constructor(keys: Int32Array) {
    const bits = Math.max(1, Math.min(MAX_BITS, bitsFor(keys.length / Math.SQRT2)));
    this.#keys = keys;
    this.#shift = 32 - bits;
    this.#start = new Int32Array(2 ** bits + 1);
    this.#filter = new Int32Array(Math.max(1, 2 ** (bits + FILTER_BITS - 5)));
    let bucket = 0;
    for (let k = 0; k < keys.length; k++) {
      const own = keys[k] ^ SIGN;
      while (bucket < own >>> this.#shift) this.#start[++bucket] = k;
      const bit = own >>> (this.#shift - FILTER_BITS);
      this.#filter[bit >>> 5] |= 1 << (bit & 31);
    }
    this.#start.fill(keys.length, bucket + 1);
  }

  find(key: number): number {
    const index = this.#count(1);
    if (index !== undefined) return index.find(key);
    const bit = (key ^ SIGN) >>> (this.#shift - FILTER_BITS);
    if (((this.#filter[bit >>> 5] >>> (bit & 31)) & 1) === 0) return -1;
    const bucket = (key ^ SIGN) >>> this.#shift;
    const first = this.#start[bucket];
    const end = this.#start[bucket + 1];
    if (end - first > FEW) return this.#search(key, first, end);
    for (let k = first; k < end; k++) if (this.#keys[k] === key) return k;
    return -1;
  }

  findAll(keys: Int32Array, count: number, into: Int32Array): number {
    const index = this.#count(count);
    if (index !== undefined) return index.findAll(keys, count, into);
    if (this.#likely.length < count) this.#likely = new Int32Array(2 * count);
    const likely = this.#likely;
    const filter = this.#filter;
    const own = this.#keys;
    const start = this.#start;
    const shift = this.#shift;
    let candidates = 0;
    for (let k = 0; k < count; k++) {
      const bit = (keys[k] ^ SIGN) >>> (shift - FILTER_BITS);
      likely[candidates] = k;
      candidates += (filter[bit >>> 5] >>> (bit & 31)) & 1;
    }
    let found = 0;
    for (let c = 0; c < candidates; c++) {
      const k = likely[c];
      const key = keys[k];
      const bucket = (key ^ SIGN) >>> shift;
      let id = start[bucket];
      const end = start[bucket + 1];
      if (end - id > FEW) id = this.#search(key, id, end);
      else {
        while (id < end && own[id] !== key) id++;
        if (id === end) id = -1;
      }
      if (id < 0) continue;
      into[found++] = k;
      into[found++] = id;
    }
    return found / 2;
  }

  /** Counts lookups; returns the hash index once they are many. */
  #count(lookups: number): HashIndex | undefined {
    if (this.#hashed !== undefined) return this.#hashed;
    this.#lookups += lookups;
    if (this.#lookups > this.#keys.length) this.#hashed = hashed(this.#keys);
    return this.#hashed;
  }

  /** Finds a key in a range: O(log keys) where all begin with the same bits. */
  #search(key: number, first: number, end: number): number {
    const keys = this.#keys;
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low < end && keys[low] === key ? low : -1;
  }
}

/** Maximum number of first bits, and how many more the filter has. */
const MAX_BITS = 24;
const FILTER_BITS = 4;

/** Changing the first bit of signed integers makes unsigned ones in the same order. */
const SIGN = 0x80000000 | 0;
/** Maximum number of keys that are compared in sequence. */
const FEW = 8;
