import { SparseVector } from "@arcwise/core";
import { addBlock, blockOf, EMPTY_BLOCK, type SparseBlock } from "../sparse-block.ts";
import { checkUpdate, EXPECTED_ENTRIES, type StructuredTask } from "../task.ts";
import {
  checkDualOptions,
  checkLength,
  closeGap,
  type DualityGap,
  type DualResult,
  type DualStepOptions,
  squaredNorm,
} from "./dual.ts";
import { hingeObjective } from "./objective.ts";
import { type ActiveOutput, PairwiseShares } from "./pairwise-shares.ts";

/** Options of the Frank-Wolfe learner. */
export interface FrankWolfeOptions extends DualStepOptions<FrankWolfeState> {
  /**
   * `pairwise` steps move share between two outputs of an example, whose outputs are stored; the gap closes
   * by a constant factor an epoch. `plain` steps move the whole share of an example, and store only that; the
   * gap closes as 1 / epochs. Default: pairwise.
   */
  readonly steps?: "pairwise" | "plain" | undefined;
  /**
   * With plain steps, whether the result is the average of all weights, the t-th ones t times. Default: true.
   */
  readonly averaged?: boolean | undefined;
}

/** The state of training. The arrays are the learner's own, not copies. */
export interface FrankWolfeState extends DualityGap {
  readonly epoch: number;
  readonly steps: number;
  /** The current result. */
  readonly result: Float64Array;
  readonly weights: Float64Array;
  /**
   * Sum over the steps s of s (s - 1) / 2 times the change of the weights, from which their average follows.
   */
  readonly weighted: Float64Array;
  /** With plain steps: the share of each example in the weights, and in the linear term of the dual. */
  readonly blocks: readonly SparseBlock[];
  readonly losses: Float64Array;
  /** With pairwise steps: the outputs of each example that have a share. */
  readonly outputs: readonly (readonly ActiveOutput[])[];
  /** The linear term of the dual, and its weighted changes. */
  readonly linear: number;
  readonly weightedLinear: number;
}

/**
 * The structured support vector machine (see `svm`) by block-coordinate Frank-Wolfe (Lacoste-Julien, Jaggi,
 * Schmidt and Pletscher 2013, algorithm 4). Each example has a share of the weights, which a step moves
 * towards the difference of its cost-augmented output, by the step size that is optimal for the dual. It does
 * not need a learning rate; the gap between objective and dual, proved by decoding all examples at the same
 * weights, bounds the distance from the minimum. By default in pairwise steps with a cache of outputs
 * (Lacoste-Julien and Jaggi 2015; Osokin et al. 2016).
 *
 * A step costs a cost-augmented decoding and the non-zeros of the example's share. Plain steps read the
 * non-zeros of all outputs that it has had; pairwise steps read the outputs that it has about ten times, and up
 * to 20 times more after each epoch. Memory: one vector of 64 bits, three with averages, and the shares.
 *
 * @throws RangeError when an option is out of its range, the state is of another task, or a cost is not a number
 * @throws the reason of the signal once that is aborted
 */
export async function frankWolfe<Output>(
  task: StructuredTask<Output>,
  options: FrankWolfeOptions,
): Promise<DualResult> {
  checkDualOptions(options, options.epochs, options.checkEvery);
  const shares = sharesOf(task, options);
  if (options.resume !== undefined) shares.restore(options.resume);
  const objective = hingeObjective(task, { l2: options.l2 });
  const gradient = new Float64Array(task.dimension);
  return closeGap(
    task,
    options,
    { primal: Infinity, dual: 0 },
    {
      step: (example) => shares.step(example),
      settle: (order, pause) => settle(shares, order, pause),
      gap() {
        const weights = shares.result();
        return { primal: objective.evaluate(weights, gradient), dual: shares.dual(weights) };
      },
      state: (epoch, gap) => ({ ...shares.state(), ...gap, epoch, result: shares.result() }),
      result: () => shares.result(),
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
  shares: PlainShares<Output> | PairwiseShares<Output>,
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

/**
 * @throws RangeError when the steps are unknown, or averages are requested of pairwise steps
 */
function sharesOf<Output>(
  task: StructuredTask<Output>,
  { l2, steps = "pairwise", averaged = steps === "plain" }: FrankWolfeOptions,
): PlainShares<Output> | PairwiseShares<Output> {
  if (steps === "plain") return new PlainShares(task, l2, averaged);
  if (steps !== "pairwise") throw new RangeError(`steps must be pairwise or plain, got ${steps}`);
  if (averaged) throw new RangeError("pairwise steps and averages exclude each other");
  return new PairwiseShares(task, l2);
}

/** The weights as a sum of the examples' shares. */
class PlainShares<Output> {
  readonly #task: StructuredTask<Output>;
  readonly #l2: number;
  readonly #averaged: boolean;
  readonly #weights: Float64Array;
  readonly #weighted: Float64Array;
  readonly #result: Float64Array;
  readonly #blocks: SparseBlock[];
  readonly #losses: Float64Array;
  #linear = 0;
  #weightedLinear = 0;
  #steps = 0;
  readonly #difference = new SparseVector(EXPECTED_ENTRIES);
  readonly #sum = new SparseVector(EXPECTED_ENTRIES);

  constructor(task: StructuredTask<Output>, l2: number, averaged: boolean) {
    this.#task = task;
    this.#l2 = l2;
    this.#averaged = averaged;
    this.#weights = new Float64Array(task.dimension);
    this.#weighted = new Float64Array(averaged ? task.dimension : 0);
    this.#result = new Float64Array(averaged ? task.dimension : 0);
    this.#blocks = new Array<SparseBlock>(task.size).fill(EMPTY_BLOCK);
    this.#losses = new Float64Array(task.size);
  }

  /** Moves the share of an example. */
  step(example: number): void {
    const task = this.#task;
    const weights = this.#weights;
    const difference = this.#difference;
    const old = this.#blocks[example];
    difference.clear();
    const cost = task.difference(example, task.decode(example, weights, true), difference);
    checkUpdate(example, cost - difference.dot(weights), cost);
    // The corner of the dual's simplex: the share of the example if this output had all of it.
    const scale = 1 / (this.#l2 * task.size);
    const loss = cost / task.size;
    const change = this.#sum;
    change.clear();
    for (let k = 0; k < difference.size; k++) change.add(difference.indices[k], scale * difference.values[k]);
    addBlock(change, old, -1);
    const ascent = loss - this.#losses[example] - this.#l2 * change.dot(weights);
    const curvature = this.#l2 * change.squaredNorm();
    const step = ascent <= 0 ? 0 : ascent >= curvature ? 1 : ascent / curvature;
    this.#steps++;
    if (step === 0) return;
    this.#move(example, step, loss);
  }

  /** Plain steps store no outputs to repeat. */
  passCached(): number {
    return 0;
  }

  #move(example: number, step: number, loss: number): void {
    const change = this.#sum;
    const late = (this.#steps * (this.#steps - 1)) / 2;
    const { indices, values, size } = change;
    for (let k = 0; k < size; k++) {
      const amount = step * values[k];
      this.#weights[indices[k]] += amount;
      if (this.#averaged) this.#weighted[indices[k]] += late * amount;
    }
    const rise = step * (loss - this.#losses[example]);
    this.#losses[example] += rise;
    this.#linear += rise;
    this.#weightedLinear += late * rise;
    if (step === 1) {
      this.#blocks[example] = blockOf(this.#difference, 1 / (this.#l2 * this.#task.size));
      return;
    }
    const old = this.#blocks[example];
    for (let k = 0; k < size; k++) values[k] *= step;
    addBlock(change, old, 1);
    this.#blocks[example] = blockOf(change);
  }

  /** Returns the result. O(dimension). */
  result(): Float64Array {
    if (!this.#averaged) return this.#weights;
    const share = this.#shareOfLate();
    for (let i = 0; i < this.#result.length; i++) {
      this.#result[i] = this.#weights[i] - share * this.#weighted[i];
    }
    return this.#result;
  }

  /** The dual at the weights to keep. */
  dual(result: Float64Array): number {
    const linear = this.#averaged ? this.#linear - this.#shareOfLate() * this.#weightedLinear : this.#linear;
    return linear - (this.#l2 / 2) * squaredNorm(result);
  }

  #shareOfLate(): number {
    return this.#steps === 0 ? 0 : 2 / (this.#steps * (this.#steps + 1));
  }

  state() {
    return {
      steps: this.#steps,
      weights: this.#weights,
      weighted: this.#weighted,
      blocks: this.#blocks,
      losses: this.#losses,
      outputs: [],
      linear: this.#linear,
      weightedLinear: this.#weightedLinear,
    };
  }

  restore(state: FrankWolfeState): void {
    checkLength("weights", state.weights.length, this.#weights.length);
    checkLength("weighted changes", state.weighted.length, this.#weighted.length);
    checkLength("examples", state.blocks.length, this.#blocks.length);
    checkLength("losses", state.losses.length, this.#losses.length);
    this.#weights.set(state.weights);
    this.#weighted.set(state.weighted);
    this.#losses.set(state.losses);
    for (const [example, block] of state.blocks.entries()) this.#blocks[example] = block;
    this.#steps = state.steps;
    this.#linear = state.linear;
    this.#weightedLinear = state.weightedLinear;
  }
}
