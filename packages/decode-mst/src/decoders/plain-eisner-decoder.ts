import {
  type Decoder,
  type Decoding,
  NoTree,
  type ParsingProblem,
  ProblemScorer,
  type StepListener,
  validateProblem,
} from "@arcwise/core";
import { withoutOverflow } from "../arborescence/score-range.ts";
import type { TreeOptions } from "../options.ts";
import { EisnerChart } from "../projective/eisner-chart.ts";
import { plainDecoder } from "./plain-decoder.ts";

/**
 * Finds the same trees as `eisnerDecoder`, at the same cost and with the same errors, without its
 * capabilities: a bundle that decodes with it leaves out rankings, sums and samples.
 */
export function plainEisnerDecoder(options: TreeOptions = {}): Decoder {
  const name = "eisner";
  const singleRoot = options.singleRoot ?? true;
  return plainDecoder({ name, trees: "projective", singleRoot }, bestProjectiveTree(name, singleRoot));
}

/**
 * Makes a function that finds the best projective tree of a problem without parts. It owns memory.
 *
 * @param onStep receives the spans of the chart, without the result
 */
export function bestProjectiveTree(
  name: string,
  singleRoot: boolean,
  onStep?: StepListener,
): (problem: ParsingProblem) => Decoding {
  const chart = new EisnerChart();
  const scorer = new ProblemScorer();
  return (problem) => {
    validateProblem(problem);
    const { n } = problem.arcs;
    const heads = new Int32Array(n + 1);
    if (!chart.solve(problem.arcs, withoutOverflow(problem.arcScores), heads, singleRoot)) {
      const rule = singleRoot ? " with a single root" : "";
      throw new NoTree(name, `the candidate arcs over ${n} words contain no projective tree${rule}`);
    }
    if (onStep !== undefined) chart.reportSpans(n, singleRoot, onStep);
    const score = scorer.score(problem, heads);
    return { heads, score, bound: score };
  };
}
