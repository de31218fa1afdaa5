import { activeParts, MEMBERS, type ParsingProblem, type PartTable } from "@arcwise/core";
import type { Ad3Run } from "../solver/ad3.ts";
import { pairShare } from "../solver/posteriors.ts";
import { ArcFactor } from "./arc-factor.ts";
import type { PartSums } from "./part-sums.ts";
import type { Relaxation } from "./relaxation.ts";

/**
 * Returns the posterior of each part in the solution of a run: for parts of a factor, the total weight of its
 * active configurations that have the part; for pairs of arcs, the value in the local polytope that scores
 * most, given the posteriors of the two arcs. One array per table. O(parts) for pairs, O(n) for each active
 * configuration.
 *
 * @param arcs posterior of each arc
 */
export function partPosteriors(
  { messages }: Ad3Run,
  relaxation: Relaxation,
  { arcs: { head, modifier }, parts }: ParsingProblem,
  arcs: Float64Array,
): Float64Array[] {
  const sums: PartSums = {};
  const result = parts.map(({ kind, start }) => (sums[kind] = new Float64Array(start.at(-1)!)));
  for (const set of messages.activeSets) {
    const factor = set?.maximizer;
    if (factor instanceof ArcFactor) set!.visit((slot, weight) => factor.addParts(slot, weight, sums));
  }
  for (const { kind, start, members, scores } of parts) {
    if (!relaxation.isPairwise(kind)) continue;
    const into = sums[kind]!;
    for (let owner = 0; owner < head.length; owner++) {
      for (let part = start[owner]; part < start[owner + 1]; part++) {
        const member = members[part];
        if (head[member] === modifier[owner]) continue;
        into[part] = pairShare(arcs[owner], arcs[member], scores[part]);
      }
    }
  }
  return result;
}

/** Returns 1 for each part that is on in a tree and 0 for the others, in one array per table. */
export function treeParts({ arcs, parts }: ParsingProblem, heads: Int32Array): Float64Array[] {
  return parts.map((table) => {
    const on = new Float64Array(table.start.at(-1)!);
    for (const part of activeParts(table, arcs, heads)) on[part] = 1;
    return on;
  });
}

/**
 * Copies values of parts to the tables of a problem with pruned arcs; parts that were left out get 0.
 * O(parts).
 */
export function withPrunedParts(
  { arcScores, parts }: ParsingProblem,
  kept: readonly Float64Array[],
): Float64Array[] {
  return parts.map((table, index) => {
    const { kind, start, members } = table;
    const width = MEMBERS[kind];
    const all = new Float64Array(start.at(-1)!);
    let next = 0;
    for (let owner = 0; owner < arcScores.length; owner++) {
      if (arcScores[owner] === -Infinity) continue;
      for (let part = start[owner]; part < start[owner + 1]; part++) {
        if (isKept(arcScores, members, part * width, width)) all[part] = kept[index][next++];
      }
    }
    return all;
  });
}

function isKept(
  arcScores: Float64Array,
  members: PartTable["members"],
  from: number,
  width: number,
): boolean {
  for (let i = from; i < from + width; i++) {
    if (members[i] >= 0 && arcScores[members[i]] === -Infinity) return false;
  }
  return true;
}
