import { NoTree, type ParsingProblem, type PartKind } from "@arcwise/core";
import { PROJECTIVE_KINDS, type ProjectiveOptions } from "../options.ts";
import { ProjectiveChart } from "../projective/projective-chart.ts";
import { type Alternatives, fillInside } from "../projective/projective-inside.ts";
import { OutsidePass } from "../projective/projective-outside.ts";
import { projectiveScores } from "../projective/projective-scores.ts";

/** The distribution over projective trees in proportion to exp(score), in sums. */
export interface PartMarginals {
  /** Logarithm of the sum over all projective trees of exp(score). */
  readonly logPartition: number;
  /** Probability of each candidate arc: the gradient of the log-partition by arc scores. */
  readonly arcs: Float64Array;
  /** For each table of the problem, in order: the probability that each of its parts is on. */
  readonly parts: readonly Float64Array[];
  /** Entropy of the distribution in nats: log-partition less the expected score. */
  readonly entropy: number;
}

/** Sums over projective trees with parts. Scratch memory grows as needed. */
export interface PartSums {
  /**
   * The log-partition alone: the larger part of the work of `marginals`.
   *
   * @throws UnsupportedPart for `sibling` and `headBigram` parts and global scorers, which do not decompose
   * @throws NoTree when the arcs that are not pruned contain no projective tree
   * @throws RangeError when a score is NaN or +Infinity, or arrays do not fit each other
   */
  logPartition(problem: ParsingProblem): number;
  /** Log-partition, probabilities of arcs and parts, entropy. Throws as `logPartition` does. */
  marginals(problem: ParsingProblem): PartMarginals;
}

/**
 * Sums over all projective trees, each weighed by exp of its score, for the same parts as `projectiveDecoder`
 * and at the same cost in n and in candidates, with an exponential in the place of a comparison: the
 * inside-outside algorithm (Baker 1979; Paskin 2001) on the higher-order programmes (Ma and Zhao 2015). In
 * logarithms throughout, so that scores may be of any size, as long as those of a tree have a sum. For arcs
 * alone, `createInsideOutside` is faster.
 */
export function createPartSums(options: ProjectiveOptions = {}): PartSums {
  const name = "partMarginals";
  const handles: ReadonlySet<PartKind> = new Set(PROJECTIVE_KINDS);
  const singleRoot = options.singleRoot ?? true;
  const chart = new ProjectiveChart();
  const none = new Float64Array(0);
  const work: Alternatives = { values: none, past: none, middle: none };
  const outside = new OutsidePass();

  function logPartition(problem: ParsingProblem): number {
    chart.prepare(projectiveScores(problem, name, handles), singleRoot);
    const sum = fillInside(chart, work);
    if (sum === -Infinity) throw new NoTree(name, `no projective one over ${chart.n} words`);
    return sum;
  }

  function marginals(problem: ParsingProblem): PartMarginals {
    const sum = logPartition(problem);
    const arcs = new Float64Array(problem.arcScores.length);
    const parts = problem.parts.map(({ scores }) => new Float64Array(scores.length));
    outside.run(chart, sum, problem, arcs, parts);
    let expected = weighted(arcs, problem.arcScores);
    for (let i = 0; i < parts.length; i++) expected += weighted(parts[i]!, problem.parts[i]!.scores);
    return { logPartition: sum, arcs, parts, entropy: Math.max(0, sum - expected) };
  }

  return { logPartition, marginals };
}

/**
 * Marginal probabilities of arcs and parts over all projective trees. The friendly form of
 * `createPartSums().marginals`: allocates its memory on each call, and throws the same.
 */
export function partMarginals(problem: ParsingProblem, options: ProjectiveOptions = {}): PartMarginals {
  return createPartSums(options).marginals(problem);
}

function weighted(probabilities: Float64Array, scores: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    if (probabilities[i]! > 0) sum += probabilities[i]! * scores[i]!;
  }
  return sum;
}
