import type { Arcs } from "../problem.ts";
import { type ArcsByHead, groupOf } from "./arcs-by-head.ts";
import type { MemberRelation } from "./kinds.ts";

/** For each arc, the arcs that are in a relation to it: `source[from[arc]] .. source[end[arc] - 1]`. */
export interface CandidateLists {
  readonly source: Int32Array;
  readonly from: Int32Array;
  readonly end: Int32Array;
}

/** The lists made so far of grouped arcs: several kinds of parts share each. */
const made = new WeakMap<ArcsByHead, Record<MemberRelation, CandidateLists | undefined>>();

/**
 * Returns the arcs in a relation to each arc, in the order of `MemberRelation`. O(arcs), once for the same
 * `byHead`.
 */
export function candidateLists(relation: MemberRelation, arcs: Arcs, byHead: ArcsByHead): CandidateLists {
  let ofArcs = made.get(byHead);
  if (ofArcs === undefined) {
    ofArcs = { above: undefined, before: undefined, nearer: undefined, farther: undefined };
    made.set(byHead, ofArcs);
  }
  ofArcs[relation] ??= makeLists(relation, arcs, byHead);
  return ofArcs[relation];
}

function makeLists(relation: MemberRelation, arcs: Arcs, byHead: ArcsByHead): CandidateLists {
  const { start, head, modifier } = arcs;
  const count = head.length;
  const from = new Int32Array(count);
  const end = new Int32Array(count);
  if (relation === "above" || relation === "before") {
    const source = new Int32Array(count);
    for (let arc = 0; arc < count; arc++) {
      const word = relation === "above" ? head[arc]! : modifier[arc]! - 1;
      source[arc] = arc;
      from[arc] = start[word]!;
      end[arc] = start[word + 1]!;
    }
    return { source, from, end };
  }
  for (let arc = 0; arc < count; arc++) {
    const group = groupOf(arcs, arc);
    const nearest = byHead.start[group]!;
    const own = nearest + byHead.rank[arc]!;
    from[arc] = relation === "nearer" ? nearest : own + 1;
    end[arc] = relation === "nearer" ? own : byHead.start[group + 1]!;
  }
  return { source: byHead.arcs, from, end };
}
