import type { Arcs } from "../problem.ts";
import type { ArcsByHead } from "./arcs-by-head.ts";
import { type CandidateLists, candidateLists } from "./candidate-lists.ts";
import { type MemberRole, PART_DESCRIPTORS, type PartKind } from "./kinds.ts";

/**
 * Lists the members of the parts that an arc owns, in the order of the table: `write` puts them into an
 * array, and `match` compares them with one.
 *
 * The last two members of a part are listed by nested loops without calls. Where the parts of an owner depend
 * on its head alone, those of the first owner of each head are copied, or compared, for the others. The calls
 * for one table go through its owners in ascending order.
 */
export class PartRuns {
  readonly #head: Int32Array;
  readonly #roles: readonly MemberRole[];
  readonly #lists: readonly CandidateLists[];
  /** The arcs that the part being listed consists of so far: its owner and its first members. */
  readonly #path: Int32Array;
  /** 1 where the last member may be none. */
  readonly #none: number;
  /**
   * For each head, where its first owner's members begin and end, if all its owners have the same; else
   * empty.
   */
  readonly #firstStart: Int32Array;
  readonly #firstEnd: Int32Array;
  #members: Int32Array = new Int32Array(0);
  #at = 0;

  constructor(kind: PartKind, arcs: Arcs, byHead: ArcsByHead) {
    this.#head = arcs.head;
    this.#roles = PART_DESCRIPTORS[kind].members;
    this.#lists = this.#roles.map(({ relation }) => candidateLists(relation, arcs, byHead));
    this.#path = new Int32Array(this.#roles.length + 1);
    this.#none = this.#roles.at(-1)?.sibling === "optional" ? 1 : 0;
    const isOfHead = this.#roles.every(({ relation, of }) => of > 0 || relation === "above");
    this.#firstStart = new Int32Array(isOfHead ? arcs.n + 1 : 0).fill(-1);
    this.#firstEnd = new Int32Array(this.#firstStart.length);
  }

  /** Writes the members of the owner's parts to `members` from `at` on; returns their end. O(parts). */
  write(owner: number, members: Int32Array, at: number): number {
    const head = this.#head[owner]!;
    const first = this.#firstStart[head];
    if (first === undefined || first < 0) return this.#list(owner, members, at, false);
    const end = this.#firstEnd[head]!;
    let place = at;
    for (let from = first; from < end; from++) members[place++] = members[from]!;
    return place;
  }

  /**
   * Compares `members` from `at` on with the members of the owner's parts. Returns their end, or ~index of
   * the first entry that differs. O(parts).
   */
  match(owner: number, members: Int32Array, at: number): number {
    const head = this.#head[owner]!;
    const first = this.#firstStart[head];
    if (first === undefined || first < 0) return this.#list(owner, members, at, true);
    const end = this.#firstEnd[head]!;
    let place = at;
    for (let from = first; from < end; from++, place++) {
      if (members[place] !== members[from]) return ~place;
    }
    return place;
  }

  #list(owner: number, members: Int32Array, at: number, isMatching: boolean): number {
    this.#members = members;
    this.#at = at;
    this.#path[0] = owner;
    if (this.#roles.length > 0 && !this.#extend(0, isMatching)) return ~this.#at;
    if (this.#firstStart.length > 0) {
      const head = this.#head[owner]!;
      this.#firstStart[head] = at;
      this.#firstEnd[head] = this.#at;
    }
    return this.#at;
  }

  /**
   * Lists the parts that begin with the path, whose next member is the k-th; false where one does not match.
   */
  #extend(k: number, isMatching: boolean): boolean {
    const left = this.#roles.length - k;
    if (left === 1) return isMatching ? this.#matchRun(k) : this.#writeRun(k);
    if (left === 2) return isMatching ? this.#matchRuns(k) : this.#writeRuns(k);
    const { source, from, end } = this.#lists[k]!;
    const arc = this.#path[this.#roles[k]!.of]!;
    for (let i = from[arc]!; i < end[arc]!; i++) {
      this.#path[k + 1] = source[i]!;
      if (!this.#extend(k + 1, isMatching)) return false;
    }
    return true;
  }

  /** Writes the parts of one member, the k-th. */
  #writeRun(k: number): true {
    const members = this.#members;
    const { source, from, end } = this.#lists[k]!;
    const arc = this.#path[this.#roles[k]!.of]!;
    const first = from[arc]!;
    const last = end[arc]!;
    let at = this.#at;
    if (this.#none > 0) members[at++] = -1;
    for (let i = first; i < last; i++) members[at++] = source[i]!;
    this.#at = at;
    return true;
  }

  /** Compares the parts of one member, the k-th. */
  #matchRun(k: number): boolean {
    const members = this.#members;
    const { source, from, end } = this.#lists[k]!;
    const arc = this.#path[this.#roles[k]!.of]!;
    const first = from[arc]!;
    const last = end[arc]!;
    let at = this.#at;
    if (this.#none > 0 && members[at++] !== -1) return this.#stopAt(at - 1);
    for (let i = first; i < last; i++, at++) if (members[at] !== source[i]) return this.#stopAt(at);
    this.#at = at;
    return true;
  }

  /** Writes the parts that begin with the path and end with two more members, the k-th and the last. */
  #writeRuns(k: number): true {
    const members = this.#members;
    const path = this.#path;
    const none = this.#none;
    const list = this.#lists[k]!;
    const { source, from, end } = this.#lists[k + 1]!;
    const arc = path[this.#roles[k]!.of]!;
    const { of } = this.#roles[k + 1]!;
    const limit = list.end[arc]!;
    let at = this.#at;
    for (let i = list.from[arc]!; i < limit; i++) {
      const member = list.source[i]!;
      path[k + 1] = member;
      const reference = path[of]!;
      const first = from[reference]!;
      const last = end[reference]!;
      for (let j = first - none; j < last; j++) {
        for (let p = 1; p <= k; p++) members[at++] = path[p]!;
        members[at++] = member;
        members[at++] = j < first ? -1 : source[j]!;
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
    const list = this.#lists[k]!;
    const { source, from, end } = this.#lists[k + 1]!;
    const arc = path[this.#roles[k]!.of]!;
    const { of } = this.#roles[k + 1]!;
    const limit = list.end[arc]!;
    let at = this.#at;
    for (let i = list.from[arc]!; i < limit; i++) {
      const member = list.source[i]!;
      path[k + 1] = member;
      const reference = path[of]!;
      const first = from[reference]!;
      const last = end[reference]!;
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
