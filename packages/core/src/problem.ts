import type { PartKind } from "./parts/kinds.ts";

/**
 * The interface between scoring and decoding: flat typed arrays, whose layout is specified here only.
 * Position 0 is the artificial root, words are 1..n, `heads[0] === -1`. A score is finite, or `-Infinity`:
 * pruned. A sentence without words has one tree, `[-1]`, of score 0. `validateProblem` checks all of it.
 */

/** Candidate arcs of a sentence of n words, grouped by modifier. */
export interface Arcs {
  readonly n: number;
  /**
   * n + 2 entries; the arcs of modifier m are `start[m] .. start[m + 1] - 1`. `start[0] === start[1] === 0`.
   */
  readonly start: Int32Array;
  /** Head of each arc, ascending within a modifier. */
  readonly head: Int32Array;
  /** Modifier of each arc. */
  readonly modifier: Int32Array;
}

/**
 * All scored parts of one kind, as columns. A table is complete: an owner has a part for every combination of
 * members that the candidate arcs allow, in a fixed order, so that the score of a given part is found by
 * arithmetic. Let rank(a) be the number of candidate arcs of the same head, on the same side, whose modifiers
 * are nearer to the head than a's, beyond(a) the number of those farther away, and slot(g -> h) the position
 * of g -> h among the candidate arcs of h. Relative to `start[owner]`, with r = rank(owner), the part is at
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
 * The others come in blocks, one for each candidate g -> h of h in their order; sizes differ, so that where a
 * block begins is a sum over the candidates before it:
 *
 * | kind | parts in the block of g -> h | position in it |
 * |---|---|---|
 * | `greatGrandparent` | candidates of g | slot(f -> g) |
 * | `grandparentSibling` | for each candidate f -> g, rank(f -> g) + 1 | 0 for none, else 1 + rank(f -> u) |
 * | `outerSiblingGrandchild` | rank(g -> h) + 1 | 0 for none, else 1 + rank(g -> s) |
 * | `innerSiblingGrandchild` | beyond(g -> h) + 1 | 0 for none, else rank(g -> s) - rank(g -> h) |
 *
 * `PartPositions` computes all of these. A part of score `-Infinity` must not be on: a tree in which it is
 * scores `-Infinity`, like one with a pruned arc, and no decoder returns it. Where every tree has such a
 * part, `NoTree` is thrown. A decoder that is a search throws it too where it finds no other tree.
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
  /** Returns the score of a tree: finite, or `-Infinity` for a forbidden tree. */
  score(heads: Int32Array): number;
  /**
   * Makes a scorer for a search that changes one head at a time. Without it, `score` is called for every tree
   * of the search.
   */
  incremental?(): IncrementalTreeScore;
}

/** Scores of a tree that changes by one head at a time. It has its own copy of the tree. */
export interface IncrementalTreeScore {
  /** Starts from a tree, and returns its score. */
  reset(heads: Int32Array): number;
  /**
   * Writes, for each of the first `count` candidates, the change of the score when word m gets that head:
   * `out[k] = score(heads with heads[m] = candidates[k]) - score(heads)`. All these heads form trees.
   */
  deltas(m: number, candidates: Int32Array, count: number, out: Float64Array): void;
  /** Changes the head of word m to `head`. */
  move(m: number, head: number): void;
}

/** The input of a decoder: candidate arcs with scores, and parts. */
export interface ParsingProblem {
  readonly arcs: Arcs;
  /** One score an arc; `-Infinity` = pruned. */
  readonly arcScores: Float64Array;
  /** At most one table a kind. */
  readonly parts: readonly PartTable[];
  readonly global?: TreeScorer | undefined;
}
