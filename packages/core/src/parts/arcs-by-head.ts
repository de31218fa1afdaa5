import type { Arcs } from "../problem.ts";
import { type ArcsByHead, CandidateListMemory } from "./candidate-lists.ts";
import { int32Memory } from "./memory.ts";

/**
 * Groups candidate arcs by head and side. O(n + arcs).
 *
 * @param memory an earlier result that is not used any more: its arrays are overwritten where they are long
 *   enough, and the arrays of the result may then be longer than documented
 */
export function arcsByHead(arcs: Arcs, memory?: ArcsByHead): ArcsByHead {
  const { n, head, modifier } = arcs;
  const count = head.length;
  const groups = 2 * (n + 1);
  const start = int32Memory(memory?.start, groups + 1).fill(0, 0, groups + 1);
  const grouped = int32Memory(memory?.arcs, count);
  const rank = int32Memory(memory?.rank, count);
  const lists = memory?.lists ?? new CandidateListMemory();
  lists.clear();
  for (let a = 0; a < count; a++) start[2 * head[a] + (modifier[a] > head[a] ? 1 : 0)]++;
  for (let group = 1; group <= groups; group++) start[group] += start[group - 1];
  // Each group is filled from its end: arcs come by ascending modifier, farthest first to the left of a head.
  for (let a = 0; a < count; a++) {
    const h = head[a];
    if (modifier[a] < h) grouped[--start[2 * h]] = a;
  }
  for (let a = count - 1; a >= 0; a--) {
    const h = head[a];
    if (modifier[a] > h) grouped[--start[2 * h + 1]] = a;
  }
  for (let group = 0; group < groups; group++) {
    const first = start[group];
    const end = start[group + 1];
    for (let i = first; i < end; i++) rank[grouped[i]] = i - first;
  }
  return { rank, start, arcs: grouped, lists };
}

/** Returns the group of an arc in `ArcsByHead.start`. */
export function groupOf({ head, modifier }: Arcs, arc: number): number {
  return 2 * head[arc] + (modifier[arc] > head[arc] ? 1 : 0);
}
