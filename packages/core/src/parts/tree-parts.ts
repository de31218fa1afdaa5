import type { Arcs, PartTable } from "../problem.ts";
import { arcIndex } from "./arcs.ts";
import { MEMBERS, type MemberRole, PART_DESCRIPTORS, type PartKind } from "./kinds.ts";
import { int32Memory } from "./memory.ts";

/** A tree with the siblings next to each word. */
export interface TreeNeighbours {
  readonly heads: Int32Array;
  /** The modifier of the same head next to each word on the side of the head, or -1: see `innerSiblings`. */
  readonly inner: Int32Array;
  /** The one next to each word on the other side, or -1: it is the outermost. */
  readonly outer: Int32Array;
}

/**
 * For each word m, the modifier of its head that is next to it on the side of the head, or -1 when m is the
 * innermost on its side. O(n).
 */
export function innerSiblings(heads: Int32Array): Int32Array {
  const inner = new Int32Array(heads.length);
  fillInner(heads, inner, new Int32Array(heads.length));
  return inner;
}

/** Writes the siblings of `innerSiblings` to `inner`; `last` is scratch memory of as many entries. */
function fillInner(heads: Int32Array, inner: Int32Array, last: Int32Array): void {
  const { length } = heads;
  inner.fill(-1, 0, length);
  last.fill(-1, 0, length);
  for (let m = 1; m < length; m++) {
    const h = heads[m];
    if (h < m) {
      inner[m] = last[h];
      last[h] = m;
    }
  }
  last.fill(-1, 0, length);
  for (let m = length - 1; m >= 1; m--) {
    const h = heads[m];
    if (h > m) {
      inner[m] = last[h];
      last[h] = m;
    }
  }
}

/** Writes for each word the word whose inner sibling it is, or -1. */
function fillOuter(inner: Int32Array, outer: Int32Array, length: number): void {
  outer.fill(-1, 0, length);
  for (let m = 1; m < length; m++) if (inner[m] >= 0) outer[inner[m]] = m;
}

/**
 * Finds the part of a kind that the arc of word m owns in a tree: writes the modifiers of its member arcs to
 * `words` (-1: none), and returns whether there is such a part. Of a member that any sibling can be, the one
 * next to m is written, and the others follow from it by `inner` or `outer`. O(1).
 */
export function partInTree(kind: PartKind, tree: TreeNeighbours, m: number, words: Int32Array): boolean {
  const { members, outermost } = PART_DESCRIPTORS[kind];
  if (outermost === true && tree.outer[m] >= 0) return false;
  for (let k = 0; k < members.length; k++) {
    const role = members[k];
    const word = relatedWord(role, tree, role.of === 0 ? m : words[role.of - 1]);
    if (word < 0 && role.sibling !== "optional") return false;
    words[k] = word;
  }
  return true;
}

/** Returns the word whose arc is in a relation to the arc of another word in the tree, or -1. */
function relatedWord(
  { relation }: MemberRole,
  { heads, inner, outer }: TreeNeighbours,
  word: number,
): number {
  if (relation === "nearer") return inner[word];
  if (relation === "farther") return outer[word];
  const above = relation === "above" ? heads[word] : word - 1;
  return above > 0 ? above : -1;
}

/**
 * Returns the parts of a table that are on in a tree, as indices in ascending order of their owners'
 * modifiers. All arcs of the tree must be candidates. Cost: O(n log n) and the parts owned by the n arcs of
 * the tree.
 *
 * @throws RangeError when `heads` does not have n + 1 entries, or an arc of the tree is not a candidate
 */
export function activeParts(table: PartTable, arcs: Arcs, heads: Int32Array): number[] {
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const arcOf = Int32Array.from(heads, (h, m) => (m === 0 ? -1 : arcIndex(arcs, h, m)));
  const stray = arcOf.indexOf(-1, 1);
  if (stray >= 0) throw new RangeError(`expected candidate arcs, got ${heads[stray]} -> ${stray}`);
  const active: number[] = [];
  const visitor = new ActiveParts();
  visitor.prepare(heads, arcOf);
  visitor.visit(table, arcs, active);
  return active;
}

/** The most members that a part has. */
const MAX_MEMBERS = Math.max(...Object.values(MEMBERS));

/** Finds the parts that are on in trees, in memory that it reuses. */
export class ActiveParts {
  readonly #words = new Int32Array(MAX_MEMBERS);
  readonly #wanted = new Int32Array(MAX_MEMBERS);
  #last: Int32Array = new Int32Array(0);
  #inner: Int32Array = new Int32Array(0);
  #outer: Int32Array = new Int32Array(0);
  #arcOf: Int32Array = new Int32Array(0);
  #tree: TreeNeighbours = { heads: this.#last, inner: this.#inner, outer: this.#outer };

  /**
   * Turns to another tree. O(n).
   *
   * @param arcOf the arc of each word in the tree; not copied
   */
  prepare(heads: Int32Array, arcOf: Int32Array): void {
    const { length } = heads;
    this.#last = int32Memory(this.#last, length);
    this.#inner = int32Memory(this.#inner, length);
    this.#outer = int32Memory(this.#outer, length);
    this.#arcOf = arcOf;
    fillInner(heads, this.#inner, this.#last);
    fillOuter(this.#inner, this.#outer, length);
    this.#tree = { heads, inner: this.#inner, outer: this.#outer };
  }

  /**
   * Returns `sum` plus the scores of the parts of a table that are on in the tree, and appends these to
   * `active`, if given.
   */
  visit(table: PartTable, arcs: Arcs, active?: number[], sum = 0): number {
    const { kind, start, members, scores } = table;
    const tree = this.#tree;
    const arcOf = this.#arcOf;
    const words = this.#words;
    const wanted = this.#wanted;
    const width = MEMBERS[kind];
    const last = PART_DESCRIPTORS[kind].members.at(-1);
    let total = sum;
    for (let m = 1; m < tree.heads.length; m++) {
      if (!partInTree(kind, tree, m, words)) continue;
      for (let k = 0; k < width; k++) wanted[k] = words[k] < 0 ? -1 : arcOf[words[k]];
      const end = start[arcOf[m] + 1];
      for (let part = start[arcOf[m]]; part < end; part++) {
        const at = part * width;
        if (last?.sibling === "any") {
          const member = members[at + width - 1];
          wanted[width - 1] = arcOf[arcs.modifier[member]];
        }
        let k = 0;
        while (k < width && members[at + k] === wanted[k]) k++;
        if (k < width) continue;
        total += scores[part];
        active?.push(part);
      }
    }
    return total;
  }
}
