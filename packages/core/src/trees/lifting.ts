import { checkTree, nonProjectiveArcs } from "./tree.ts";

/**
 * Returns the heads of a projective tree: as long as an arc is not projective, the shortest such arc (the leftmost modifier
 * first) is lifted, so that its modifier gets the head of its former head. The heads of a projective tree are copied.
 *
 * Cost: O(n log n), and for every lift the words under the arcs of the former head: near linear for the trees
 * of treebanks, where few arcs are lifted, and then once or twice.
 *
 * Source: Joakim Nivre and Jens Nilsson, Pseudo-Projective Dependency Parsing, ACL 2005.
 *
 * @throws RangeError when the heads are not a tree (several roots are allowed)
 */
export function projectivize(heads: Int32Array): Int32Array {
  const fault = checkTree(heads, { singleRoot: false });
  if (fault !== undefined) throw new RangeError(`not a tree: ${fault}`);
  const lifted = heads.slice();
  lift(lifted, nonProjectiveArcs(heads));
  return lifted;
}

/** Lifts in place. `crossed`: the arcs that are not projective. */
function lift(heads: Int32Array, crossed: Uint8Array): void {
  const links = new Siblings(heads);
  const queue = new ArcQueue(heads.length);
  for (let m = 1; m < heads.length; m++) if (crossed[m] === 1) queue.push(Math.abs(heads[m] - m), m);
  for (let m = queue.pop(); m > 0; m = queue.pop()) {
    const h = heads[m];
    const g = heads[h];
    heads[m] = g;
    links.move(m, h, g);
    crossed[m] = isCrossed(heads, m) ? 1 : 0;
    if (crossed[m] === 1) queue.push(Math.abs(g - m), m);
    // The modifiers of m are no longer under h: more arcs of h may span words that are not theirs.
    for (let x = links.first[h]; x > 0; x = links.next[x]) {
      if (crossed[x] === 1 || !isCrossed(heads, x)) continue;
      crossed[x] = 1;
      queue.push(Math.abs(h - x), x);
    }
  }
}

/** Returns whether some word between m and its head is not under that head. */
function isCrossed(heads: Int32Array, m: number): boolean {
  const h = heads[m];
  const left = Math.min(h, m);
  const right = Math.max(h, m);
  for (let word = left + 1; word < right; word++) {
    const head = heads[word];
    // A word with its head between, or at an end, is under h if that one is.
    if (head >= left && head <= right) continue;
    let above = head;
    while (above > 0 && above !== h) above = heads[above];
    if (above !== h) return true;
  }
  return false;
}

/** The modifiers of every head as doubly linked lists. 0 ends a list. */
class Siblings {
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly #previous: Int32Array;

  constructor(heads: Int32Array) {
    this.first = new Int32Array(heads.length);
    this.next = new Int32Array(heads.length);
    this.#previous = new Int32Array(heads.length);
    for (let m = heads.length - 1; m >= 1; m--) this.#insert(m, heads[m]);
  }

  move(m: number, from: number, to: number): void {
    const before = this.#previous[m];
    const after = this.next[m];
    if (before > 0) this.next[before] = after;
    else this.first[from] = after;
    if (after > 0) this.#previous[after] = before;
    this.#insert(m, to);
  }

  #insert(m: number, head: number): void {
    const after = this.first[head];
    this.next[m] = after;
    this.#previous[m] = 0;
    if (after > 0) this.#previous[after] = m;
    this.first[head] = m;
  }
}

/** A binary heap of words, the shortest arc first and the leftmost modifier among equals. */
class ArcQueue {
  readonly #base: number;
  readonly #keys: number[] = [];

  constructor(base: number) {
    this.#base = base;
  }

  push(length: number, m: number): void {
    const keys = this.#keys;
    const key = length * this.#base + m;
    let at = keys.length;
    keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      at = parent;
    }
    keys[at] = key;
  }

  /** Returns the first word, or 0 when there is none. */
  pop(): number {
    const keys = this.#keys;
    const base = this.#base;
    const top = keys[0];
    const last = keys.pop();
    if (top === undefined || last === undefined) return 0;
    if (keys.length > 0) {
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child + 1 < keys.length && keys[child + 1] < keys[child]) child++;
        if (child >= keys.length || keys[child] >= last) break;
        keys[at] = keys[child];
        at = child;
      }
      keys[at] = last;
    }
    return top % base;
  }
}
