import type { Arcs } from "../problem.ts";

/**
 * The interface between scoring and decoding of dependency graphs: flat typed arrays, whose layout is
 * specified here only. Words are 1..n; the root 0 is a predicate that is always on. A score is finite, or
 * `-Infinity`: pruned.
 *
 * A graph chooses predicates, arcs and labels: an arc h -> m that is on has exactly one label and needs the
 * predicate h; a predicate may be on without an arc. `validateGraphProblem` checks the arrays.
 */
export interface GraphProblem {
  /** Candidate arcs, grouped by modifier. A word may get several of them, or none. */
  readonly arcs: Arcs;
  /** One score an arc, earned once whatever its label. */
  readonly arcScores: Float64Array;
  /** n + 1 entries: the score of each word as a predicate; entry 0 is 0. `-Infinity`: never a predicate. */
  readonly predicateScores: Float64Array;
  readonly labels: ArcLabels;
  /** `labels.count` entries: 1 where a predicate has at most one arc of the label, else 0. */
  readonly unique: Uint8Array;
  /** At most one table a kind. */
  readonly parts: readonly GraphPartTable[];
  /** Constraints on the graph. Default: none. */
  readonly constraints?: GraphConstraints | undefined;
}

/** The candidate labels of the arcs, as columns: the labelled arcs of the problem. */
export interface ArcLabels {
  /** Number of different labels. */
  readonly count: number;
  /** arcs + 1 entries; the labelled arcs of arc a are `start[a] .. start[a + 1] - 1`. */
  readonly start: Int32Array;
  /** Label of each labelled arc, ascending within an arc. */
  readonly label: Int32Array;
  /** One score a labelled arc; `-Infinity` = pruned. */
  readonly scores: Float64Array;
}

/**
 * The kinds of parts of graphs.
 *
 * | kind | members | the part is on when |
 * |---|---|---|
 * | `grandparent` | p -> q, q -> m | both are on |
 * | `sibling` | p -> s, p -> m, s < m | both are on |
 * | `coparent` | p -> m, q -> m, p < q | both are on |
 * | `nextSibling` | p -> m and p -> s, or one of them | s is the modifier of p next to m, on the side of p |
 * | `nextCoparent` | p -> m and q -> m, or one of them | q is the head of m next to p, on the side of m |
 *
 * The first three are pairs (`PairTable`), the last two chains (`ChainTable`).
 */
export type GraphPartKind = PairKind | ChainKind;
/** A kind of parts over any two edges that share a node. */
export type PairKind = "grandparent" | "sibling" | "coparent";
/** A kind of parts over consecutive edges of a node, in the order of the sentence. */
export type ChainKind = "nextSibling" | "nextCoparent";
/** The scored parts of a kind. */
export type GraphPartTable = PairTable | ChainTable;

/** The kinds of parts over pairs of edges. */
export const PAIR_KINDS: readonly PairKind[] = ["grandparent", "sibling", "coparent"];
/** The kinds of parts over consecutive edges. */
export const CHAIN_KINDS: readonly ChainKind[] = ["nextSibling", "nextCoparent"];
/** All kinds, in the order of the table above. */
export const GRAPH_PART_KINDS: readonly GraphPartKind[] = [...PAIR_KINDS, ...CHAIN_KINDS];

/** Scored pairs of arcs of one kind: any pairs, each once. */
export interface PairTable {
  readonly kind: PairKind;
  /** The two arcs of each pair, in the order of the table of kinds; ascending by first, then second. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** One score a pair, finite: a pair has no `-Infinity`. */
  readonly scores: Float64Array;
}

/**
 * Scores of neighbouring arcs in a chain. A chain is the arcs of a head on one side (`nextSibling`), or of a
 * modifier on one side (`nextCoparent`), nearest first; `rank` is an arc's index in its chain
 * (`graphChains`). The chain of those that are on scores a part for its first arc, one for each two
 * neighbours, and one for its last arc. A chain whose arcs are all off scores one part, or 0.
 *
 * An arc of rank r owns r + 2 parts, at `start[arc] + k`:
 *
 * | k | the part is on when the arc is on and |
 * |---|---|
 * | 0 | it is the first of its chain that is on |
 * | 1 + j, j < r | the arc of rank j is on, and no arc between them |
 * | r + 1 | it is the last of its chain that is on |
 *
 * The parts of empty chains follow, or are left out: chain c, of the 2 (n + 1) chains of `graphChains`, owns
 * the part `start[arcs] + c`.
 */
export interface ChainTable {
  readonly kind: ChainKind;
  /** arcs + 1 entries. */
  readonly start: Int32Array;
  /** One score a part, finite: `start[arcs]` entries, or 2 (n + 1) more. */
  readonly scores: Float64Array;
}

/** Constraints on a graph. Each is false by default. */
export interface GraphConstraints {
  /** Every word has at least one head. */
  readonly headed?: boolean | undefined;
  /** No word is reached from itself. */
  readonly acyclic?: boolean | undefined;
  /** The words that have arcs form one component, whatever the directions; the root is not one of them. */
  readonly connected?: boolean | undefined;
  /** The arcs that are on contain a tree over all words and the root. */
  readonly spanningTree?: boolean | undefined;
}

/** A graph over the candidates of a problem. */
export interface GraphChoice {
  /** n + 1 entries: 1 where the word is a predicate; entry 0 is 1. */
  readonly predicates: Uint8Array;
  /**
   * One entry an arc: the index of its labelled arc in the columns of `ArcLabels`, or -1 where the arc is
   * off.
   */
  readonly labelled: Int32Array;
}

/** The parts and constraints that a decoder of graphs may handle in addition to predicates, arcs and labels. */
export type GraphHandled = GraphPartKind | "unique" | keyof GraphConstraints;
