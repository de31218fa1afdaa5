import { type ParsingProblem, type PartKind, type RankedTree, scoreTree } from "@arcwise/core";
import { PROJECTIVE_KINDS, type TreeOptions } from "../options.ts";
import { ProjectiveChart } from "../projective/projective-chart.ts";
import { fillBest } from "../projective/projective-max.ts";
import { projectiveScores } from "../projective/projective-scores.ts";
import { KBestForest } from "./kbest-projective-forest.ts";

/**
 * Iterates over all projective trees of a problem, best first and without duplicates, for the same parts as
 * `projectiveDecoder`. The order of trees with equal scores depends on the problem alone; trees whose scores
 * differ by no more than the rounding of a sum may be exchanged. There are none if the candidate arcs contain
 * no projective tree.
 *
 * The chart of best scores is filled once, at the cost of `projectiveDecoder`; then each tree takes the next
 * best derivation of the root, and of smaller spans only where needed: about O(n log(n k)) steps for the k-th
 * tree, plus the terms of each span when it is first expanded. Algorithm 3 of Huang and Chiang (2005), with a
 * stack instead of recursion; every tree has one derivation, so there are no duplicates.
 *
 * @throws UnsupportedPart for `sibling` and `headBigram` parts and global scorers, which do not decompose
 * @throws RangeError when a score is NaN or +Infinity, or arrays do not fit each other
 */
export function kBestProjectiveTrees(
  problem: ParsingProblem,
  options: TreeOptions = {},
): IterableIterator<RankedTree> {
  const handles: ReadonlySet<PartKind> = new Set(PROJECTIVE_KINDS);
  const chart = new ProjectiveChart();
  const scores = projectiveScores(problem, "kBestProjectiveTrees", handles);
  chart.prepare(scores, options.singleRoot ?? true);
  return trees(problem, chart);
}

function* trees(problem: ParsingProblem, chart: ProjectiveChart): Generator<RankedTree, void> {
  const { n } = chart;
  if (n === 0) {
    yield { heads: Int32Array.of(-1), score: 0 };
    return;
  }
  if (fillBest(chart) === -Infinity) return;
  const forest = new KBestForest(chart);
  for (let rank = 0; forest.request(rank); rank++) {
    const heads = new Int32Array(n + 1);
    forest.read(rank, heads);
    yield { heads, score: scoreTree(problem, heads) };
  }
}
