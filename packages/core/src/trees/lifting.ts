import { counted } from "../errors/counted.ts";
import type { DependencyTree } from "../sentence.ts";
import { checkTree, nonProjectiveArcs } from "./tree.ts";

/**
 * How a lifted arc is remembered in labels (Nivre and Nilsson 2005). Let d be the label of the lifted word, h
 * the label of its former head, and p the label of a word it was lifted over:
 *
 * | encoding | lifted word | words it was lifted over |
 * |---|---|---|
 * | `head` | `d↑h` | p |
 * | `path` | `d↑` | `p↓` |
 * | `head+path` | `d↑h` | `p↓` |
 */
export type LiftEncoding = "head" | "path" | "head+path";

const UP = "↑";
const DOWN = "↓";

/**
 * Makes a tree projective and encodes in its labels what was changed. As long as an arc is not projective,
 * the shortest such arc (the leftmost modifier first) is lifted: its modifier gets the head of its former
 * head. A projective tree is returned unchanged.
 *
 * Cost: O(n log n), and for every lift the words under the arcs of the former head: near linear for the trees
 * of treebanks, where few arcs are lifted, and then once or twice.
 *
 * Source: Joakim Nivre and Jens Nilsson, Pseudo-Projective Dependency Parsing, ACL 2005.
 *
 * @throws RangeError when the heads are not a tree (several roots are allowed), when there is not one label per
 *   position, or when a label has an arrow already
 */
export function projectivize(tree: DependencyTree, encoding: LiftEncoding = "head"): DependencyTree {
  checkLabels(tree);
  for (const label of tree.labels) {
    if (label.includes(UP) || label.includes(DOWN)) {
      throw new RangeError(`expected labels without ${UP} and ${DOWN}, got "${label}"`);
    }
  }
  const crossed = nonProjectiveArcs(tree.heads);
  const heads = tree.heads.slice();
  const passed = new Uint8Array(heads.length);
  lift(heads, crossed, passed);
  const labels = tree.labels.map((label, m) => {
    let encoded = label;
    if (heads[m] !== tree.heads[m]) encoded += encoding === "path" ? UP : UP + tree.labels[tree.heads[m]];
    return passed[m] === 1 && encoding !== "head" ? encoded + DOWN : encoded;
  });
  return { heads, labels };
}

/** Lifts in place. `crossed`: the arcs that are not projective; `passed`: set for words lifted over. */
function lift(heads: Int32Array, crossed: Uint8Array, passed: Uint8Array): void {
  const links = new Siblings(heads);
  const queue = new ArcQueue(heads.length);
  for (let m = 1; m < heads.length; m++) if (crossed[m] === 1) queue.push(Math.abs(heads[m] - m), m);
  for (let m = queue.pop(); m > 0; m = queue.pop()) {
    const h = heads[m];
    const g = heads[h];
    passed[h] = 1;
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

/** A parsed label. */
interface Mark {
  readonly label: string;
  /** Whether the word was lifted. */
  readonly lifted: boolean;
  /** Label of the former head, "" when the encoding does not have it. */
  readonly target: string;
  /** Whether something was lifted over the word. */
  readonly passed: boolean;
}

function readMark(encoded: string): Mark {
  const passed = encoded.endsWith(DOWN);
  const rest = passed ? encoded.slice(0, -DOWN.length) : encoded;
  const up = rest.indexOf(UP);
  if (up < 0) return { label: rest, lifted: false, target: "", passed };
  return { label: rest.slice(0, up), lifted: true, target: rest.slice(up + UP.length), passed };
}

/**
 * Undoes `projectivize` as far as the labels allow. Words marked as lifted, from the root down and from left
 * to right, are moved under the word that the labels point to, found breadth first below their present head.
 * A word for which nothing is found is not moved, so that the result is a tree whatever the labels. O(n) and
 * O(n) a lifted word.
 *
 * Source: Joakim Nivre and Jens Nilsson, Pseudo-Projective Dependency Parsing, ACL 2005.
 *
 * @throws RangeError when the heads are not a tree (several roots are allowed) or there is not one label per
 *   position
 */
export function deprojectivize(tree: DependencyTree, encoding: LiftEncoding = "head"): DependencyTree {
  checkLabels(tree);
  const marks = tree.labels.map(readMark);
  const heads = tree.heads.slice();
  if (marks.some((mark) => mark.lifted)) restore(heads, marks, encoding);
  return { heads, labels: marks.map((mark) => mark.label) };
}

function restore(heads: Int32Array, marks: readonly Mark[], encoding: LiftEncoding): void {
  const modifiers: number[][] = Array.from({ length: heads.length }, () => []);
  for (let m = 1; m < heads.length; m++) modifiers[heads[m]].push(m);
  const done = new Uint8Array(heads.length);
  const queue = [0];
  for (let i = 0; i < queue.length; i++) {
    const word = queue[i];
    for (const m of [...modifiers[word]]) {
      if (!marks[m].lifted || done[m] === 1) continue;
      done[m] = 1;
      const target = findHead(m, word, modifiers, marks, encoding);
      if (target === word) continue;
      modifiers[word].splice(modifiers[word].indexOf(m), 1);
      insertAscending(modifiers[target], m);
      heads[m] = target;
    }
    for (const m of modifiers[word]) queue.push(m);
  }
}

function findHead(
  m: number,
  from: number,
  modifiers: readonly (readonly number[])[],
  marks: readonly Mark[],
  encoding: LiftEncoding,
): number {
  if (encoding === "path") return followPath(m, from, modifiers, marks);
  const { target } = marks[m];
  if (encoding === "head+path") {
    const found = searchBelow(from, modifiers, marks, (x) => x === m || !marks[x].passed, target);
    if (found >= 0) return found;
  }
  const found = searchBelow(from, modifiers, marks, (x) => x === m, target);
  return found >= 0 ? found : from;
}

/** Returns the end of the chain of marked words below `from`, the leftmost if there are several. */
function followPath(
  m: number,
  from: number,
  modifiers: readonly (readonly number[])[],
  marks: readonly Mark[],
): number {
  let word = from;
  for (;;) {
    const next = modifiers[word].find((x) => x !== m && marks[x].passed);
    if (next === undefined) return word;
    word = next;
  }
}

/**
 * Returns the first word below `from`, breadth first, that has the label and is under no excluded word; -1:
 * none.
 */
function searchBelow(
  from: number,
  modifiers: readonly (readonly number[])[],
  marks: readonly Mark[],
  isLeftOut: (word: number) => boolean,
  label: string,
): number {
  const queue = [from];
  for (let i = 0; i < queue.length; i++) {
    for (const x of modifiers[queue[i]]) {
      if (isLeftOut(x)) continue;
      if (marks[x].label === label) return x;
      queue.push(x);
    }
  }
  return -1;
}

function insertAscending(words: number[], m: number): void {
  let at = words.length;
  while (at > 0 && words[at - 1] > m) at--;
  words.splice(at, 0, m);
}

function checkLabels(tree: DependencyTree): void {
  const { heads, labels } = tree;
  const fault = checkTree(heads, { singleRoot: false });
  if (fault !== undefined) throw new RangeError(`not a tree: ${fault}`);
  if (labels.length !== heads.length) {
    throw new RangeError(`expected ${counted(heads.length, "label")}, got ${labels.length}`);
  }
}
