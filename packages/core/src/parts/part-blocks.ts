import { type Arcs, MEMBERS, type PartKind } from "../problem.ts";
import type { ArcsByHead } from "./parts.ts";

/** The kinds whose parts come in blocks, one for each candidate g -> h of the owner's head h: see `PartTable`. */
export type BlockKind =
  | "greatGrandparent"
  | "grandparentSibling"
  | "outerSiblingGrandchild"
  | "innerSiblingGrandchild";

const BLOCK_KINDS: ReadonlySet<PartKind> = new Set<BlockKind>([
  "greatGrandparent",
  "grandparentSibling",
  "outerSiblingGrandchild",
  "innerSiblingGrandchild",
]);

export function isBlockKind(kind: PartKind): kind is BlockKind {
  return BLOCK_KINDS.has(kind);
}

/** Number of candidate arcs of the same head, on the same side, whose modifiers are farther away. */
export function beyond(arcs: Arcs, byHead: ArcsByHead, arc: number): number {
  const group = groupOf(arcs, arc);
  return byHead.start[group + 1]! - byHead.start[group]! - byHead.rank[arc]! - 1;
}

/** Where the arcs of the arc's head and side begin in `byHead.arcs`. */
export function siblingsFrom(arcs: Arcs, byHead: ArcsByHead, arc: number): number {
  return byHead.start[groupOf(arcs, arc)]!;
}

function groupOf({ head, modifier }: Arcs, arc: number): number {
  return 2 * head[arc]! + (modifier[arc]! > head[arc]! ? 1 : 0);
}

/** Sums of a number an arc within the candidates of a word. */
export interface CandidateSums {
  /** For each arc, the sum over the candidates of its modifier before it. */
  readonly before: Float64Array;
  /** For each word, the sum over all its candidates; 0 for the root. */
  readonly total: Float64Array;
}

/** O(n + arcs). */
export function sumCandidates(arcs: Arcs, of: (arc: number) => number): CandidateSums {
  const { n, start } = arcs;
  const before = new Float64Array(arcs.head.length);
  const total = new Float64Array(n + 1);
  for (let m = 1; m <= n; m++) {
    let sum = 0;
    for (let a = start[m]!; a < start[m + 1]!; a++) {
      before[a] = sum;
      sum += of(a);
    }
    total[m] = sum;
  }
  return { before, total };
}

/** For each arc g -> h the parts in its block, summed over the candidates of h. O(n + arcs). */
export function blockSums(kind: BlockKind, arcs: Arcs, byHead: ArcsByHead): CandidateSums {
  const { head, start } = arcs;
  switch (kind) {
    case "greatGrandparent":
      return sumCandidates(arcs, (arc) => start[head[arc]! + 1]! - start[head[arc]!]!);
    case "grandparentSibling": {
      const { total } = blockSums("outerSiblingGrandchild", arcs, byHead);
      return sumCandidates(arcs, (arc) => total[head[arc]!]!);
    }
    case "outerSiblingGrandchild":
      return sumCandidates(arcs, (arc) => byHead.rank[arc]! + 1);
    case "innerSiblingGrandchild":
      return sumCandidates(arcs, (arc) => beyond(arcs, byHead, arc) + 1);
  }
}

/**
 * The members of the parts of an owner, which depend on its head alone: those of an owner h -> m are
 * `members[start[h]] .. members[start[h + 1] - 1]`.
 */
export interface BlockMembers {
  readonly start: Float64Array;
  readonly members: Int32Array;
}

/** Cost: the parts that one owner for each word has. */
export function blockMembers(kind: BlockKind, arcs: Arcs, byHead: ArcsByHead): BlockMembers {
  const { n } = arcs;
  const { total } = blockSums(kind, arcs, byHead);
  const start = new Float64Array(n + 2);
  for (let h = 0; h <= n; h++) start[h + 1] = start[h]! + total[h]! * MEMBERS[kind];
  const members = new Int32Array(start[n + 1]!);
  let place = 0;
  for (let arc = 0; arc < arcs.head.length; arc++) {
    place =
      kind === "greatGrandparent" || kind === "grandparentSibling"
        ? writeAbove(kind, arcs, byHead, arc, members, place)
        : writeBeside(kind, arcs, byHead, arc, members, place);
  }
  return { start, members };
}

/** The block of g -> h where parts look at the head f of g, and at its modifier u next to g. */
function writeAbove(
  kind: "greatGrandparent" | "grandparentSibling",
  arcs: Arcs,
  byHead: ArcsByHead,
  arc: number,
  members: Int32Array,
  at: number,
): number {
  const g = arcs.head[arc]!;
  const end = arcs.start[g + 1]!;
  let place = at;
  for (let above = arcs.start[g]!; above < end; above++) {
    if (kind === "greatGrandparent") {
      members[place++] = arc;
      members[place++] = above;
      continue;
    }
    const siblings = siblingsFrom(arcs, byHead, above);
    for (let u = -1; u < byHead.rank[above]!; u++) {
      members[place++] = arc;
      members[place++] = above;
      members[place++] = u < 0 ? -1 : byHead.arcs[siblings + u]!;
    }
  }
  return place;
}

/** The block of g -> h where parts look at a sibling s of h. */
function writeBeside(
  kind: "outerSiblingGrandchild" | "innerSiblingGrandchild",
  arcs: Arcs,
  byHead: ArcsByHead,
  arc: number,
  members: Int32Array,
  at: number,
): number {
  const siblings = siblingsFrom(arcs, byHead, arc);
  const r = byHead.rank[arc]!;
  const inner = kind === "innerSiblingGrandchild";
  const from = inner ? siblings + r + 1 : siblings;
  const end = inner ? from + beyond(arcs, byHead, arc) : siblings + r;
  members[at] = arc;
  members[at + 1] = -1;
  let place = at + 2;
  for (let s = from; s < end; s++) {
    members[place++] = arc;
    members[place++] = byHead.arcs[s]!;
  }
  return place;
}

/** Writes the members of all parts in their order. O(parts). */
export function fillBlocks(kind: BlockKind, arcs: Arcs, byHead: ArcsByHead, members: Int32Array): void {
  const blocks = blockMembers(kind, arcs, byHead);
  for (let owner = 0, place = 0; owner < arcs.head.length; owner++) {
    const h = arcs.head[owner]!;
    const end = blocks.start[h + 1]!;
    for (let from = blocks.start[h]!; from < end; from++) members[place++] = blocks.members[from]!;
  }
}

/** The place after the members of an owner from place `at` on, or ~place of the first that is not as expected. */
export function matchBlocks(members: Int32Array, at: number, blocks: BlockMembers, h: number): number {
  const end = blocks.start[h + 1]!;
  let place = at;
  for (let from = blocks.start[h]!; from < end; from++, place++) {
    if (members[place] !== blocks.members[from]) return ~place;
  }
  return place;
}
