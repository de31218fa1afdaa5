import { NoTree, type ParsingProblem, scoreTree, validateProblem } from "@arcwise/core";
import { arcDistribution, type DistributionDecoder, distributionDecoder } from "../distribution-decoder.ts";
import { kBestTrees } from "../kbest/kbest-mst.ts";
import type { FirstOrderOptions } from "../options.ts";
import { createTreeSampler } from "../sampling/sampling.ts";
import { createMatrixTree } from "../sums/matrix-tree.ts";
import { createArborescenceSolver } from "./max-arborescence.ts";
import { withoutOverflow } from "./score-range.ts";
import { withoutUnusableArcs } from "./unusable-arcs.ts";

/**
 * Finds the best tree by arc scores, projective or not: the maximum spanning arborescence, exactly. Its
 * memory belongs to the decoder and is used again, so one decoder serves one sentence at a time.
 *
 * O(n²) on dense candidates, O(arcs log n) on sparse ones. See `maxArborescence` for the papers. It ranks
 * trees (`kBestTrees`), sums over them (`createMatrixTree`), draws them (`createTreeSampler`) and minimises
 * Bayes risk.
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no tree, RangeError when a score is NaN or +Infinity or arrays do not fit
 * each other.
 */
export function mstDecoder(options: FirstOrderOptions = {}): DistributionDecoder {
  return spanningTreeDecoder("mst", options);
}

/** `mstDecoder` with another name, which its errors carry too. */
export function spanningTreeDecoder(name: string, options: FirstOrderOptions): DistributionDecoder {
  const singleRoot = options.singleRoot ?? true;
  const solver = createArborescenceSolver();
  const sums = createMatrixTree({ singleRoot });

  return distributionDecoder({
    name,
    trees: "any",
    singleRoot,
    handles: new Set(),
    best(problem) {
      validateProblem(problem);
      const { arcs } = problem;
      const heads = new Int32Array(arcs.n + 1);
      let scores: Float64Array | undefined = withoutOverflow(problem.arcScores);
      if (!solver.arcs(arcs, scores, heads, singleRoot))
        throw new NoTree(name, describeCandidates(problem, singleRoot));
      for (;;) {
        scores = withoutUnusableArcs(arcs, scores, heads, singleRoot);
        if (scores === undefined) break;
        solver.arcs(arcs, scores, heads, singleRoot);
      }
      const score = scoreTree(problem, heads);
      return { heads, score, bound: score };
    },
    rank: (problem) => kBestTrees(problem, { singleRoot }),
    sum: (problem) => arcDistribution(problem, sums),
    sampler(problem) {
      validateProblem(problem);
      const sampler = createTreeSampler({ singleRoot });
      sampler.prepare(problem.arcs, problem.arcScores);
      return sampler;
    },
  });
}

function describeCandidates(problem: ParsingProblem, singleRoot: boolean): string {
  const { n, head } = problem.arcs;
  let kept = 0;
  for (let a = 0; a < head.length; a++) if (problem.arcScores[a]! > -Infinity) kept++;
  return `${kept} arcs over ${n} words contain no tree${singleRoot ? " with a single root" : ""}`;
}
