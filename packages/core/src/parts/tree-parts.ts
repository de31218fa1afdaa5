import type { Arcs, PartTable } from "../problem.ts";
import { arcIndex } from "./arcs.ts";
import { MEMBERS, type MemberRole, PART_DESCRIPTORS, type PartKind } from "./kinds.ts";

/** A tree with the siblings next to each word. */
export interface TreeNeighbours {
  readonly heads: Int32Array;
  /** The modifier of the same head next to each word on the side of the head, or -1: see `innerSiblings`. */
  readonly inner: Int32Array;
  /** The one next to each word on the other side, or -1: it is the outermost. */
  readonly outer: Int32Array;
}

/** Finds the siblings next to each word. O(n). */
export function treeNeighbours(heads: Int32Array): TreeNeighbours {
  const inner = innerSiblings(heads);
  const outer = new Int32Array(heads.length).fill(-1);
  for (let m = 1; m < heads.length; m++) if (inner[m]! >= 0) outer[inner[m]!] = m;
  return { heads, inner, outer };
}

/**
 * For each word m, the modifier of its head that is next to it on the side of the head, or -1 when m is the
 * innermost on its side. O(n).
 */
export function innerSiblings(heads: Int32Array): Int32Array {
  const length = heads.length;
  const inner = new Int32Array(length).fill(-1);
  const last = new Int32Array(length).fill(-1);
  for (let m = 1; m < length; m++) {
    const h = heads[m]!;
    if (h < m) {
      inner[m] = last[h]!;
      last[h] = m;
    }
  }
  last.fill(-1);
  for (let m = length - 1; m >= 1; m--) {
    const h = heads[m]!;
    if (h > m) {
      inner[m] = last[h]!;
      last[h] = m;
    }
  }
  return inner;
}

/**
 * Finds the part of a kind that the arc of word m owns in a tree: writes the modifiers of its member arcs to
 * `words` (-1: none), and returns whether there is such a part. Of a member that any sibling can be, the one
 * next to m is written, and the others follow from it by `inner` or `outer`. O(1).
 */
export function partInTree(kind: PartKind, tree: TreeNeighbours, m: number, words: Int32Array): boolean {
  const { members, outermost } = PART_DESCRIPTORS[kind];
  if (outermost === true && tree.outer[m]! >= 0) return false;
  for (let k = 0; k < members.length; k++) {
    const role = members[k]!;
    const word = relatedWord(role, tree, role.of === 0 ? m : words[role.of - 1]!);
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
  if (relation === "nearer") return inner[word]!;
  if (relation === "farther") return outer[word]!;
  const above = relation === "above" ? heads[word]! : word - 1;
  return above > 0 ? above : -1;
}

/**
 * Returns the parts of a table that are on in a tree, as indices in ascending order of their owners'
 * modifiers. All arcs of the tree must be candidates. Cost: O(n log n) and the parts owned by the n arcs of
 * the tree.
 *
 * @throws RangeError when `heads` does not have n + 1 entries, or an arc of the tree is no candidate
 */
export function activeParts(table: PartTable, arcs: Arcs, heads: Int32Array): number[] {
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const arcOf = Int32Array.from(heads, (h, m) => (m === 0 ? -1 : arcIndex(arcs, h, m)));
  const stray = arcOf.indexOf(-1, 1);
  if (stray >= 0) throw new RangeError(`expected candidate arcs, got ${heads[stray]} -> ${stray}`);
  const active: number[] = [];
  addActiveParts(table, arcs, arcOf, treeNeighbours(heads), active);
  return active;
}

/**
 * Appends to `active` the parts of a table that are on in a tree.
 *
 * @param arcOf the arc of each word in the tree
 */
export function addActiveParts(
  table: PartTable,
  arcs: Arcs,
  arcOf: Int32Array,
  tree: TreeNeighbours,
  active: number[],
): void {
  const { kind, start, members } = table;
  const width = MEMBERS[kind];
  const last = PART_DESCRIPTORS[kind].members.at(-1);
  const words = new Int32Array(width);
  const wanted = new Int32Array(width);
  for (let m = 1; m < arcOf.length; m++) {
    if (!partInTree(kind, tree, m, words)) continue;
    for (let k = 0; k < width; k++) wanted[k] = words[k]! < 0 ? -1 : arcOf[words[k]!]!;
    const end = start[arcOf[m]! + 1]!;
    for (let part = start[arcOf[m]!]!; part < end; part++) {
      const at = part * width;
      if (last?.sibling === "any") {
        const member = members[at + width - 1]!;
        wanted[width - 1] = arcOf[arcs.modifier[member]!]!;
      }
      let k = 0;
      while (k < width && members[at + k] === wanted[k]) k++;
      if (k === width) active.push(part);
    }
  }
}
