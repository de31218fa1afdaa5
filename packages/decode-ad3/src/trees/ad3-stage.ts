import type { ParsingProblem } from "@arcwise/core";
import { Ad3Run, type Status } from "../solver/ad3.ts";
import { layOut } from "../solver/layout.ts";
import { graphOf } from "./parsing-graph.ts";
import { partPosteriors } from "./part-posteriors.ts";
import type { Relaxation } from "./relaxation.ts";

/** Iterations between two checks against the best tree seen. */
const CHUNK = 10;
/** Initial step size, for scores of which the largest is between 4 and 8. */
const ETA = 0.1;

/** Result of a run of AD3. */
export interface Ad3Outcome {
  readonly status: Status;
  readonly bound: number;
  readonly iterations: number;
  /** Per arc. */
  readonly posteriors: Float64Array;
  /** Per part of each table, if requested. */
  readonly partPosteriors: readonly Float64Array[] | undefined;
}

/**
 * Runs AD3 from the state of the dual ascent: the factors' shares of the arc scores are the initial
 * multipliers. Stops when the bound is at most `aim()`, the score of the best tree seen so far, plus a
 * tolerance.
 *
 * @param onBound called with the bound and the number of iterations, after every `CHUNK` iterations
 * @param partProblem the problem of the relaxation, when posteriors of its parts are requested
 */
export function runAd3(
  relaxation: Relaxation,
  maxIterations: number,
  residualThreshold: number,
  aim: () => number,
  onBound: (bound: number, iterations: number) => void,
  partProblem?: ParsingProblem,
): Ad3Outcome {
  const { graph, pairs } = graphOf(relaxation);
  const run = new Ad3Run(layOut(graph), { maxIterations: CHUNK, residualThreshold, eta: ETA });
  if (pairs.length > 0) sharePairs(run, relaxation, pairs);
  let bound = Infinity;
  let iterations = 0;
  let status: Status = "unsolved";
  while (iterations < maxIterations) {
    status = run.run(aim());
    iterations += run.iterations;
    bound = Math.min(bound, run.bound);
    if (status !== "infeasible") onBound(bound, iterations);
    if (status !== "unsolved" || bound <= aim()) break;
  }
  const posteriors = status === "integral" ? run.incumbent.slice() : run.messages.mean.slice();
  if (status === "infeasible") {
    return { status, bound: -Infinity, iterations, posteriors, partPosteriors: undefined };
  }
  if (partProblem !== undefined && status === "integral") run.assignments.settle(run.incumbent);
  return {
    status,
    bound,
    iterations,
    posteriors,
    partPosteriors: partProblem && partPosteriors(run, relaxation, partProblem, posteriors),
  };
}

/** Sets the initial multipliers of plain pairs to their shares; the links of pairs come first. */
function sharePairs({ layout, messages }: Ad3Run, { pairs }: Relaxation, plain: readonly number[]): void {
  const { links, variable, potential, degree } = layout;
  const multipliers = Float64Array.from({ length: links }, (_, link) => {
    const v = variable[link];
    return -potential[v] / degree[v];
  });
  plain.forEach((pair, f) => {
    multipliers[2 * f] += pairs.potentials[2 * pair];
    multipliers[2 * f + 1] += pairs.potentials[2 * pair + 1];
  });
  messages.restore({ eta: messages.eta, means: messages.mean.slice(), multipliers });
}
