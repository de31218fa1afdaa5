import { validateProblem } from "@arcwise/core";
import { kBestProjectiveTrees } from "../kbest/kbest-projective.ts";
import { NO_PARTS, type TreeOptions } from "../options.ts";
import { createProjectiveSampler } from "../sampling/sampling-projective.ts";
import { createInsideOutside } from "../sums/inside-outside.ts";
import { arcDistribution, distributionDecoder, type WatchedDecoder } from "./distribution-decoder.ts";
import { bestProjectiveTree } from "./plain-eisner-decoder.ts";

/**
 * Finds the best projective tree by arc scores, exactly. The decoder reuses its memory, so one decoder
 * decodes one sentence at a time.
 *
 * O(n³) over all arcs, O(n arcs + n²) over candidate arcs; O(n²) memory. Eisner (1996). The decoder also has
 * k-best lists (`kBestProjectiveTrees`), marginals (`createInsideOutside`), samples
 * (`createProjectiveSampler`) and minimum-Bayes-risk decoding; `plainEisnerDecoder` does not, and is smaller. Its steps are
 * the spans of its chart, in the order in which they are filled.
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no projective tree, RangeError when a score is NaN or +Infinity or arrays
 * do not fit each other.
 */
export function eisnerDecoder(options: TreeOptions = {}): WatchedDecoder {
  const name = "eisner";
  const singleRoot = options.singleRoot ?? true;
  const sums = createInsideOutside({ singleRoot });

  return distributionDecoder({
    name,
    trees: "projective",
    singleRoot,
    handles: NO_PARTS,
    best: bestProjectiveTree(name, singleRoot),
    watch: (problem, onStep) => bestProjectiveTree(name, singleRoot, onStep)(problem),
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
