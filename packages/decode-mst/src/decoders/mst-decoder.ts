import { validateProblem } from "@arcwise/core";
import { kBestTrees } from "../kbest/kbest-mst.ts";
import { NO_PARTS, type TreeOptions } from "../options.ts";
import { createTreeSampler } from "../sampling/sampling.ts";
import { createMatrixTree } from "../sums/matrix-tree.ts";
import { arcDistribution, distributionDecoder, type WatchedDecoder } from "./distribution-decoder.ts";
import { bestArborescence } from "./plain-mst-decoder.ts";

/**
 * Finds the best tree by arc scores, projective or not: the maximum spanning arborescence, exactly. Its
 * memory belongs to the decoder and is used again, so one decoder serves one sentence at a time.
 *
 * O(n²) on dense candidates, O(arcs log n) on sparse ones. See `ArborescenceSolver` for the papers. It ranks
 * trees (`kBestTrees`), sums over them (`createMatrixTree`), draws them (`createTreeSampler`) and minimises
 * Bayes risk; `plainMstDecoder` does not, and is smaller. Its steps are the arcs it chooses and the circles
 * it contracts.
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no tree, RangeError when a score is NaN or +Infinity or arrays do not fit
 * each other.
 */
export function mstDecoder(options: TreeOptions = {}): WatchedDecoder {
  return spanningTreeDecoder("mst", options);
}

/** `mstDecoder` with another name, which its errors carry too. */
export function spanningTreeDecoder(name: string, options: TreeOptions): WatchedDecoder {
  const singleRoot = options.singleRoot ?? true;
  const sums = createMatrixTree({ singleRoot });

  return distributionDecoder({
    name,
    trees: "any",
    singleRoot,
    handles: NO_PARTS,
    best: bestArborescence(name, singleRoot),
    watch: (problem, onStep) => bestArborescence(name, singleRoot, onStep)(problem),
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
