import type { GraphProblem } from "@arcwise/core";
import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";

/** The largest score is brought to at least this and less than twice as much. */
const UNIT_BITS = 3;

/** A graph problem whose scores are scaled to fit step sizes and tolerances. */
export interface ScaledGraph {
  readonly problem: GraphProblem;
  /** Factor by which scores were multiplied: a power of two. */
  readonly factor: number;
  /** The sum of the absolute scores: no graph scores less than its negative. */
  readonly total: number;
}

/**
 * Multiplies all scores by a power of two, so that the largest is between 4 and 8. O(labelled arcs + parts).
 */
export function scaledGraph(problem: GraphProblem): ScaledGraph {
  let largest = 0;
  let sum = 0;
  const look = (scores: Float64Array): void => {
    for (let i = 0; i < scores.length; i++) {
      const size = Math.abs(scores[i]);
      if (size === Infinity) continue;
      sum += size;
      if (size > largest) largest = size;
    }
  };
  look(problem.arcScores);
  look(problem.predicateScores);
  look(problem.labels.scores);
  for (const table of problem.parts) look(table.scores);
  // Subnormal numbers and those near the end of the range are scaled in two steps.
  const exponent = largest === 0 ? 0 : UNIT_BITS - bitsFor(largest);
  const factor = powerOfTwo(Math.max(-1000, Math.min(1000, exponent)));
  const scaled = (scores: Float64Array): Float64Array => {
    const result = new Float64Array(scores.length);
    for (let i = 0; i < result.length; i++) result[i] = factor * scores[i];
    return result;
  };
  return {
    problem: {
      ...problem,
      arcScores: scaled(problem.arcScores),
      predicateScores: scaled(problem.predicateScores),
      labels: { ...problem.labels, scores: scaled(problem.labels.scores) },
      parts: problem.parts.map((table) => ({ ...table, scores: scaled(table.scores) })),
    },
    factor,
    total: factor * sum,
  };
}

/**
 * Returns the same problem with the best label of each arc at 0 and its former score added to the arc.
 * O(labelled arcs).
 */
export function withLabelsBelow(problem: GraphProblem): GraphProblem {
  const { start } = problem.labels;
  const arcScores = problem.arcScores.slice();
  const scores = problem.labels.scores.slice();
  for (let a = 0; a < arcScores.length; a++) {
    let best = -Infinity;
    for (let k = start[a]; k < start[a + 1]; k++) best = Math.max(best, scores[k]);
    arcScores[a] += best;
    if (best === -Infinity) continue;
    for (let k = start[a]; k < start[a + 1]; k++) scores[k] -= best;
  }
  return { ...problem, arcScores, labels: { ...problem.labels, scores } };
}
