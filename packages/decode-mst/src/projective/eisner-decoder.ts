import {
  type Decoding,
  NoTree,
  type ParsingProblem,
  type PartKind,
  type Random,
  type RankedTree,
  requireHandled,
  scoreTree,
  type TreeMarginals,
  validateProblem,
} from "@arcwise/core";
import type { DistributionDecoder } from "../arborescence/mst-decoder.ts";
import { withoutOverflow } from "../arborescence/score-range.ts";
import { kBestProjectiveTrees } from "../kbest/kbest-projective.ts";
import { underName } from "../no-tree.ts";
import type { FirstOrderOptions } from "../options.ts";
import { drawTrees } from "../sampling/draw-trees.ts";
import { createProjectiveSampler } from "../sampling/sampling-projective.ts";
import { createInsideOutside } from "../sums/inside-outside.ts";
import { minimumRisk } from "../sums/minimum-risk.ts";
import { EisnerChart } from "./eisner-chart.ts";

/**
 * Finds the best projective tree by arc scores, exactly. Its memory belongs to the decoder and is used again,
 * so one decoder serves one sentence at a time.
 *
 * O(n³) over all arcs, O(n arcs + n²) over candidate arcs; O(n²) memory. Eisner (1996). It ranks trees
 * (`kBestProjectiveTrees`), sums over them (`createInsideOutside`), draws them (`createProjectiveSampler`)
 * and minimises Bayes risk.
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no projective tree, RangeError when a score is NaN or +Infinity or arrays
 * do not fit each other.
 */
export function eisnerDecoder(options: FirstOrderOptions = {}): DistributionDecoder {
  const name = "eisner";
  const handles: ReadonlySet<PartKind> = new Set();
  const singleRoot = options.singleRoot ?? true;
  const chart = new EisnerChart();
  const sums = createInsideOutside({ singleRoot });
  const search = { decode };

  function check(problem: ParsingProblem): void {
    requireHandled(problem, name, handles);
    validateProblem(problem);
  }

  function decode(problem: ParsingProblem): Decoding {
    check(problem);
    const { n } = problem.arcs;
    const heads = new Int32Array(n + 1);
    if (!chart.solve(problem.arcs, withoutOverflow(problem.arcScores), heads, singleRoot)) {
      const rule = singleRoot ? " with a single root" : "";
      throw new NoTree(name, `the candidate arcs over ${n} words contain no projective tree${rule}`);
    }
    const score = scoreTree(problem, heads);
    return { heads, score, bound: score };
  }

  function kBest(problem: ParsingProblem): IterableIterator<RankedTree> {
    requireHandled(problem, name, handles);
    return kBestProjectiveTrees(problem, { singleRoot });
  }

  function marginals(problem: ParsingProblem): TreeMarginals {
    check(problem);
    const arcs = new Float64Array(problem.arcScores.length);
    const logPartition = underName(name, () => sums.marginals(problem.arcs, problem.arcScores, arcs));
    return { logPartition, arcs, parts: [] };
  }

  function sample(problem: ParsingProblem, stream: Random): IterableIterator<Int32Array> {
    check(problem);
    const sampler = createProjectiveSampler({ singleRoot });
    underName(name, () => sampler.prepare(problem.arcs, problem.arcScores));
    return drawTrees(sampler, problem.arcs.n, stream);
  }

  return {
    name,
    trees: "projective",
    singleRoot,
    handles,
    decode,
    kBest,
    marginals,
    sample,
    minimumBayesRisk: (problem) => minimumRisk(problem, marginals(problem), search),
  };
}
