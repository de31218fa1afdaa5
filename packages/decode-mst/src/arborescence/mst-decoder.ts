import {
  type DecoderWith,
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
import { kBestTrees } from "../kbest/kbest-mst.ts";
import { underName } from "../no-tree.ts";
import type { FirstOrderOptions } from "../options.ts";
import { drawTrees } from "../sampling/draw-trees.ts";
import { createTreeSampler } from "../sampling/sampling.ts";
import { createMatrixTree } from "../sums/matrix-tree.ts";
import { minimumRisk } from "../sums/minimum-risk.ts";
import { createArborescenceSolver } from "./max-arborescence.ts";
import { withoutOverflow } from "./score-range.ts";
import { withoutUnusableArcs } from "./unusable-arcs.ts";

/** A decoder that ranks trees, sums over them and draws them. */
export type DistributionDecoder = DecoderWith<"kBest" | "marginals" | "sample" | "minimumBayesRisk">;

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

/** `mstDecoder` under a name, which its errors bear too. */
export function spanningTreeDecoder(name: string, options: FirstOrderOptions): DistributionDecoder {
  const handles: ReadonlySet<PartKind> = new Set();
  const singleRoot = options.singleRoot ?? true;
  const solver = createArborescenceSolver();
  const sums = createMatrixTree({ singleRoot });
  const search = { decode };

  function check(problem: ParsingProblem): void {
    requireHandled(problem, name, handles);
    validateProblem(problem);
  }

  function decode(problem: ParsingProblem): Decoding {
    check(problem);
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
  }

  function kBest(problem: ParsingProblem): IterableIterator<RankedTree> {
    requireHandled(problem, name, handles);
    return kBestTrees(problem, { singleRoot });
  }

  function marginals(problem: ParsingProblem): TreeMarginals {
    check(problem);
    const arcs = new Float64Array(problem.arcScores.length);
    const logPartition = underName(name, () => sums.marginals(problem.arcs, problem.arcScores, arcs));
    return { logPartition, arcs, parts: [] };
  }

  function sample(problem: ParsingProblem, stream: Random): IterableIterator<Int32Array> {
    check(problem);
    const sampler = createTreeSampler({ singleRoot });
    underName(name, () => sampler.prepare(problem.arcs, problem.arcScores));
    return drawTrees(sampler, problem.arcs.n, stream);
  }

  return {
    name,
    trees: "any",
    singleRoot,
    handles,
    decode,
    kBest,
    marginals,
    sample,
    minimumBayesRisk: (problem) => minimumRisk(problem, marginals(problem), search),
  };
}

function describeCandidates(problem: ParsingProblem, singleRoot: boolean): string {
  const { n, head } = problem.arcs;
  let kept = 0;
  for (let a = 0; a < head.length; a++) if (problem.arcScores[a]! > -Infinity) kept++;
  return `${kept} arcs over ${n} words contain no tree${singleRoot ? " with a single root" : ""}`;
}
