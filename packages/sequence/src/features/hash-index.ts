/**
 * Assigns indices 0, 1, 2, ... to 32-bit keys: an open-addressing hash table in typed arrays with linear
 * probing. Keys are codes of features, well mixed: two features share a key, and then an index, with
 * probability 2^-32.
 */
export class HashIndex {
  #keys: Int32Array;
  #ids: Int32Array;
  #size = 0;

  /** @param capacity expected number of keys; a hint */
  constructor(capacity = 1024) {
    const slots = 2 ** Math.max(4, Math.ceil(Math.log2(2 * capacity)));
    this.#keys = new Int32Array(slots);
    this.#ids = new Int32Array(slots).fill(-1);
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** Returns the index of a key, -1 when it has none. O(1) expected. */
  find(key: number): number {
    const keys = this.#keys;
    const ids = this.#ids;
    const mask = keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> (Math.clz32(mask) & 31);
    for (;;) {
      const id = ids[slot]!;
      if (id < 0 || keys[slot] === key) return id;
      slot = (slot + 1) & mask;
    }
  }

  /** Returns the index of a key, which gets the next one when it has none. Amortised O(1) expected. */
  add(key: number): number {
    const found = this.find(key);
    if (found >= 0) return found;
    if (2 * (this.#size + 1) > this.#keys.length) this.#grow();
    this.#put(key, this.#size);
    return this.#size++;
  }

  /** Returns all keys in the order of their indices. */
  keys(): Int32Array {
    const list = new Int32Array(this.#size);
    for (let slot = 0; slot < this.#ids.length; slot++) {
      if (this.#ids[slot]! >= 0) list[this.#ids[slot]!] = this.#keys[slot]!;
    }
    return list;
  }

  #put(key: number, id: number): void {
    const mask = this.#keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> (Math.clz32(mask) & 31);
    while (this.#ids[slot]! >= 0) slot = (slot + 1) & mask;
    this.#keys[slot] = key;
    this.#ids[slot] = id;
  }

  #grow(): void {
    const keys = this.#keys;
    const ids = this.#ids;
    this.#keys = new Int32Array(2 * keys.length);
    this.#ids = new Int32Array(2 * ids.length).fill(-1);
    for (let slot = 0; slot < ids.length; slot++) if (ids[slot]! >= 0) this.#put(keys[slot]!, ids[slot]!);
  }
}

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
