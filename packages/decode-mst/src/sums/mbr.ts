import {
  type Arcs,
  arcIndex,
  type Decoder,
  type Decoding,
  NoTree,
  type ParsingProblem,
  type PartKind,
  requireHandled,
  scoreTree,
  validateProblem,
} from "@arcwise/core";
import { mstDecoder } from "../arborescence/mst-decoder.ts";
import { eisnerDecoder } from "../projective/eisner-decoder.ts";
import { createInsideOutside } from "./inside-outside.ts";
import { createMatrixTree, type TreeSumsOptions } from "./matrix-tree.ts";

export interface MbrOptions extends TreeSumsOptions {
  /** Sum and search over projective trees only. Default: false. */
  readonly projective?: boolean;
}

export interface MbrDecoding extends Decoding {
  /** For each word the probability that its head is right, by the model: n + 1 entries, the first one 0. */
  readonly confidence: Float64Array;
  /** The expected number of right heads, the sum of `confidence`: no tree has a higher one. */
  readonly expectedCorrect: number;
  readonly logPartition: number;
}

/** A decoder that also says how sure it is of each arc. */
export interface MbrDecoder extends Decoder {
  decode(problem: ParsingProblem): MbrDecoding;
}

/**
 * Minimum-Bayes-risk decoding (Goodman 1996; Smith and Smith 2007): the tree with the highest expected number
 * of right heads, when trees have probability proportional to exp(score). It is the best tree when the
 * marginal probabilities are the scores. `score` is by the problem's own scores, and may be below that of the
 * best tree; `bound` is the log-partition, which no tree's score exceeds.
 *
 * Takes arc scores alone. O(n³). The decoder throws UnsupportedPart when the problem has part tables or a
 * global scorer, NoTree when the arcs that are not pruned contain no tree, RangeError when a score is NaN or
 * +Infinity or arrays do not fit each other.
 */
export function mbrDecoder(options: MbrOptions = {}): MbrDecoder {
  const name = options.projective ? "mbr-projective" : "mbr";
  const handles: ReadonlySet<PartKind> = new Set();
  const sums = options.projective ? createInsideOutside(options) : createMatrixTree(options);
  const search = options.projective ? eisnerDecoder(options) : mstDecoder(options);

  function decode(problem: ParsingProblem): MbrDecoding {
    requireHandled(problem, name, handles);
    validateProblem(problem);
    const { arcs, arcScores } = problem;
    const marginals = new Float64Array(arcScores.length);
    const logPartition = sum(arcs, arcScores, marginals);
    // A pruned arc must not come back at probability 0.
    const gains = marginals.map((p, a) => (arcScores[a] === -Infinity ? -Infinity : p));
    const { heads, score: expectedCorrect } = search.decode({ arcs, arcScores: gains, parts: [] });
    const score = scoreTree(problem, heads);
    const bound = Math.max(score, logPartition + ROUNDING * (1 + Math.abs(logPartition)));
    return {
      heads,
      score,
      bound,
      confidence: arcConfidence(arcs, marginals, heads),
      expectedCorrect,
      logPartition,
    };
  }

  function sum(arcs: Arcs, arcScores: Float64Array, marginals: Float64Array): number {
    try {
      return sums.marginals(arcs, arcScores, marginals);
    } catch (error) {
      throw error instanceof NoTree
        ? new NoTree(name, `the ${arcs.head.length} arcs over ${arcs.n} words contain none`)
        : error;
    }
  }

  return { name, handles, decode };
}

/** The log-partition's own error must not push it below the best score. */
const ROUNDING = 1e-10;

/**
 * The marginal probability of each word's head: n + 1 entries, the first one 0. An arc that is no candidate
 * has probability 0. O(n log n).
 *
 * @throws RangeError when `heads` does not have n + 1 entries
 */
export function arcConfidence(arcs: Arcs, marginals: Float64Array, heads: Int32Array): Float64Array {
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const confidence = new Float64Array(n + 1);
  for (let m = 1; m <= n; m++) {
    const arc = arcIndex(arcs, heads[m]!, m);
    if (arc >= 0) confidence[m] = marginals[arc]!;
  }
  return confidence;
}
