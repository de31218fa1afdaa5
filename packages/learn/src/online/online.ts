import { SparseVector } from "@arcwise/core";
import { checkUpdate, type StructuredTask, type Update } from "../task.ts";
import { AveragedWeights } from "./weights.ts";

/** A learner that looks at one example at a time. */
export interface OnlineLearner {
  readonly name: string;
  /** The weights of now, and what their average needs. */
  readonly weights: AveragedWeights;
  /** What the learner remembers beside the weights, by name: a part of the state that training resumes from. */
  readonly memory?: Readonly<Record<string, Float32Array>>;
  /** Decodes an example, and changes the weights. Counts one step. */
  update<Output>(task: StructuredTask<Output>, example: number): Update;
  /**
   * True for a learner that changes weights by `weights.add` alone, and remembers nothing. So it is known which weights have
   * changed, and steps of distributed training cost what they change, not the dimension.
   */
  readonly sparse?: true;
  /** Does at the end of each epoch, and before a mixing, what was put off meanwhile. O(dimension). */
  endEpoch?(): void;
  /** Told that weights and memory were set to those of a state, which was taken after `endEpoch`. */
  restored?(): void;
  /** The weights to keep: their average over all steps if the learner averages, else those of now. O(dimension). */
  result(into?: Float32Array): Float32Array;
}

/** Entries that a difference of two outputs has room for at first. */
export const EXPECTED_ENTRIES = 4096;

export interface MiraOptions {
  /** Largest step (the C of PA-I); Infinity for a hard margin. Default: 0.1. */
  readonly aggressiveness?: number;
}

/**
 * One-best MIRA with cost-augmented decoding, which is the passive-aggressive update PA-I with the most
 * violated output (Crammer et al. 2006; McDonald, Crammer and Pereira 2005; Martins et al. 2010): the smallest
 * change of the weights that gives the gold output a margin of the cost over it, cut at `aggressiveness`. Averaged.
 * An update costs a decoding and the non-zeros of the difference.
 *
 * @throws RangeError when the dimension is no integer >= 1 or `aggressiveness` is not above 0
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

/** @throws RangeError when the largest step is not above 0 */
export function checkAggressiveness(aggressiveness: number): void {
  if (!(aggressiveness > 0)) throw new RangeError(`aggressiveness must be > 0, got ${aggressiveness}`);
}
