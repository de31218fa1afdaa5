import { innerSiblings } from "@arcwise/core";
import { distanceBucket, type FeaturedKind } from "@arcwise/core/features";

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
  for (let m = 1; m < heads.length; m++) if (inner[m]! >= 0) outer[inner[m]!] = m;
  return { heads, inner, outer };
}

/**
 * Where the words of a kind come from, in the order of `PART_WORDS`: 0 = h, 1 = m, 2, 3 and 4 = the word that
 * the first, second and third member adds.
 */
export const ORDER: Readonly<Record<FeaturedKind, readonly number[]>> = {
  grandparent: [2, 0, 1],
  nextSibling: [0, 2, 1],
  lastSibling: [0, 1],
  sibling: [0, 2, 1],
  grandSibling: [2, 0, 3, 1],
  triSibling: [0, 3, 2, 1],
  headBigram: [2, 0, 1],
  greatGrandparent: [3, 2, 0, 1],
  grandparentSibling: [3, 4, 2, 0, 1],
  outerSiblingGrandchild: [2, 3, 0, 1],
  innerSiblingGrandchild: [2, 3, 0, 1],
};

/**
 * Which word varies fastest in the layout of the table, that of the last member: all others stay fixed
 * meanwhile.
 */
export const VARYING: Readonly<Record<FeaturedKind, number>> = {
  grandparent: 0,
  nextSibling: 1,
  lastSibling: 1,
  sibling: 1,
  grandSibling: 2,
  triSibling: 1,
  headBigram: 0,
  greatGrandparent: 0,
  grandparentSibling: 1,
  outerSiblingGrandchild: 1,
  innerSiblingGrandchild: 1,
};

/** The kinds whose last member adds its head to the words, not its modifier. */
export const LAST_IS_HEAD: ReadonlySet<FeaturedKind> = new Set([
  "grandparent",
  "headBigram",
  "greatGrandparent",
]);

/** Number of the pattern of directions of a part's words in the order of `PART_WORDS`. */
export function directionsOf(kind: FeaturedKind, words: Int32Array): number {
  switch (kind) {
    case "grandparent":
      return orderOf(words[0]!, words[1]!, words[2]!);
    case "grandSibling":
      return orderOf(words[0]!, words[1]!, words[3]!);
    case "headBigram": {
      const [g, h, m] = words as unknown as [number, number, number];
      if (g === m) return h < m ? 8 : 9;
      if (h === m - 1) return g < h ? 10 : 11;
      return (g < m - 1 ? 1 : 0) + (h < m ? 2 : 0) + (g === h ? 4 : 0);
    }
    case "lastSibling":
      return words[0]! < words[1]! ? 1 : 0;
    case "nextSibling":
    case "sibling":
      return words[0]! < words[2]! ? 1 : 0;
    case "triSibling":
      return words[0]! < words[3]! ? 1 : 0;
    case "greatGrandparent":
      return chain(words[0]!, words[1]!, words[2]!, words[3]!);
    case "grandparentSibling":
      return chain(words[0]!, words[2]!, words[3]!, words[4]!);
    case "outerSiblingGrandchild":
    case "innerSiblingGrandchild":
      return (words[0]! < words[2]! ? 1 : 0) + (words[2]! < words[3]! ? 2 : 0);
  }
}

/** The order of three words. A tree in which g stands between h and m has an arc that crosses h -> m. */
function orderOf(g: number, h: number, m: number): number {
  return (g < h ? 1 : 0) + (h < m ? 2 : 0) + (g < m ? 4 : 0);
}

/** Directions of the arcs f -> g, g -> h, h -> m. */
function chain(f: number, g: number, h: number, m: number): number {
  return (f < g ? 1 : 0) + (g < h ? 2 : 0) + (h < m ? 4 : 0);
}

/** The distance that a part's features are joined with: between siblings, else between head and modifier. */
export function bucketOf(kind: FeaturedKind, words: Int32Array, absent: number): number {
  switch (kind) {
    case "lastSibling":
      return distanceBucket(Math.abs(words[0]! - words[1]!));
    case "grandparent":
    case "headBigram":
      return distanceBucket(Math.abs(words[1]! - words[2]!));
    case "grandSibling":
      return distanceBucket(Math.abs(words[1]! - words[3]!));
    case "nextSibling":
    case "sibling":
      return distanceBucket(Math.abs(words[2]! - (words[1] === absent ? words[0]! : words[1]!)));
    case "triSibling":
    case "greatGrandparent":
    case "outerSiblingGrandchild":
    case "innerSiblingGrandchild":
      return distanceBucket(Math.abs(words[3]! - words[2]!));
    case "grandparentSibling":
      return distanceBucket(Math.abs(words[4]! - words[3]!));
  }
}

/** The end of the run that begins at a part: the parts whose members are the same but for the last. */
export function endOfRun(members: Int32Array, width: number, part: number, end: number): number {
  if (width < 2) return end;
  const first = part * width;
  let next = part + 1;
  for (; next < end; next++) {
    for (let k = 0; k < width - 1; k++) if (members[next * width + k] !== members[first + k]) return next;
  }
  return next;
}
