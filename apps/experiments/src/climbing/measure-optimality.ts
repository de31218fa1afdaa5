import { processorTime } from "@arcwise/bench/measures";
import { type ParsingProblem, scoreTree } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";

/** A scored sentence with its best score, and the best score of the first climbs. */
export interface ClimbedSentence {
  readonly words: number;
  /** Whether AD3 with branch and bound proved the best tree; the others are left out of shares. */
  readonly proved: boolean;
  readonly optimum: number;
  /** The best score after 1, 2, 3, ... climbs. */
  readonly scores: readonly number[];
}

/** Maximum processor time of branch and bound. */
const MILLISECONDS = 5000;
/** Relative tolerance of sums of the same scores in different orders. */
const ROUNDING = 1e-9;

/**
 * Finds the best tree of a problem, and climbs: first from the maximum arborescence, then from trees drawn by
 * arc scores.
 */
export function climbSentence(problem: ParsingProblem, climbs: number, seed: number): ClimbedSentence {
  const { score, bound } = ad3Decoder({ exact: { milliseconds: MILLISECONDS, now: processorTime } }).decode(
    problem,
  );
  let best = -Infinity;
  const scores = Array.from({ length: climbs }, (_, k) => {
    const start = k === 0 ? "mst" : "scores";
    const { heads } = hillclimbDecoder({ start, restarts: 1, seed: seed + k }).decode(problem);
    best = Math.max(best, scoreTree(problem, heads));
    return best;
  });
  const proved = bound - score <= ROUNDING * (1 + Math.abs(score));
  return { words: problem.arcs.n, proved, optimum: score, scores };
}

/** Share of sentences, in percent, of some lengths whose best tree some climbs found. */
export interface OptimalShare {
  /** Length of the shortest and of the longest sentences. */
  readonly from: number;
  readonly to: number;
  readonly sentences: number;
  /** By number of climbs, in the order given. */
  readonly optimal: readonly number[];
}

/** Returns shares by length. */
export function optimalShares(
  sentences: readonly ClimbedSentence[],
  lengths: readonly (readonly [from: number, to: number])[],
  climbs: readonly number[],
): OptimalShare[] {
  return lengths.map(([from, to]) => {
    const own = sentences.filter(({ words, proved }) => proved && words >= from && words <= to);
    const optimal = climbs.map((count) => {
      const found = own.filter(({ scores, optimum }) => {
        const score = scores[count - 1];
        if (score === undefined)
          throw new RangeError(`expected at least ${count} climbs, got ${scores.length}`);
        return score >= optimum - ROUNDING * (1 + Math.abs(optimum));
      });
      return (100 * found.length) / Math.max(1, own.length);
    });
    return { from, to, sentences: own.length, optimal };
  });
}
