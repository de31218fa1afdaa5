import type { Arcs, PartTable } from "../problem.ts";
import { arcsByHead } from "./arcs-by-head.ts";
import type { ArcsByHead } from "./candidate-lists.ts";
import { MEMBERS, PART_DESCRIPTORS, type PartKind } from "./kinds.ts";
import { countParts } from "./part-counts.ts";
import { PartRuns } from "./part-runs.ts";

/** Indices of parts are 32-bit integers. */
const MAX_PARTS = 2 ** 31 - 1;

/**
 * Returns the number of parts of a kind over the candidate arcs, without their table. O(n + arcs) a member.
 */
export function partCount(kind: PartKind, arcs: Arcs, byHead: ArcsByHead = arcsByHead(arcs)): number {
  return countParts(PART_DESCRIPTORS[kind].members, arcs, byHead).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns the complete table of a kind over the candidate arcs, with all scores 0: see `PartTable` for the
 * order. Cost: the number of its parts.
 *
 * @throws RangeError when there are more than 2^31 - 1 of them
 */
export function partLayout(kind: PartKind, arcs: Arcs, byHead: ArcsByHead = arcsByHead(arcs)): PartTable {
  const count = arcs.head.length;
  const start = new Int32Array(count + 1);
  const counts = countParts(PART_DESCRIPTORS[kind].members, arcs, byHead);
  let total = 0;
  for (let arc = 0; arc < count; arc++) {
    total += counts[arc];
    start[arc + 1] = total;
  }
  if (total > MAX_PARTS) {
    throw new RangeError(`expected at most ${MAX_PARTS} parts of kind "${kind}", got ${total}: prune arcs`);
  }
  const members = new Int32Array(total * MEMBERS[kind]);
  if (members.length > 0) {
    const runs = new PartRuns(kind).prepare(arcs, byHead);
    for (let arc = 0, at = 0; arc < count; arc++) at = runs.write(arc, members, at);
  }
  return { kind, start, members, scores: new Float64Array(total) };
}
