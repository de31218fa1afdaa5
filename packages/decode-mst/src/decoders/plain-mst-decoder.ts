import {
  type Decoder,
  type Decoding,
  NoTree,
  type ParsingProblem,
  ProblemScorer,
  type StepListener,
  validateProblem,
} from "@arcwise/core";
import { createArborescenceSolver } from "../arborescence/max-arborescence.ts";
import { withoutOverflow } from "../arborescence/score-range.ts";
import { withoutUnusableArcs } from "../arborescence/unusable-arcs.ts";
import type { TreeOptions } from "../options.ts";
import { plainDecoder } from "./plain-decoder.ts";

/**
 * Finds the same trees as `mstDecoder`, at the same cost and with the same errors, without its capabilities:
 * a bundle that decodes with it leaves out rankings, sums and samples.
 */
export function plainMstDecoder(options: TreeOptions = {}): Decoder {
  const name = "mst";
  const singleRoot = options.singleRoot ?? true;
  return plainDecoder({ name, trees: "any", singleRoot }, bestArborescence(name, singleRoot));
}

/**
 * Makes a function that finds the maximum spanning arborescence by arc scores. It owns memory.
 *
 * @param onStep receives its steps, without its result
 */
export function bestArborescence(
  name: string,
  singleRoot: boolean,
  onStep?: StepListener,
): (problem: ParsingProblem) => Decoding {
  const solver = createArborescenceSolver(onStep);
  const scorer = new ProblemScorer();
  return (problem) => {
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
    const score = scorer.score(problem, heads);
    return { heads, score, bound: score };
  };
}

function describeCandidates(problem: ParsingProblem, singleRoot: boolean): string {
  const { n, head } = problem.arcs;
  let kept = 0;
  for (let a = 0; a < head.length; a++) if (problem.arcScores[a] > -Infinity) kept++;
  return `${kept} arcs over ${n} words contain no tree${singleRoot ? " with a single root" : ""}`;
}
