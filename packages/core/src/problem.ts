/**
 * The seam between scoring and decoding: flat typed arrays whose layout is written down here and nowhere
 * else. Position 0 is the artificial root, words are 1..n, `heads[0] === -1`. A score is finite, or `-Infinity`:
 * pruned. A sentence without words has one tree, `[-1]`, of score 0. `validateProblem` checks all of it.
 */

/** Candidate arcs of a sentence of n words, grouped by modifier. */
export interface Arcs {
  readonly n: number;
  /** n + 2 entries; the arcs of modifier m are `start[m] .. start[m + 1] - 1`. `start[0] === start[1] === 0`. */
  readonly start: Int32Array;
  /** Head of each arc, ascending within a modifier. */
  readonly head: Int32Array;
  /** Modifier of each arc. */
  readonly modifier: Int32Array;
}

/**
 * The kinds of parts beyond single arcs. A part is owned by its outermost arc h -> m and names the other
 * arcs, its members, by index (-1: none). Kinds live in core because a kind changes what a score means.
 *
 * | kind | members, in order | the part is on when |
 * |---|---|---|
 * | `grandparent` | g -> h | both arcs are in the tree |
 * | `nextSibling` | h -> s, or -1 | s is the modifier of h next to m on the side of h; -1: m is the innermost |
 * | `lastSibling` | none | m is the outermost modifier of h on its side |
 * | `sibling` | h -> s | s and m are modifiers of h on one side, s nearer |
 * | `grandSibling` | g -> h, h -> s or -1 | the `nextSibling` part is on and g is the head of h |
 * | `triSibling` | h -> s, h -> t (or -1) | s is next to m, t next to s (or s the innermost), all on one side |
 * | `headBigram` | g -> m - 1 | both arcs are in the tree (g is the head of the word before m) |
 */
export type PartKind =
  | "grandparent"
  | "nextSibling"
  | "lastSibling"
  | "sibling"
  | "grandSibling"
  | "triSibling"
  | "headBigram";

/** How many member arcs a part of each kind names besides its owner. */
export const MEMBERS: Readonly<Record<PartKind, number>> = {
  grandparent: 1,
  nextSibling: 1,
  lastSibling: 0,
  sibling: 1,
  grandSibling: 2,
  triSibling: 2,
  headBigram: 1,
};

/** All part kinds, in the order of the table above. */
export const PART_KINDS = Object.keys(MEMBERS) as readonly PartKind[];

/**
 * All scored parts of one kind, as columns. A table is complete: an owner has a part for every combination of
 * members that the candidate arcs allow, in a fixed order, so that the score of a given part is found by
 * arithmetic. Let rank(a) be the number of candidate arcs of the same head, on the same side, whose modifiers
 * are nearer to the head than a's, and slot(g -> h) the position of g -> h among the candidate arcs of h.
 * Relative to `start[owner]`, with r = rank(owner), the part is at
 *
 * | kind | parts of an owner | position |
 * |---|---|---|
 * | `grandparent` | candidates of h | slot(g -> h) |
 * | `nextSibling` | r + 1 | 0 for none, else 1 + rank(h -> s) |
 * | `lastSibling` | 1 | 0 |
 * | `sibling` | r | rank(h -> s) |
 * | `grandSibling` | candidates of h, times r + 1 | slot(g -> h) (r + 1) + (0, or 1 + rank(h -> s)) |
 * | `triSibling` | r (r + 1) / 2 | k (k + 1) / 2 + (0, or 1 + rank(h -> t)), k = rank(h -> s) |
 * | `headBigram` | candidates of m - 1 | slot(g -> m - 1) |
 *
 * Parts that no tree can contain (g = m, say) have their place all the same, and their scores do not matter.
 * `partLayout` builds the arrays.
 */
export interface PartTable {
  readonly kind: PartKind;
  /** arcs + 1 entries; the parts owned by arc a are `start[a] .. start[a + 1] - 1`. */
  readonly start: Int32Array;
  /** `MEMBERS[kind]` arc indices a part, -1 = none. */
  readonly members: Int32Array;
  /** One score a part. */
  readonly scores: Float64Array;
}

/** An arbitrary score of a whole tree. Few decoders take it. */
export interface TreeScorer {
  readonly name: string;
  score(heads: Int32Array): number;
}

/** What a decoder is given: candidate arcs with scores, and parts. */
export interface ParsingProblem {
  readonly arcs: Arcs;
  /** One score an arc; `-Infinity` = pruned. */
  readonly arcScores: Float64Array;
  /** At most one table a kind. */
  readonly parts: readonly PartTable[];
  readonly global?: TreeScorer;
}

/** What a decoder answers: `score <= optimum <= bound`. */
export interface Decoding {
  /** n + 1 heads; `heads[0] === -1`. Never aliases memory of the decoder. */
  readonly heads: Int32Array;
  /** `scoreTree(problem, heads)`. */
  readonly score: number;
  /** An upper bound of the best score. Equal to `score`: a certificate of optimality; `Infinity`: no claim. */
  readonly bound: number;
}

/** Finds a tree of high score. */
export interface Decoder {
  readonly name: string;
  /** The kinds of parts that it scores. */
  readonly handles: ReadonlySet<PartKind>;
  /**
   * @throws UnsupportedPart when the problem has parts (or a global scorer) that the decoder cannot score
   * @throws NoTree when the arcs that are not pruned contain no tree
   * @throws RangeError when a score is NaN or +Infinity, or the arrays do not fit each other
   */
  decode(problem: ParsingProblem): Decoding;
}
