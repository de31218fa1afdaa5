import type { Arcs } from "../problem.ts";
import type { ArcsByHead } from "./candidate-lists.ts";
import { type MemberRole, PART_DESCRIPTORS, type PartKind } from "./kinds.ts";
import { type MemberOffsets, memberOffsets } from "./part-counts.ts";

/**
 * Computes the positions of parts in their tables (see `PartTable`), for every kind. The inner loops of a
 * decoder do the same on the arrays that `offsets` returns.
 *
 * Cost: O(n + arcs) at the first use of a kind.
 */
export class PartPositions {
  readonly #arcs: Arcs;
  readonly #byHead: ArcsByHead;
  readonly #offsets = new Map<PartKind, readonly MemberOffsets[]>();

  constructor(arcs: Arcs, byHead: ArcsByHead) {
    this.#arcs = arcs;
    this.#byHead = byHead;
  }

  /**
   * For each arc as the k-th member of a part (from 0), the number of parts with the same owner and the same
   * members before the k-th that come before those with this arc. For members that the next member refers to.
   *
   * @throws RangeError for other members: their positions do not depend on the arc alone
   */
  offsets(kind: PartKind, k: number): Float64Array {
    const offsets = this.#of(kind)[k]?.offsets;
    if (offsets === undefined) {
      throw new RangeError(`expected a member of "${kind}" that the next one refers to, got ${k}`);
    }
    return offsets;
  }

  /**
   * Returns the position of a part relative to `start[owner]`, by its member arcs in the order of `PartKind`
   * (-1: none). O(1). The members must be ones that the kind allows for the owner; that is not checked.
   */
  position(kind: PartKind, owner: number, ...members: readonly number[]): number {
    const roles = PART_DESCRIPTORS[kind].members;
    const offsets = this.#of(kind);
    let position = 0;
    for (let k = 0; k < roles.length; k++) {
      const member = members[k] ?? -1;
      if (member < 0) continue;
      const { of } = roles[k];
      const reference = of === 0 ? owner : members[of - 1];
      const own = offsets[k];
      position +=
        own.offsets?.[member] ?? this.#rank(roles[k], reference, member) * (own.stride?.[reference] ?? 1);
    }
    return position;
  }

  #of(kind: PartKind): readonly MemberOffsets[] {
    let offsets = this.#offsets.get(kind);
    if (offsets === undefined) {
      offsets = memberOffsets(PART_DESCRIPTORS[kind].members, this.#arcs, this.#byHead);
      this.#offsets.set(kind, offsets);
    }
    return offsets;
  }

  /** Returns the number of candidates for this member that come before it. */
  #rank({ relation, sibling }: MemberRole, reference: number, member: number): number {
    const { start, modifier } = this.#arcs;
    if (relation === "above" || relation === "before") return member - start[modifier[member]];
    const { rank } = this.#byHead;
    const none = sibling === "optional" ? 1 : 0;
    return none + rank[member] - (relation === "nearer" ? 0 : rank[reference] + 1);
  }
}
