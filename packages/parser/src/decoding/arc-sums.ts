import {
  type Decoder,
  hasCapability,
  type ParsingProblem,
  ProblemScorer,
  type TreeMarginals,
} from "@arcwise/core";
import { createInsideOutside, createMatrixTree } from "@arcwise/decode-mst";
import type { ProbabilityMethod } from "../types.ts";

/** Sums over the trees of a problem, at any temperature. */
export interface ArcSums {
  readonly method: ProbabilityMethod;
  /**
   * Returns the probabilities of the candidate arcs, and the log-partition.
   *
   * @param temperature the divisor of all scores
   */
  at(temperature: number): Pick<TreeMarginals, "logPartition" | "arcs">;
}

/**
 * Prepares the probabilities of candidate arcs. "exact": the sums over all trees of the decoder, by the
 * decoder, or for a problem of arcs alone by the matrix-tree theorem or inside-outside. "arcs" for a decoder
 * that does not sum over trees with parts: the sums of a model of arcs, in which the score of each arc has the
 * parts that it is in when all other words keep their heads in the tree; global scores are left out.
 *
 * Cost: as the decoder's, or O(n³); for "arcs" also O(candidates · n) per kind of parts.
 *
 * @param arcScores scores of the arcs in the sums
 * @param heads the tree
 */
export function arcSums(
  decoder: Decoder,
  problem: ParsingProblem,
  arcScores: Float64Array,
  heads: Int32Array,
): ArcSums {
  if (hasCapability(decoder, "marginals")) {
    const whole = { ...problem, arcScores };
    return { method: "exact", at: (temperature) => decoder.marginals(divided(whole, temperature)) };
  }
  const isExact = problem.parts.length === 0 && problem.global === undefined;
  const scores = isExact ? arcScores : scoresBeside(problem, arcScores, heads);
  const { singleRoot } = decoder;
  const sums =
    decoder.trees === "projective" ? createInsideOutside({ singleRoot }) : createMatrixTree({ singleRoot });
  return {
    method: isExact ? "exact" : "arcs",
    at(temperature) {
      const arcs = new Float64Array(scores.length);
      return { logPartition: sums.marginals(problem.arcs, quotients(scores, temperature), arcs), arcs };
    },
  };
}

/**
 * Returns scores of arcs with parts: to the score of each arc is added by how much it changes the parts of a tree
 * when it replaces the arc of its word. O(candidates · n) per kind of parts.
 */
export function scoresBeside(
  { arcs, parts }: ParsingProblem,
  arcScores: Float64Array,
  heads: Int32Array,
): Float64Array {
  const scorer = new ProblemScorer();
  const partsAlone: ParsingProblem = { arcs, arcScores: new Float64Array(arcScores.length), parts };
  const whole = scorer.score(partsAlone, heads);
  const changed = heads.slice();
  const scores = arcScores.slice();
  for (let a = 0; a < scores.length; a++) {
    const m = arcs.modifier[a];
    if (arcs.head[a] === heads[m]) continue;
    changed[m] = arcs.head[a];
    scores[a] += scorer.score(partsAlone, changed) - whole;
    changed[m] = heads[m];
  }
  return scores;
}

function divided(problem: ParsingProblem, temperature: number): ParsingProblem {
  if (temperature === 1) return problem;
  const parts = problem.parts.map((table) => ({ ...table, scores: quotients(table.scores, temperature) }));
  return { ...problem, arcScores: quotients(problem.arcScores, temperature), parts };
}

function quotients(scores: Float64Array, divisor: number): Float64Array {
  return divisor === 1 ? scores : scores.map((score) => score / divisor);
}
