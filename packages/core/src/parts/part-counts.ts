import type { Arcs } from "../problem.ts";
import { groupOf } from "./arcs-by-head.ts";
import { type ArcsByHead, type CandidateLists, candidateLists } from "./candidate-lists.ts";
import type { MemberRole } from "./kinds.ts";

/** How a member determines the position of a part among the parts of its owner. */
export interface MemberOffsets {
  /** For each arc as this member, the parts of the members before it in the order of the table. */
  readonly offsets: Float64Array | undefined;
  /** Where `offsets` is undefined: for each arc that the role refers to, the parts that one member has. */
  readonly stride: Float64Array | undefined;
}

/** Returns the number of parts that each arc owns, if their members have these roles. O(n + arcs). */
export function countParts(roles: readonly MemberRole[], arcs: Arcs, byHead: ArcsByHead): Float64Array {
  return countFrom(roles, 0, arcs, byHead);
}

/** Returns the offsets of each member. O(n + arcs) a member. */
export function memberOffsets(
  roles: readonly MemberRole[],
  arcs: Arcs,
  byHead: ArcsByHead,
): readonly MemberOffsets[] {
  return roles.map(({ relation }, k) => {
    if (k + 1 === roles.length) return { offsets: undefined, stride: undefined };
    const parts = countFrom(roles, k + 1, arcs, byHead);
    if (!isChained(roles, k)) return { offsets: undefined, stride: parts };
    const { source } = candidateLists(relation, arcs, byHead);
    const sums = sumsBefore(source, parts);
    const offsets = new Float64Array(parts.length);
    for (let i = 0; i < parts.length; i++) {
      const arc = source[i];
      const first =
        relation === "above" || relation === "before"
          ? arcs.start[arcs.modifier[arc]]
          : byHead.start[groupOf(arcs, arc)];
      offsets[arc] = sums[i] - sums[first];
    }
    return { offsets, stride: undefined };
  });
}

/** Returns whether the member after the k-th refers to the k-th, so that its candidates depend on it. */
function isChained(roles: readonly MemberRole[], k: number): boolean {
  return roles[k + 1].of === k + 1;
}

/**
 * Returns, for each arc that the k-th role refers to, the number of choices of that member and the later
 * ones.
 */
function countFrom(roles: readonly MemberRole[], k: number, arcs: Arcs, byHead: ArcsByHead): Float64Array {
  const role = roles[k];
  const count = arcs.head.length;
  if (role === undefined) return new Float64Array(count).fill(1);
  const lists = candidateLists(role.relation, arcs, byHead);
  const isLast = k + 1 === roles.length;
  if (!isLast && isChained(roles, k)) return sumLists(lists, countFrom(roles, k + 1, arcs, byHead));
  const counts = isLast ? new Float64Array(count).fill(1) : countFrom(roles, k + 1, arcs, byHead);
  const none = role.sibling === "optional" ? 1 : 0;
  for (let arc = 0; arc < count; arc++) counts[arc] *= lists.end[arc] - lists.from[arc] + none;
  return counts;
}

/** Returns, for each arc, the sum of an amount per arc over its list. */
function sumLists({ source, from, end }: CandidateLists, amounts: Float64Array): Float64Array {
  const sums = sumsBefore(source, amounts);
  const totals = new Float64Array(amounts.length);
  for (let arc = 0; arc < totals.length; arc++) totals[arc] = sums[end[arc]] - sums[from[arc]];
  return totals;
}

/** Returns the sums of the amounts of the first 0, 1, 2, ... arcs of a source, one of each arc. */
function sumsBefore(source: Int32Array, amounts: Float64Array): Float64Array {
  const sums = new Float64Array(amounts.length + 1);
  for (let i = 0; i < amounts.length; i++) sums[i + 1] = sums[i] + amounts[source[i]];
  return sums;
}
