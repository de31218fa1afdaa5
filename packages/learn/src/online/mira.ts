import { SparseVector } from "@arcwise/core";
import { checkUpdate, EXPECTED_ENTRIES } from "../task.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { AveragedWeights } from "./weights.ts";

/** Options of `mira`. */
export interface MiraOptions {
  /** Largest step (the C of PA-I); Infinity for a hard margin. Default: 0.1. */
  readonly aggressiveness?: number | undefined;
}

/**
 * Makes the learner one-best MIRA with cost-augmented decoding, which is the passive-aggressive update PA-I
 * with the most violated output (Crammer et al. 2006; McDonald, Crammer and Pereira 2005; Martins et al.
 * 2010): an update is the smallest change of the weights that gives the gold output a margin of the cost over
 * it, with a step of at most `aggressiveness`. Weights are averaged. An update costs a decoding and the
 * non-zeros of the difference.
 *
 * @throws RangeError when the dimension is not an integer >= 1 or `aggressiveness` is not above 0
 */
export function mira(dimension: number, { aggressiveness = 0.1 }: MiraOptions = {}): OnlineLearner {
  checkAggressiveness(aggressiveness);
  const weights = new AveragedWeights(dimension);
  const difference = new SparseVector(EXPECTED_ENTRIES);
  return {
    name: "mira",
    weights,
    sparse: true,
    update(task, example) {
      difference.clear();
      const output = task.decode(example, weights.values, true);
      const cost = task.difference(example, output, difference);
      const loss = cost - difference.dot(weights.values);
      checkUpdate(example, loss, cost);
      const norm = difference.squaredNorm();
      if (loss > 0 && norm > 0) weights.add(difference, Math.min(aggressiveness, loss / norm));
      else weights.skip();
      return { cost, loss: Math.max(0, loss) };
    },
    result: (into) => weights.average(into),
  };
}

export function checkAggressiveness(aggressiveness: number): void {
  if (!(aggressiveness > 0)) throw new RangeError(`aggressiveness must be > 0, got ${aggressiveness}`);
}
