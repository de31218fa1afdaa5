import { NoTree, scoreTree, validateProblem } from "@arcwise/core";
import { withoutOverflow } from "../arborescence/score-range.ts";
import { arcDistribution, type DistributionDecoder, distributionDecoder } from "../distribution-decoder.ts";
import { kBestProjectiveTrees } from "../kbest/kbest-projective.ts";
import type { FirstOrderOptions } from "../options.ts";
import { createProjectiveSampler } from "../sampling/sampling-projective.ts";
import { createInsideOutside } from "../sums/inside-outside.ts";
import { EisnerChart } from "./eisner-chart.ts";

/**
 * Finds the best projective tree by arc scores, exactly. The decoder reuses its memory, so one decoder
 * decodes one sentence at a time.
 *
 * O(n³) over all arcs, O(n arcs + n²) over candidate arcs; O(n²) memory. Eisner (1996). The decoder also has
 * k-best lists (`kBestProjectiveTrees`), marginals (`createInsideOutside`), samples
 * (`createProjectiveSampler`) and minimum-Bayes-risk decoding.
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no projective tree, RangeError when a score is NaN or +Infinity or arrays
 * do not fit each other.
 */
export function eisnerDecoder(options: FirstOrderOptions = {}): DistributionDecoder {
  const name = "eisner";
  const singleRoot = options.singleRoot ?? true;
  const chart = new EisnerChart();
  const sums = createInsideOutside({ singleRoot });

  return distributionDecoder({
    name,
    trees: "projective",
    singleRoot,
    handles: new Set(),
    best(problem) {
      validateProblem(problem);
      const { n } = problem.arcs;
      const heads = new Int32Array(n + 1);
      if (!chart.solve(problem.arcs, withoutOverflow(problem.arcScores), heads, singleRoot)) {
        const rule = singleRoot ? " with a single root" : "";
        throw new NoTree(name, `the candidate arcs over ${n} words contain no projective tree${rule}`);
      }
      const score = scoreTree(problem, heads);
      return { heads, score, bound: score };
    },
    rank: (problem) => kBestProjectiveTrees(problem, { singleRoot }),
    sum: (problem) => arcDistribution(problem, sums),
    sampler(problem) {
      validateProblem(problem);
      const sampler = createProjectiveSampler({ singleRoot });
      sampler.prepare(problem.arcs, problem.arcScores);
      return sampler;
    },
  });
}
