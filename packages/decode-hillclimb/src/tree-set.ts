import { grownFloat64 } from "./memory.ts";

/**
 * A set of trees over the candidate arcs of a sentence, as hash values of 52 bits: two trees are taken for one with a
 * probability of about 10^-10 for a thousand trees.
 */
export class TreeSet {
  /** Open addressing; 0 is a free place. */
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

  /** Adds the tree of the arcs of words 1..n; false when it is there already. O(n). */
  add(arcOf: Int32Array, n: number): boolean {
    let high = 0;
    let low = 0;
    for (let m = 1; m <= n; m++) {
      const mixed = mix(arcOf[m]! + 1);
      high = (high + mixed) | 0;
      low ^= Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
    }
    const key = (mix(high) >>> 6) * 2 ** 26 + (mix(low) >>> 6) + 1;
    if (!this.#insert(key)) return false;
    if (2 * ++this.#size > this.#capacity) this.#grow();
    return true;
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
    for (let i = 0; i < count; i++) if (old[i] !== 0) this.#insert(old[i]!);
  }
}

/** A 32-bit mix (Wellons' lowbias32). */
function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}
