import { grownFloat64 } from "./memory.ts";

/**
 * A 52-bit hash of a tree over the candidate arcs of a sentence, updated arc by arc. Two of a thousand trees
 * collide with a probability of about 10^-10.
 */
export class TreeKey {
  #high = 0;
  #low = 0;

  /** Resets to the key of the empty set of arcs. */
  clear(): void {
    this.#high = 0;
    this.#low = 0;
  }

  add(arc: number): void {
    const mixed = mix(arc + 1);
    this.#high = (this.#high + mixed) | 0;
    this.#low ^= mix(mixed);
  }

  remove(arc: number): void {
    const mixed = mix(arc + 1);
    this.#high = (this.#high - mixed) | 0;
    this.#low ^= mix(mixed);
  }

  /** The key: an integer from 1 to 2^52. */
  get value(): number {
    return (mix(this.#high) >>> 6) * 2 ** 26 + (mix(this.#low) >>> 6) + 1;
  }
}

/** A set of keys of trees. */
export class TreeSet {
  /** Open addressing; 0 is a free slot. */
  #keys: Float64Array = new Float64Array(0);
  #capacity = 0;
  #size = 0;
  #old: Float64Array = new Float64Array(0);

  /** Empties the set. */
  clear(): void {
    this.#capacity = 64;
    this.#size = 0;
    this.#keys = grownFloat64(this.#keys, 64);
    this.#keys.fill(0, 0, 64);
  }

  /** Adds a key. Returns false if the set has it already. O(1). */
  add(key: number): boolean {
    if (!this.#insert(key)) return false;
    if (2 * ++this.#size > this.#capacity) this.#grow();
    return true;
  }

  has(key: number): boolean {
    const keys = this.#keys;
    const mask = this.#capacity - 1;
    let at = key & mask;
    while (keys[at] !== 0) {
      if (keys[at] === key) return true;
      at = (at + 1) & mask;
    }
    return false;
  }

  #insert(key: number): boolean {
    const keys = this.#keys;
    const mask = this.#capacity - 1;
    let at = key & mask;
    while (keys[at] !== 0) {
      if (keys[at] === key) return false;
      at = (at + 1) & mask;
    }
    keys[at] = key;
    return true;
  }

  #grow(): void {
    const old = this.#keys;
    const count = this.#capacity;
    this.#capacity *= 2;
    this.#keys = grownFloat64(this.#old, this.#capacity);
    this.#keys.fill(0, 0, this.#capacity);
    this.#old = old;
    for (let i = 0; i < count; i++) if (old[i] !== 0) this.#insert(old[i]);
  }
}

/** Mixes the bits of a 32-bit integer (Wellons' lowbias32). */
function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}
