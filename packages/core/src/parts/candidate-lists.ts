import type { Arcs } from "../problem.ts";
import type { MemberRelation } from "./kinds.ts";
import { int32Memory } from "./memory.ts";

/** The candidate arcs grouped by head and side, nearest modifier first: what `rank` in `PartTable` means. */
export interface ArcsByHead {
  /** Number of candidate arcs of the same head and side with nearer modifiers, one an arc. */
  readonly rank: Int32Array;
  /** 2 (n + 1) + 1 entries: group 2h holds the arcs of h to the left, 2h + 1 those to the right. */
  readonly start: Int32Array;
  /** Arc indices, by group, nearest modifier first. */
  readonly arcs: Int32Array;
  /** Lists of candidate members of parts, made when they are first needed: see `candidateLists`. */
  readonly lists: CandidateListMemory;
}

/** For each arc, the arcs that are in a relation to it: `source[from[arc]] .. source[end[arc] - 1]`. */
export interface CandidateLists {
  readonly source: Int32Array;
  readonly from: Int32Array;
  readonly end: Int32Array;
}

/** The lists of one `ArcsByHead`: several kinds of parts share each. */
export class CandidateListMemory {
  readonly #lists: Partial<Record<MemberRelation, CandidateLists>> = {};
  /** The relations whose lists belong to the current arcs. */
  readonly #made = new Set<MemberRelation>();

  /** Forgets all lists, and keeps their memory. */
  clear(): void {
    this.#made.clear();
  }

  /** Returns the list of a relation; makes it in the memory of the one before. */
  of(relation: MemberRelation, arcs: Arcs, byHead: ArcsByHead): CandidateLists {
    const known = this.#lists[relation];
    if (known !== undefined && this.#made.has(relation)) return known;
    const lists = makeLists(relation, arcs, byHead, known);
    this.#lists[relation] = lists;
    this.#made.add(relation);
    return lists;
  }
}

/**
 * Returns the arcs in a relation to each arc, in the order of `MemberRelation`. O(arcs), once for the same
 * `byHead`, whose next grouping in the same memory overwrites the lists.
 */
export function candidateLists(relation: MemberRelation, arcs: Arcs, byHead: ArcsByHead): CandidateLists {
  return byHead.lists.of(relation, arcs, byHead);
}

function makeLists(
  relation: MemberRelation,
  arcs: Arcs,
  byHead: ArcsByHead,
  old: CandidateLists | undefined,
): CandidateLists {
  const { start, head, modifier } = arcs;
  const count = head.length;
  const from = int32Memory(old?.from, count);
  const end = int32Memory(old?.end, count);
  if (relation === "above" || relation === "before") {
    const source = int32Memory(old?.source, count);
    for (let arc = 0; arc < count; arc++) {
      const word = relation === "above" ? head[arc] : modifier[arc] - 1;
      source[arc] = arc;
      from[arc] = start[word];
      end[arc] = start[word + 1];
    }
    return { source, from, end };
  }
  for (let arc = 0; arc < count; arc++) {
    const group = 2 * head[arc] + (modifier[arc] > head[arc] ? 1 : 0);
    const nearest = byHead.start[group];
    const own = nearest + byHead.rank[arc];
    from[arc] = relation === "nearer" ? nearest : own + 1;
    end[arc] = relation === "nearer" ? own : byHead.start[group + 1];
  }
  return { source: byHead.arcs, from, end };
}
