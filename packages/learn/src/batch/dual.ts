import { random } from "@arcwise/core";
import { checkInteger, checkNotNegative, checkPositive } from "../checks.ts";
import { yieldToEventLoop } from "../event-loop.ts";

/** Options of learners that close the gap between a convex objective and its dual. */
export interface DualOptions {
  /** Strength of the penalty l2 / 2 · |w|² in addition to the mean loss, above 0. */
  readonly l2: number;
  /** Training stops when the objective is proved to be at most this far above its minimum. Default: 1e-4. */
  readonly tolerance?: number | undefined;
  /** Called every few dozen examples, with the epoch (from 1) and the number of its examples done. */
  readonly onProgress?: ((progress: { readonly epoch: number; readonly done: number }) => void) | undefined;
  /** Ends training between two examples by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of learners that make steps on the dual, one example at a time. */
export interface DualStepOptions<State> extends DualOptions {
  /** Maximum number of epochs. Default: 100. */
  readonly epochs?: number | undefined;
  /** Decides the order of the examples. Default: 1. */
  readonly seed?: number | undefined;
  /**
   * Number of epochs between proofs of the duality gap, each of which costs at most as much as an epoch.
   * Default: 5.
   */
  readonly checkEvery?: number | undefined;
  /** Called after each proof of the gap and awaited; training ends when it returns false. */
  readonly onCheck?: ((state: State) => unknown) | undefined;
  /** A state of `onCheck`: training resumes from it, to the same weights as without the interruption. */
  readonly resume?: State | undefined;
}

/** The steps of a learner on the dual. */
export interface DualSteps<State> {
  step(example: number): void;
  /** Ends an epoch over the examples in an order. */
  settle?(order: Int32Array, pause: () => boolean | Promise<boolean>): Promise<void>;
  /** Proves the gap at the current weights. */
  gap(): DualityGap;
  /** Returns the state of training for `onCheck`. */
  state(epoch: number, gap: DualityGap): State;
  /** Returns the current result. */
  result(): Float64Array;
}

/**
 * Makes epochs of steps in random order until the gap is closed.
 *
 * @param start the bounds before the first proof
 */
export async function closeGap<State extends { readonly epoch: number }>(
  { size }: { readonly size: number },
  options: DualStepOptions<State>,
  start: DualityGap,
  steps: DualSteps<State>,
): Promise<DualResult> {
  const { epochs = 100, seed = 1, checkEvery = 5, tolerance = 1e-4, onProgress } = options;
  const pause = yieldToEventLoop(options.signal);
  const shuffles = random(seed);
  let epoch = options.resume?.epoch ?? 0;
  let gap = start;
  while (epoch < epochs) {
    epoch++;
    const order = shuffles.fork(epoch).shuffle(Int32Array.from({ length: size }, (_, index) => index));
    for (let k = 0; k < order.length; k++) {
      steps.step(order[k]);
      if (await pause()) onProgress?.({ epoch, done: k + 1 });
    }
    await steps.settle?.(order, pause);
    if (epoch % checkEvery > 0 && epoch < epochs) continue;
    gap = steps.gap();
    if ((await options.onCheck?.(steps.state(epoch, gap))) === false) break;
    if (gap.primal - gap.dual <= tolerance) break;
  }
  return { weights: steps.result(), ...gap, epochs: epoch, converged: gap.primal - gap.dual <= tolerance };
}

/** Bounds of the minimum. */
export interface DualityGap {
  /** The objective at the weights: mean loss plus l2 / 2 · |w|². */
  readonly primal: number;
  /** A lower bound of the objective at any weights. */
  readonly dual: number;
}

/** Result of training. */
export interface DualResult extends DualityGap {
  readonly weights: Float64Array;
  /** Epochs that changed the weights. */
  readonly epochs: number;
  /** Whether primal - dual is within the tolerance. */
  readonly converged: boolean;
}

export function checkDualOptions({ l2, tolerance = 1 }: DualOptions, epochs = 1, checkEvery = 1): void {
  checkPositive("l2", l2);
  checkNotNegative("tolerance", tolerance);
  checkInteger("epochs", epochs, 1);
  checkInteger("checkEvery", checkEvery, 1);
}

export function checkLength(what: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`expected a state of ${expected} ${what}, got ${found}`);
}

export function squaredNorm(vector: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i] * vector[i];
  return sum;
}
