import type { Arcs } from "../problem.ts";
import { type ArcsByHead, type CandidateLists, candidateLists } from "./candidate-lists.ts";
import { type MemberRole, PART_DESCRIPTORS, type PartKind } from "./kinds.ts";
import { int32Memory } from "./memory.ts";

const EMPTY = new Int32Array(0);

/**
 * Lists the members of the parts that an arc owns, in the order of the table: `write` puts them into an
 * array, and `match` compares them with one.
 *
 * Parts of one or two members, and the last two members of others, are listed by loops without calls. Where
 * parts of several members depend on the head of their owner alone, the parts of the first owner of each head are
 * copied, or compared, for the others. The calls for one table go through its owners in ascending order.
 */
export class PartRuns {
  readonly #roles: readonly MemberRole[];
  #head: Int32Array = EMPTY;
  readonly #lists: CandidateLists[] = [];
  /** The arcs that the part being listed consists of so far: its owner and its first members. */
  readonly #path: Int32Array;
  /** 1 where the last member may be none. */
  readonly #none: number;
  /** Whether all owners of a head have the same members, several a part. */
  readonly #isOfHead: boolean;
  /** For each head, where its first owner's members begin (-1: not listed yet) and end, if `#isOfHead`. */
  #firstStart: Int32Array = EMPTY;
  #firstEnd: Int32Array = EMPTY;
  #members: Int32Array = EMPTY;
  #at = 0;

  constructor(kind: PartKind) {
    const roles = PART_DESCRIPTORS[kind].members;
    this.#roles = roles;
    this.#path = roles.length > 2 ? new Int32Array(roles.length + 1) : EMPTY;
    this.#none = roles.at(-1)?.sibling === "optional" ? 1 : 0;
    this.#isOfHead = roles.length > 1 && roles.every(({ relation, of }) => of > 0 || relation === "above");
  }

  /** Turns to the parts over other candidate arcs. O(n + arcs); allocates only for longer sentences. */
  prepare(arcs: Arcs, byHead: ArcsByHead): this {
    this.#head = arcs.head;
    for (const [k, { relation }] of this.#roles.entries())
      this.#lists[k] = candidateLists(relation, arcs, byHead);
    if (!this.#isOfHead) return this;
    this.#firstStart = int32Memory(this.#firstStart, arcs.n + 1).fill(-1, 0, arcs.n + 1);
    this.#firstEnd = int32Memory(this.#firstEnd, arcs.n + 1);
    return this;
  }

  /** Writes the members of the owner's parts to `members` from `at` on; returns their end. O(parts). */
  write(owner: number, members: Int32Array, at: number): number {
    const width = this.#roles.length;
    if (width === 0) return at;
    if (width === 1) return this.#writeRun(owner, members, at);
    if (!this.#isOfHead) return this.#list(owner, members, at, false);
    const head = this.#head[owner];
    const first = this.#firstStart[head];
    if (first < 0) return this.#listFirst(owner, members, at, false);
    const end = this.#firstEnd[head];
    let place = at;
    for (let from = first; from < end; from++) members[place++] = members[from];
    return place;
  }

  /**
   * Compares `members` from `at` on with the members of the owner's parts. Returns their end, or ~index of
   * the first entry that differs. O(parts).
   */
  match(owner: number, members: Int32Array, at: number): number {
    const width = this.#roles.length;
    if (width === 0) return at;
    if (width === 1) return this.#matchRun(owner, members, at);
    if (!this.#isOfHead) return this.#list(owner, members, at, true);
    const head = this.#head[owner];
    const first = this.#firstStart[head];
    if (first < 0) return this.#listFirst(owner, members, at, true);
    const end = this.#firstEnd[head];
    let place = at;
    for (let from = first; from < end; from++, place++) {
      if (members[place] !== members[from]) return ~place;
    }
    return place;
  }

  /** Lists the parts of the first owner of a head, and keeps where they are. */
  #listFirst(owner: number, members: Int32Array, at: number, isMatching: boolean): number {
    const end = this.#list(owner, members, at, isMatching);
    if (end < 0) return end;
    const head = this.#head[owner];
    this.#firstStart[head] = at;
    this.#firstEnd[head] = end;
    return end;
  }

  /** Lists parts of two or more members. */
  #list(owner: number, members: Int32Array, at: number, isMatching: boolean): number {
    if (this.#roles.length === 2)
      return isMatching ? this.#matchPairs(owner, members, at) : this.#writePairs(owner, members, at);
    this.#members = members;
    this.#at = at;
    this.#path[0] = owner;
    return this.#extend(0, isMatching) ? this.#at : ~this.#at;
  }

  /**
   * Lists the parts that begin with the path, whose next member is the k-th; false where one does not match.
   */
  #extend(k: number, isMatching: boolean): boolean {
    if (this.#roles.length - k === 2) return isMatching ? this.#matchRuns(k) : this.#writeRuns(k);
    const { source, from, end } = this.#lists[k];
    const arc = this.#path[this.#roles[k].of];
    for (let i = from[arc]; i < end[arc]; i++) {
      this.#path[k + 1] = source[i];
      if (!this.#extend(k + 1, isMatching)) return false;
    }
    return true;
  }

  /** Writes parts of one member. */
  #writeRun(owner: number, members: Int32Array, at: number): number {
    const { source, from, end } = this.#lists[0];
    const last = end[owner];
    let place = at;
    if (this.#none > 0) members[place++] = -1;
    for (let i = from[owner]; i < last; i++) members[place++] = source[i];
    return place;
  }

  /** Compares parts of one member. */
  #matchRun(owner: number, members: Int32Array, at: number): number {
    const { source, from, end } = this.#lists[0];
    const last = end[owner];
    let place = at;
    if (this.#none > 0 && members[place++] !== -1) return ~at;
    for (let i = from[owner]; i < last; i++, place++) if (members[place] !== source[i]) return ~place;
    return place;
  }

  /** Writes parts of two members. */
  #writePairs(owner: number, members: Int32Array, at: number): number {
    const none = this.#none;
    const list = this.#lists[0];
    const { source, from, end } = this.#lists[1];
    const isOfOwner = this.#roles[1].of === 0;
    const limit = list.end[owner];
    let place = at;
    for (let i = list.from[owner]; i < limit; i++) {
      const member = list.source[i];
      const reference = isOfOwner ? owner : member;
      const first = from[reference];
      const last = end[reference];
      for (let j = first - none; j < last; j++) {
        members[place++] = member;
        members[place++] = j < first ? -1 : source[j];
      }
    }
    return place;
  }

  /** Compares parts of two members. */
  #matchPairs(owner: number, members: Int32Array, at: number): number {
    const none = this.#none;
    const list = this.#lists[0];
    const { source, from, end } = this.#lists[1];
    const isOfOwner = this.#roles[1].of === 0;
    const limit = list.end[owner];
    let place = at;
    for (let i = list.from[owner]; i < limit; i++) {
      const member = list.source[i];
      const reference = isOfOwner ? owner : member;
      const first = from[reference];
      const last = end[reference];
      for (let j = first - none; j < last; j++, place += 2) {
        if (members[place] !== member) return ~place;
        if (members[place + 1] !== (j < first ? -1 : source[j])) return ~(place + 1);
      }
    }
    return place;
  }

  /** Writes the parts that begin with the path and end with two more members, the k-th and the last. */
  #writeRuns(k: number): true {
    const members = this.#members;
    const path = this.#path;
    const none = this.#none;
    const list = this.#lists[k];
    const { source, from, end } = this.#lists[k + 1];
    const arc = path[this.#roles[k].of];
    const { of } = this.#roles[k + 1];
    const limit = list.end[arc];
    let at = this.#at;
    for (let i = list.from[arc]; i < limit; i++) {
      const member = list.source[i];
      path[k + 1] = member;
      const reference = path[of];
      const first = from[reference];
      const last = end[reference];
      for (let j = first - none; j < last; j++) {
        for (let p = 1; p <= k; p++) members[at++] = path[p];
        members[at++] = member;
        members[at++] = j < first ? -1 : source[j];
      }
    }
    this.#at = at;
    return true;
  }

  /** Compares the parts that begin with the path and end with two more members, the k-th and the last. */
  #matchRuns(k: number): boolean {
    const members = this.#members;
    const path = this.#path;
    const none = this.#none;
    const list = this.#lists[k];
    const { source, from, end } = this.#lists[k + 1];
    const arc = path[this.#roles[k].of];
    const { of } = this.#roles[k + 1];
    const limit = list.end[arc];
    let at = this.#at;
    for (let i = list.from[arc]; i < limit; i++) {
      const member = list.source[i];
      path[k + 1] = member;
      const reference = path[of];
      const first = from[reference];
      const last = end[reference];
      for (let j = first - none; j < last; j++) {
        for (let p = 1; p <= k; p++, at++) if (members[at] !== path[p]) return this.#stopAt(at);
        if (members[at] !== member) return this.#stopAt(at);
        if (members[at + 1] !== (j < first ? -1 : source[j])) return this.#stopAt(at + 1);
        at += 2;
      }
    }
    this.#at = at;
    return true;
  }

  #stopAt(at: number): false {
    this.#at = at;
    return false;
  }
}
