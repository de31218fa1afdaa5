import type { StructuredTask } from "../task.ts";
import {
  checkDualOptions,
  closeGap,
  type DualityGap,
  type DualResult,
  type DualStepOptions,
} from "./dual.ts";
import { hingeObjective } from "./objective.ts";
import { PairwiseShares, type SharesState } from "./pairwise-shares.ts";

/** Options of the Frank-Wolfe learner. */
export type FrankWolfeOptions = DualStepOptions<FrankWolfeState>;

/** The state of training. The arrays are the learner's own, not copies. */
export interface FrankWolfeState extends DualityGap, SharesState {
  readonly epoch: number;
}

/**
 * The structured support vector machine (see `svm`) by block-coordinate Frank-Wolfe (Lacoste-Julien, Jaggi,
 * Schmidt and Pletscher 2013, algorithm 4). Each example has a share of the weights, which a step moves
 * towards the difference of its cost-augmented output, by the step size that is optimal for the dual. It does
 * not need a learning rate; the gap between objective and dual, proved by decoding all examples at the same
 * weights, bounds the distance from the minimum. The steps are pairwise, with a cache of outputs
 * (Lacoste-Julien and Jaggi 2015; Osokin et al. 2016): the gap closes by a constant factor per epoch.
 *
 * A step costs a cost-augmented decoding and reads the outputs that have a share of the example about ten times,
 * and up to 20 times more after each epoch. Memory: two vectors of 64 bits, and the outputs that have a share.
 *
 * @throws RangeError when an option is out of its range, the state is of another task, or a cost is not a number
 * @throws the reason of the signal once that is aborted
 */
export async function frankWolfe<Output>(
  task: StructuredTask<Output>,
  options: FrankWolfeOptions,
): Promise<DualResult> {
  checkDualOptions(options, options.epochs, options.checkEvery);
  const shares = new PairwiseShares(task, options.l2);
  if (options.resume !== undefined) shares.restore(options.resume);
  const objective = hingeObjective(task, { l2: options.l2 });
  const gradient = new Float64Array(task.dimension);
  const { weights } = shares;
  return closeGap(
    task,
    options,
    { primal: Infinity, dual: 0 },
    {
      step: (example) => shares.step(example),
      settle: (order, pause) => settle(shares, order, pause),
      gap: () => ({ primal: objective.evaluate(weights, gradient), dual: shares.dual() }),
      state: (epoch, gap) => ({ ...shares.state(), ...gap, epoch }),
      result: () => weights,
    },
  );
}

/** Maximum number of sweeps over the examples without decoding, after an epoch. */
const CACHED_SWEEPS = 20;

/**
 * Makes sweeps without decoding, until one raises the dual by less than a tenth of the increase of the first
 * one.
 */
async function settle<Output>(
  shares: PairwiseShares<Output>,
  order: Int32Array,
  pause: () => boolean | Promise<boolean>,
): Promise<void> {
  let first = 0;
  for (let pass = 0; pass < CACHED_SWEEPS; pass++) {
    const rise = shares.passCached(order);
    if (pass === 0) first = rise;
    if (rise <= first / 10) return;
    await pause();
  }
}
