import { type Arcs, MEMBERS, type PartKind, type PartTable } from "../problem.ts";
import { type BlockKind, blockSums, fillBlocks, isBlockKind } from "./part-blocks.ts";

/** The candidate arcs grouped by head and side, nearest modifier first: what `rank` in `PartTable` means. */
export interface ArcsByHead {
  /** Number of candidate arcs of the same head and side with nearer modifiers, one an arc. */
  readonly rank: Int32Array;
  /** 2 (n + 1) + 1 entries: group 2h holds the arcs of h to the left, 2h + 1 those to the right. */
  readonly start: Int32Array;
  /** Arc indices, by group, nearest modifier first. */
  readonly arcs: Int32Array;
}

/** The kinds that do not come in blocks. */
type NearKind = Exclude<PartKind, BlockKind>;

/** Indices of parts are 32-bit integers. */
const MOST_PARTS = 2 ** 31 - 1;

/** Groups candidate arcs by head and side. O(n + arcs). */
export function arcsByHead(arcs: Arcs): ArcsByHead {
  const { n, head, modifier } = arcs;
  const count = head.length;
  const start = new Int32Array(2 * (n + 1) + 1);
  for (let a = 0; a < count; a++) start[2 * head[a]! + (modifier[a]! > head[a]! ? 1 : 0) + 1]!++;
  for (let group = 0; group < 2 * (n + 1); group++) start[group + 1]! += start[group]!;
  const fill = start.slice(0, -1);
  const grouped = new Int32Array(count);
  const rank = new Int32Array(count);
  // Arcs come by ascending modifier: that is nearest first to the right of a head, ...
  for (let a = 0; a < count; a++) {
    const h = head[a]!;
    if (modifier[a]! < h) continue;
    rank[a] = fill[2 * h + 1]! - start[2 * h + 1]!;
    grouped[fill[2 * h + 1]!++] = a;
  }
  // ... and in descending order to its left.
  for (let a = count - 1; a >= 0; a--) {
    const h = head[a]!;
    if (modifier[a]! > h) continue;
    rank[a] = fill[2 * h]! - start[2 * h]!;
    grouped[fill[2 * h]!++] = a;
  }
  return { rank, start, arcs: grouped };
}

/**
 * The complete table of a kind over the candidate arcs, with all scores 0: see `PartTable` for the order.
 * Cost: the number of its parts.
 *
 * @throws RangeError when there are more than 2^31 - 1 of them
 */
export function partLayout(kind: PartKind, arcs: Arcs, byHead: ArcsByHead = arcsByHead(arcs)): PartTable {
  const { head } = arcs;
  const count = head.length;
  const { rank } = byHead;
  const start = new Int32Array(count + 1);
  const blocks = isBlockKind(kind) ? blockSums(kind, arcs, byHead).total : undefined;
  let total = 0;
  for (let a = 0; a < count; a++) {
    total += blocks === undefined ? partsOf(kind as NearKind, arcs, rank, a) : blocks[head[a]!]!;
    start[a + 1] = total;
  }
  if (total > MOST_PARTS) {
    throw new RangeError(`expected at most ${MOST_PARTS} parts of kind "${kind}", got ${total}: prune arcs`);
  }
  const members = new Int32Array(total * MEMBERS[kind]);
  if (isBlockKind(kind)) fillBlocks(kind, arcs, byHead, members);
  else fillMembers(kind, arcs, byHead, members);
  return { kind, start, members, scores: new Float64Array(total) };
}

/** The members of the kinds that do not come in blocks. */
function fillMembers(kind: NearKind, arcs: Arcs, byHead: ArcsByHead, members: Int32Array): void {
  const { head, modifier } = arcs;
  const count = head.length;
  for (let a = 0, next = 0; a < count; a++) {
    const h = head[a]!;
    const m = modifier[a]!;
    const siblings = byHead.start[2 * h + (m > h ? 1 : 0)]!;
    const r = byHead.rank[a]!;
    switch (kind) {
      case "grandparent":
        for (let g = arcs.start[h]!; g < arcs.start[h + 1]!; g++) members[next++] = g;
        break;
      case "headBigram":
        for (let g = arcs.start[m - 1]!; g < arcs.start[m]!; g++) members[next++] = g;
        break;
      case "nextSibling":
        members[next++] = -1;
        for (let s = 0; s < r; s++) members[next++] = byHead.arcs[siblings + s]!;
        break;
      case "sibling":
        for (let s = 0; s < r; s++) members[next++] = byHead.arcs[siblings + s]!;
        break;
      case "grandSibling":
        for (let g = arcs.start[h]!; g < arcs.start[h + 1]!; g++) {
          for (let s = -1; s < r; s++) {
            members[next++] = g;
            members[next++] = s < 0 ? -1 : byHead.arcs[siblings + s]!;
          }
        }
        break;
      case "triSibling":
        for (let s = 0; s < r; s++) {
          for (let t = -1; t < s; t++) {
            members[next++] = byHead.arcs[siblings + s]!;
            members[next++] = t < 0 ? -1 : byHead.arcs[siblings + t]!;
          }
        }
        break;
      case "lastSibling":
        break;
    }
  }
}

function partsOf(kind: NearKind, arcs: Arcs, rank: Int32Array, arc: number): number {
  const h = arcs.head[arc]!;
  const m = arcs.modifier[arc]!;
  const r = rank[arc]!;
  const candidates = arcs.start[h + 1]! - arcs.start[h]!;
  switch (kind) {
    case "grandparent":
      return candidates;
    case "nextSibling":
      return r + 1;
    case "lastSibling":
      return 1;
    case "sibling":
      return r;
    case "grandSibling":
      return candidates * (r + 1);
    case "triSibling":
      return (r * (r + 1)) / 2;
    case "headBigram":
      return arcs.start[m]! - arcs.start[m - 1]!;
  }
}
