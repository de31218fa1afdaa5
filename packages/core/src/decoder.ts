import type { PartKind } from "./parts/kinds.ts";
import type { ParsingProblem } from "./problem.ts";
import type { Random } from "./random.ts";
import type { StepListener } from "./steps.ts";

/** The result of a decoder: `score <= optimum <= bound`. */
export interface Decoding {
  /** n + 1 heads; `heads[0] === -1`. Never aliases memory of the decoder. */
  readonly heads: Int32Array;
  /** `scoreTree(problem, heads)`. */
  readonly score: number;
  /**
   * An upper bound of the best score. Equal to `score`, it certifies that the tree is optimal; `Infinity`
   * claims nothing.
   */
  readonly bound: number;
}

/** A kind of part, or a score of the whole tree. */
export type Scored = PartKind | "global";

/**
 * Finds a tree of high score. Its members describe which trees it chooses from, what it scores and what else
 * it can do. Code that needs more than a tree asks for a capability (`requireCapability`), never for a name.
 */
export interface Decoder extends Partial<DecoderCapabilities> {
  readonly name: string;
  /** The trees that it chooses from: all, or projective ones. */
  readonly trees: "any" | "projective";
  /** Whether every tree has exactly one root word. */
  readonly singleRoot: boolean;
  /** The kinds of parts that it scores besides arcs, and `"global"` when it takes scores of whole trees. */
  readonly handles: ReadonlySet<Scored>;
  /**
   * @throws UnsupportedPart when the problem has parts (or a global scorer) that the decoder cannot score
   * @throws NoTree when the arcs that are not pruned contain no tree without a part of score -Infinity
   * @throws RangeError when a score is NaN or +Infinity, or the arrays do not fit each other
   */
  decode(problem: ParsingProblem): Decoding;
}

/**
 * Optional methods of decoders. Each accepts every problem that `decode` accepts, is about the same trees,
 * and throws the same errors.
 *
 * Which arcs a tree may contain needs no capability: fewer candidates, or arcs pruned by -Infinity, restrict
 * every decoder. `decodeConstrained` is for constraints that candidates cannot express.
 */
export interface DecoderCapabilities {
  /**
   * Ranks all trees, best first, without duplicates; each is computed when it is requested. Yields nothing
   * if there is no tree. While the iterator is in use, the problem must not change, and the decoder must
   * not be used for another problem.
   */
  kBest(problem: ParsingProblem): IterableIterator<RankedTree>;
  /** Sums over all trees, each weighed by exp(score). */
  marginals(problem: ParsingProblem): TreeMarginals;
  /**
   * Draws trees without end, each independently with probability proportional to exp(score): n + 1 heads
   * each, which belong to the caller. Like `kBest`, it occupies the decoder while the iterator is in use.
   */
  sample(problem: ParsingProblem, stream: Random): IterableIterator<Int32Array>;
  /**
   * Finds the tree with the highest expected number of right heads when trees have probability proportional
   * to exp(score): minimum Bayes risk (Goodman 1996).
   */
  minimumBayesRisk(problem: ParsingProblem): RiskDecoding;
  /**
   * Decodes among the trees that meet logical constraints.
   *
   * @throws NoTree when no tree meets them (a decoder that is not exact: when it finds none)
   * @throws RangeError when a constraint names no arc of the sentence, or has an unknown rule
   */
  decodeConstrained(problem: ParsingProblem, constraints: Iterable<TreeConstraint>): Decoding;
  /** `decode`, with status and counts of the work done. */
  decodeWithReport(problem: ParsingProblem): ReportedDecoding;
  /** `decodeWithReport`, with the solution of the relaxation that the tree comes from. */
  decodeRelaxed(problem: ParsingProblem): RelaxedDecoding;
  /**
   * `decode`, with its steps: the last one is a `tree`, the result. Steps cost time and memory; `decode` does not
   * make any.
   */
  decodeWithSteps(problem: ParsingProblem, onStep: StepListener): Decoding;
}

/** A tree of a ranking, with its score. */
export interface RankedTree {
  /** n + 1 heads; `heads[0] === -1`. Belongs to the caller. */
  readonly heads: Int32Array;
  /** `scoreTree(problem, heads)`. */
  readonly score: number;
}

/** The distribution over the trees of a problem in proportion to exp(score). */
export interface TreeMarginals {
  /** Logarithm of the sum over all trees of exp(score). */
  readonly logPartition: number;
  /** Probability of each candidate arc; the arcs of a word sum to 1. */
  readonly arcs: Float64Array;
  /** For each table of the problem, in order: the probability that each of its parts is on. */
  readonly parts: readonly Float64Array[];
}

/** The tree of minimum Bayes risk. Its `score` may be below the best; `bound` is at least the best score. */
export interface RiskDecoding extends Decoding {
  /** For each word, the probability that its head is right: n + 1 entries, the first one 0. */
  readonly confidence: Float64Array;
  /** The expected number of right heads, the sum of `confidence`: no tree has a higher one. */
  readonly expectedCorrect: number;
  readonly logPartition: number;
}

/**
 * Status of a decoding. `optimal`: the bound equals the score and proves that no tree is better.
 * `fractional`: a relaxation is solved, and its solution is not a tree. `unsolved`: nothing is proved.
 */
export type DecodingStatus = "optimal" | "fractional" | "unsolved";

/** A tree, with its status and the work that it took. */
export interface ReportedDecoding extends Decoding {
  readonly status: DecodingStatus;
  /** Amounts of work by unit, in lower case: `iterations`, `nodes`, `climbs`. */
  readonly counts: Readonly<Record<string, number>>;
}

/** A tree and the solution of a linear relaxation that it was rounded from. */
export interface RelaxedDecoding extends ReportedDecoding {
  /**
   * For each candidate arc its value in the solution, from 0 to 1; 0 or 1 as in the tree where that is
   * optimal.
   */
  readonly posteriors: Float64Array;
  /** The values of the parts: one array for each table of the problem, in its layout. */
  readonly partPosteriors: readonly Float64Array[];
}

/** An arc by its head (0..n) and its modifier (1..n). */
export type ArcPair = readonly [head: number, modifier: number];

/**
 * A constraint on trees. A tree never contains an arc that is pruned or not a candidate.
 *
 * - `atMostOne`, `exactlyOne`, `atLeastOne` of some arcs is in the tree
 * - `implies`: if all premises are in the tree, the conclusion is
 * - `uncrossed`: if the arc is in the tree, no arc of the tree crosses it
 */
export type TreeConstraint =
  | { readonly rule: "atMostOne" | "exactlyOne" | "atLeastOne"; readonly arcs: readonly ArcPair[] }
  | { readonly rule: "implies"; readonly premises: readonly ArcPair[]; readonly conclusion: ArcPair }
  | { readonly rule: "uncrossed"; readonly arc: ArcPair };
