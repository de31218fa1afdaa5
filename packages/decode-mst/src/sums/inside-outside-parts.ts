import { NoTree, type ParsingProblem, type PartKind, type TreeMarginals } from "@arcwise/core";
import { unscaled } from "../arborescence/score-range.ts";
import { PROJECTIVE_KINDS, type TreeOptions } from "../options.ts";
import { ProjectiveChart } from "../projective/projective-chart.ts";
import { type Alternatives, fillInside } from "../projective/projective-inside.ts";
import { OutsidePass } from "../projective/projective-outside.ts";
import { LARGEST_SUMMED, projectiveScores } from "../projective/projective-scores.ts";

/** Computes log-partitions and marginals of projective trees with parts. Scratch memory grows as needed. */
export interface PartSums {
  /** Returns the log-partition, at somewhat more than half of the cost of `marginals`. */
  logPartition(problem: ParsingProblem): number;
  /** Returns log-partition and probabilities of arcs and parts. Throws as `logPartition` does. */
  marginals(problem: ParsingProblem): TreeMarginals;
}

/**
 * Makes an instance for the partition function and marginals of projective trees weighted by exp(score), for
 * the parts of `projectiveDecoder` and at the same asymptotic cost: the inside-outside algorithm (Baker 1979;
 * Paskin 2001) on the higher-order programmes (Ma and Zhao 2015). All sums are logarithms, so that scores may
 * be of any size; where some are beyond 2^32, whose sums round by more than a millionth, all are divided by a power of two,
 * so that the largest is near it. For arcs alone, `createInsideOutside` is
 * faster.
 */
export function createPartSums(options: TreeOptions = {}): PartSums {
  const name = "projective";
  const handles: ReadonlySet<PartKind> = new Set(PROJECTIVE_KINDS);
  const singleRoot = options.singleRoot ?? true;
  const chart = new ProjectiveChart();
  const none = new Float64Array(0);
  const work: Alternatives = { values: none, past: none, middle: none };
  const outside = new OutsidePass();

  function sumOf(problem: ParsingProblem): { readonly sum: number; readonly factor: number } {
    const scores = projectiveScores(problem, name, handles, undefined, LARGEST_SUMMED);
    chart.prepare(scores, singleRoot);
    const sum = fillInside(chart, work);
    if (sum === -Infinity) throw new NoTree(name, `no projective tree over ${chart.n} words`);
    return { sum, factor: scores.factor };
  }

  function logPartition(problem: ParsingProblem): number {
    const { sum, factor } = sumOf(problem);
    return unscaled(sum, factor);
  }

  function marginals(problem: ParsingProblem): TreeMarginals {
    const { sum, factor } = sumOf(problem);
    const arcs = new Float64Array(problem.arcScores.length);
    const parts = problem.parts.map(({ scores }) => new Float64Array(scores.length));
    outside.run(chart, sum, problem, arcs, parts);
    return { logPartition: unscaled(sum, factor), arcs, parts };
  }

  return { logPartition, marginals };
}
