import { innerSiblings, type MemberRole, PART_DESCRIPTORS, type PartKind } from "@arcwise/core";
import { type DirectionPattern, distanceBucket, PART_FEATURES } from "@arcwise/core/features";

/** A tree with the siblings next to each word. */
export interface Neighbourhood {
  readonly heads: Int32Array;
  /** The next modifier of the same head on the side of the head, and on the other; -1 = none. */
  readonly inner: Int32Array;
  readonly outer: Int32Array;
}

/** Finds the siblings next to each word. O(n). */
export function neighbourhood(heads: Int32Array): Neighbourhood {
  const inner = innerSiblings(heads);
  const outer = new Int32Array(heads.length).fill(-1);
  for (let m = 1; m < heads.length; m++) if (inner[m] >= 0) outer[inner[m]] = m;
  return { heads, inner, outer };
}

/** The indices of the words of the parts of one kind, from the tables of core. */
export interface PartWords {
  readonly kind: PartKind;
  /** Number of words. */
  readonly count: number;
  /** Index of the head, of the modifier, and of the word that each member adds. */
  readonly head: number;
  readonly modifier: number;
  readonly memberIndex: readonly number[];
  /** For each member, whether it adds the head of its arc and not the modifier. */
  readonly addsHead: readonly boolean[];
  /**
   * Index of the word that varies fastest in the layout of the table: the word of the last member, or the
   * modifier if the table has no members.
   */
  readonly varying: number;
  /** Index of the word whose distance from the modifier is a feature. */
  readonly distant: number;
  readonly directions: DirectionPattern;
  readonly members: readonly MemberRole[];
  readonly outermost: boolean;
  /** Whether an arc of a tree owns a part for each sibling, and not at most one. */
  readonly many: boolean;
}

/** Returns the indices of the words of a kind. */
export function partWords(kind: PartKind): PartWords {
  const { members, outermost = false } = PART_DESCRIPTORS[kind];
  const { words, members: added, distanceFrom, directions } = PART_FEATURES[kind];
  const memberIndex = added.map((word) => words.indexOf(word));
  const modifier = words.indexOf("m");
  return {
    kind,
    count: words.length,
    head: words.indexOf("h"),
    modifier,
    memberIndex,
    addsHead: members.map(({ relation }) => relation === "above" || relation === "before"),
    varying: memberIndex.at(-1) ?? modifier,
    distant: words.indexOf(distanceFrom),
    directions,
    members,
    outermost,
    many: members.some(({ sibling }) => sibling === "any"),
  };
}

/** Returns the bucket of the distance of a part's modifier from its sibling, or from its head. */
export function bucketOf({ head, modifier, distant }: PartWords, words: Int32Array, absent: number): number {
  const from = words[distant] === absent ? words[head] : words[distant];
  return distanceBucket(Math.abs(words[modifier] - from));
}

/**
 * Sets the words of the one part that m's arc owns in a tree; absent ones to n + 1. Returns false when the
 * arc owns none. Not for kinds with many parts an arc. O(members).
 *
 * @param arcs scratch memory: the modifiers of the part's arcs, which identify the arcs of a tree
 */
export function findPart(
  { members, head, modifier, memberIndex, outermost }: PartWords,
  m: number,
  { heads, inner, outer }: Neighbourhood,
  words: Int32Array,
  arcs: Int32Array,
): boolean {
  if (outermost && outer[m] >= 0) return false;
  words[head] = heads[m];
  words[modifier] = m;
  arcs[0] = m;
  for (let k = 0; k < members.length; k++) {
    const { relation, of, sibling } = members[k];
    const arc = arcs[of];
    const word = memberIndex[k];
    if (relation === "above" || relation === "before") {
      const next = relation === "above" ? heads[arc] : arc - 1;
      if (next === 0) return false;
      arcs[k + 1] = next;
      words[word] = heads[next];
    } else {
      const next = relation === "nearer" ? inner[arc] : outer[arc];
      if (next < 0 && sibling === "required") return false;
      arcs[k + 1] = next;
      words[word] = next < 0 ? heads.length : next;
    }
  }
  return true;
}

/** Returns the end of the run that begins at a part: the parts whose members are the same except the last. */
export function endOfRun(members: Int32Array, width: number, part: number, end: number): number {
  if (width < 2) return end;
  const first = part * width;
  let next = part + 1;
  for (; next < end; next++) {
    for (let k = 0; k < width - 1; k++) if (members[next * width + k] !== members[first + k]) return next;
  }
  return next;
}
