import type { GraphProblem } from "@arcwise/core";
import { largestOf, Scale } from "../solver/scale.ts";

/** A graph problem whose scores are scaled to fit step sizes and tolerances. */
export interface ScaledGraph {
  readonly problem: GraphProblem;
  readonly scale: Scale;
  /** The sum of the absolute scores: no graph scores less than its negative. */
  readonly total: number;
}

/** Returns the problem with scaled scores. O(labelled arcs + parts). */
export function scaledGraph(problem: GraphProblem): ScaledGraph {
  const { arcScores, predicateScores, labels, parts } = problem;
  const scores = [arcScores, predicateScores, labels.scores, ...parts.map((table) => table.scores)];
  const scale = new Scale(scores.reduce((most, each) => largestOf(each, most), 0));
  let total = 0;
  const write = (each: Float64Array): Float64Array => {
    const written = scale.write(each);
    for (const score of written) if (Number.isFinite(score)) total += Math.abs(score);
    return written;
  };
  const scaled = {
    ...problem,
    arcScores: write(arcScores),
    predicateScores: write(predicateScores),
    labels: { ...labels, scores: write(labels.scores) },
    parts: parts.map((table) => ({ ...table, scores: write(table.scores) })),
  };
  return { problem: scaled, scale, total };
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
