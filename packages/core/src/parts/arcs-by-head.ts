import type { Arcs } from "../problem.ts";

/** The candidate arcs grouped by head and side, nearest modifier first: what `rank` in `PartTable` means. */
export interface ArcsByHead {
  /** Number of candidate arcs of the same head and side with nearer modifiers, one an arc. */
  readonly rank: Int32Array;
  /** 2 (n + 1) + 1 entries: group 2h holds the arcs of h to the left, 2h + 1 those to the right. */
  readonly start: Int32Array;
  /** Arc indices, by group, nearest modifier first. */
  readonly arcs: Int32Array;
}

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

/** Returns the group of an arc in `ArcsByHead.start`. */
export function groupOf({ head, modifier }: Arcs, arc: number): number {
  return 2 * head[arc]! + (modifier[arc]! > head[arc]! ? 1 : 0);
}
