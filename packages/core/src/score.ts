import { arcIndex } from "./parts/arcs.ts";
import { type Arcs, MEMBERS, type ParsingProblem, type PartTable } from "./problem.ts";

/**
 * The score of a tree: the sum over its arcs, over the parts that are on in it, and the global score.
 * This is what every decoder is measured by. `-Infinity` when the tree uses an arc that is pruned or is no
 * candidate. Whether the heads form a tree is not looked at (see `checkTree`).
 *
 * Cost: O(n log n) and the parts owned by the n arcs of the tree.
 *
 * @throws RangeError when `heads` has not n + 1 entries
 */
export function scoreTree(problem: ParsingProblem, heads: Int32Array): number {
  const { arcs, arcScores, parts, global } = problem;
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const arcOf = new Int32Array(n + 1).fill(-1);
  let score = 0;
  for (let m = 1; m <= n; m++) {
    const arc = arcIndex(arcs, heads[m]!, m);
    if (arc < 0) return -Infinity;
    arcOf[m] = arc;
    score += arcScores[arc]!;
  }
  if (parts.length > 0) {
    const tree = viewTree(heads, arcOf);
    for (const table of parts) {
      for (let m = 1; m <= n; m++) {
        const end = table.start[arcOf[m]! + 1]!;
        for (let part = table.start[arcOf[m]!]!; part < end; part++) {
          if (isOn(table, tree, part, m)) score += table.scores[part]!;
        }
      }
    }
  }
  if (global !== undefined) score += global.score(heads);
  return score;
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
 * The parts of a table that are on in a tree, as indices in ascending order of their owners' modifiers. All arcs of the
 * tree must be candidates. Cost: O(n log n) and the parts owned by the n arcs of the tree.
 *
 * @throws RangeError when `heads` has not n + 1 entries, or an arc of the tree is no candidate
 */
export function activeParts(table: PartTable, arcs: Arcs, heads: Int32Array): number[] {
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const arcOf = Int32Array.from(heads, (h, m) => (m === 0 ? -1 : arcIndex(arcs, h, m)));
  const stray = arcOf.indexOf(-1, 1);
  if (stray >= 0) throw new RangeError(`expected candidate arcs, got ${heads[stray]} -> ${stray}`);
  const tree = viewTree(heads, arcOf);
  const active: number[] = [];
  for (let m = 1; m <= n; m++) {
    const end = table.start[arcOf[m]! + 1]!;
    for (let part = table.start[arcOf[m]!]!; part < end; part++) {
      if (isOn(table, tree, part, m)) active.push(part);
    }
  }
  return active;
}

/** A tree as parts look at it. */
interface TreeView {
  readonly heads: Int32Array;
  /** The arc of each word, -1 for the root. */
  readonly arcOf: Int32Array;
  /** The modifier of the same head next to each word on the side of the head, or -1. */
  readonly inner: Int32Array;
  /** The one next to each word on the other side, or -1: of the outermost. */
  readonly outer: Int32Array;
}

function viewTree(heads: Int32Array, arcOf: Int32Array): TreeView {
  const inner = innerSiblings(heads);
  const outer = new Int32Array(heads.length).fill(-1);
  for (let m = 1; m < heads.length; m++) if (inner[m]! >= 0) outer[inner[m]!] = m;
  return { heads, arcOf, inner, outer };
}

/** Whether a part owned by the arc of m in the tree is on: the table of `PartKind`, line by line. */
function isOn({ kind, members }: PartTable, tree: TreeView, part: number, m: number): boolean {
  const { heads, arcOf, inner, outer } = tree;
  const h = heads[m]!;
  const at = part * MEMBERS[kind];
  switch (kind) {
    case "grandparent":
      return h > 0 && members[at] === arcOf[h];
    case "nextSibling":
      return members[at] === arcAt(arcOf, inner[m]!);
    case "lastSibling":
      return outer[m]! < 0;
    case "sibling":
      for (let s = inner[m]!; s >= 0; s = inner[s]!) if (members[at] === arcOf[s]) return true;
      return false;
    case "grandSibling":
      return h > 0 && members[at] === arcOf[h] && members[at + 1] === arcAt(arcOf, inner[m]!);
    case "triSibling": {
      const s = inner[m]!;
      return s >= 0 && members[at] === arcOf[s] && members[at + 1] === arcAt(arcOf, inner[s]!);
    }
    case "headBigram":
      return m > 1 && members[at] === arcOf[m - 1];
    case "greatGrandparent":
      return h > 0 && heads[h]! > 0 && members[at] === arcOf[h] && members[at + 1] === arcOf[heads[h]!];
    case "grandparentSibling": {
      if (h === 0 || heads[h] === 0 || members[at] !== arcOf[h]) return false;
      const g = heads[h]!;
      return members[at + 1] === arcOf[g] && members[at + 2] === arcAt(arcOf, inner[g]!);
    }
    case "outerSiblingGrandchild":
      return h > 0 && members[at] === arcOf[h] && members[at + 1] === arcAt(arcOf, inner[h]!);
    case "innerSiblingGrandchild":
      return h > 0 && members[at] === arcOf[h] && members[at + 1] === arcAt(arcOf, outer[h]!);
    default:
      throw new RangeError(`unknown part kind ${kind satisfies never}`);
  }
}

function arcAt(arcOf: Int32Array, word: number): number {
  return word < 0 ? -1 : arcOf[word]!;
}
