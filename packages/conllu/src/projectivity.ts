/**
 * Which arcs of a tree are non-projective. Prepares in O(n log n) for n words.
 *
 * An arc has a gap if a word between its ends does not depend on its head. In the order of a depth-first search,
 * the descendants of a word are an interval; a range of words is inside it if their minimum and maximum are.
 */
export class Projectivity {
  readonly #heads: ArrayLike<number>;
  /** First and last position of the descendants of each word in the depth-first order, by word from 0. */
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #firsts: Ranges;
  /** The word farthest to the left, and to the right, that each word has an arc with. */
  readonly #reaches: Ranges;
  readonly #children: readonly (readonly number[])[];

  /** @param heads the head of each word of a tree, from 1; the value at 0 does not matter */
  constructor(heads: ArrayLike<number>) {
    const n = heads.length - 1;
    this.#heads = heads;
    const children: number[][] = Array.from({ length: n + 1 }, () => []);
    const left = Int32Array.from({ length: n + 1 }, (_, m) => m);
    const right = left.slice();
    for (let m = 1; m <= n; m++) {
      const h = heads[m]!;
      children[h]!.push(m);
      left[h] = Math.min(left[h]!, m);
      right[h] = Math.max(right[h]!, m);
      left[m] = Math.min(left[m]!, h || m);
      right[m] = Math.max(right[m]!, h);
    }
    this.#children = children;
    [this.#first, this.#last] = intervals(children);
    this.#firsts = new Ranges(this.#first, this.#first);
    this.#reaches = new Ranges(left, right);
  }

  /** Returns whether a word between word m and its head does not depend on this head. O(1). */
  hasGap(m: number): boolean {
    const h = this.#heads[m]!;
    if (h === 0 || Math.abs(h - m) < 2) return false;
    const [first, last] = this.#firsts.of(Math.min(h, m) + 1, Math.max(h, m) - 1);
    return first < this.#first[h]! || last > this.#last[h]!;
  }

  /**
   * Returns a word whose arc crosses the arc of word m on the side of m, and whose head is not an ancestor of m: the
   * arc of m makes it non-projective. 0: none. O(1) if no arc crosses, otherwise O(n).
   */
  crossedBy(m: number): number {
    const h = this.#heads[m]!;
    const [from, to] = h < m ? [h + 1, m - 1] : [m + 1, h - 1];
    if (from > to) return 0;
    const [left, right] = this.#reaches.of(from, to);
    if (h < m ? right <= m : left >= m) return 0;
    for (let word = from; word <= to; word++) {
      const other = this.#heads[word]!;
      if (this.#isBeyond(other, m, h) && !this.#isAncestor(other, m)) return word;
      if (this.#isAncestor(word, m)) continue;
      const child = this.#children[word]!.find((one) => this.#isBeyond(one, m, h));
      if (child !== undefined) return child;
    }
    return 0;
  }

  /** Whether a word is on the side of m where its head h is not. */
  #isBeyond(word: number, m: number, h: number): boolean {
    return word > 0 && (h < m ? word > m : word < m);
  }

  #isAncestor(word: number, m: number): boolean {
    return this.#first[word]! <= this.#first[m]! && this.#first[m]! <= this.#last[word]!;
  }
}

/** Returns the first and last position of the descendants of each word, with itself, in a depth-first search. */
function intervals(children: readonly (readonly number[])[]): [Int32Array, Int32Array] {
  const first = new Int32Array(children.length);
  const last = new Int32Array(children.length);
  const next = new Int32Array(children.length);
  let count = 0;
  const path = [0];
  while (path.length > 0) {
    const word = path.at(-1)!;
    const child = children[word]![next[word]!++];
    if (child === undefined) last[path.pop()!] = count;
    else {
      first[child] = ++count;
      path.push(child);
    }
  }
  return [first, last];
}

/** Minima of one array and maxima of another over ranges: a sparse table (Bender and Farach-Colton 2000). */
class Ranges {
  readonly #minima: Int32Array[];
  readonly #maxima: Int32Array[];

  constructor(low: Int32Array, high: Int32Array) {
    this.#minima = [low];
    this.#maxima = [high];
    for (let width = 1; 2 * width <= low.length; width *= 2) {
      const minima = this.#minima.at(-1)!;
      const maxima = this.#maxima.at(-1)!;
      const size = low.length - 2 * width + 1;
      this.#minima.push(
        Int32Array.from({ length: size }, (_, i) => Math.min(minima[i]!, minima[i + width]!)),
      );
      this.#maxima.push(
        Int32Array.from({ length: size }, (_, i) => Math.max(maxima[i]!, maxima[i + width]!)),
      );
    }
  }

  /** Returns the minimum and maximum of the values from..to, inclusive. */
  of(from: number, to: number): [number, number] {
    const level = 31 - Math.clz32(to - from + 1);
    const second = to - (1 << level) + 1;
    const minima = this.#minima[level]!;
    const maxima = this.#maxima[level]!;
    return [Math.min(minima[from]!, minima[second]!), Math.max(maxima[from]!, maxima[second]!)];
  }
}
