import { SparseVector } from "@arcwise/core";
import type { StructuredTask, Update } from "./task.ts";
import { AveragedWeights } from "./weights.ts";

/** A learner that looks at one example at a time. */
export interface OnlineLearner {
  readonly name: string;
  readonly weights: AveragedWeights;
  update<Output>(task: StructuredTask<Output>, example: number): Update;
}

/**
 * The structured perceptron (Collins 2002): where the best output is wrong, the features of the gold output
 * are added and those of the best one taken away.
 */
export function perceptron(dimension: number): OnlineLearner {
  const weights = new AveragedWeights(dimension);
  const difference = new SparseVector(4096);
  return {
    name: "perceptron",
    weights,
    update(task, example) {
      difference.clear();
      const output = task.decode(example, weights.values, false);
      const cost = task.difference(example, output, difference);
      const loss = -difference.dot(weights.values);
      if (cost > 0) weights.add(difference, 1);
      else weights.skip();
      return { cost, loss: Math.max(0, loss) };
    },
  };
}

export interface MiraOptions {
  /** Largest step (the C of PA-I). */
  readonly aggressiveness?: number;
}

/**
 * One-best MIRA with cost-augmented decoding, which is the passive-aggressive update PA-I with the most
 * violated output (Crammer et al. 2006; McDonald, Crammer and Pereira 2005; Martins et al. 2010): the smallest
 * change of the weights that gives the gold output a margin of the cost over it, cut at `aggressiveness`.
 */
export function mira(dimension: number, { aggressiveness = 0.1 }: MiraOptions = {}): OnlineLearner {
  if (!(aggressiveness > 0)) throw new RangeError(`aggressiveness must be > 0, got ${aggressiveness}`);
  const weights = new AveragedWeights(dimension);
  const difference = new SparseVector(4096);
  return {
    name: "mira",
    weights,
    update(task, example) {
      difference.clear();
      const output = task.decode(example, weights.values, true);
      const cost = task.difference(example, output, difference);
      const loss = cost - difference.dot(weights.values);
      const norm = difference.squaredNorm();
      if (loss > 0 && norm > 0) weights.add(difference, Math.min(aggressiveness, loss / norm));
      else weights.skip();
      return { cost, loss: Math.max(0, loss) };
    },
  };
}
