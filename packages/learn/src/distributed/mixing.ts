import type { OnlineLearner } from "../online/online-learner.ts";
import { copyState, type OnlineState, restore, stateOf } from "../online/train-online.ts";
import type { StructuredTask } from "../task.ts";
import { checkMixing, type Mixing } from "./mixing-names.ts";
import { type MixingProgress, type MixingRound, MixingTotals, RoundTotals } from "./mixing-progress.ts";
import {
  type ShardResult,
  type ShardStep,
  type ShardStepOptions,
  ShardTrainer,
  type StateChange,
} from "./mixing-shard.ts";
import { StateMixer, vectorsOf } from "./mixing-state.ts";

/** Where the steps of shards are done: in this thread, in worker threads, on other machines. */
export interface ShardRunner {
  /**
   * The number of training examples, and the state that training begins with. Called before the first `run`
   * of each training.
   */
  start(): Promise<{ readonly size: number; readonly state: OnlineState }>;
  /**
   * Does the steps, in any order and as many at a time as it likes, each from the given state as `trainShard`
   * does, and answers their results in the order of the steps. The vectors of a result stay as they are until
   * the next result is asked for, and the runner does nothing more with the state once it has answered the
   * last.
   */
  run(
    steps: readonly ShardStep[],
    from: OnlineState,
    options: ShardStepOptions,
  ): AsyncIterable<ShardResult> | Iterable<ShardResult>;
  /** The weights to keep of a state: the `result` of a learner that is in this state. */
  result(state: OnlineState): Promise<Float32Array>;
  /** Makes a vector of zeros where the runner best reads it, such as in shared memory. */
  allocate?(length: number): Float32Array;
}

export interface MixingOptions {
  /** Into how many shards the examples are dealt: at most as many as there are examples. */
  readonly shards: number;
  readonly epochs: number;
  /** Decides which examples are in which shard, and their order. */
  readonly seed: number;
  /** How much each shard counts. Default: "uniform". */
  readonly mixing?: Mixing;
  /**
   * Mixings an epoch: each shard is cut into so many parts, and mixed after each of them. At most as many as
   * a shard has examples. Between two mixings, no shard knows what the others have learned: the more there
   * are, the more an epoch teaches, and the more often weights (of a sparse learner: what changed) go to and
   * fro. Default: 1.
   */
  readonly mixes?: number;
  /**
   * The weights to keep are the average over the steps after this epoch, as soon as there are any: those of
   * the first epochs, when each shard knows little, are left out. For sparse learners. Default: 0, over all
   * steps.
   */
  readonly averageAfter?: number;
  /** Called often while shards are under way. */
  readonly onProgress?: (progress: MixingProgress) => void;
  /**
   * Called after each mixing at the end of an epoch, before the next step begins. The vectors of the state
   * are those of training, not copies.
   */
  readonly onMixed?: (state: OnlineState, round: MixingRound) => void | Promise<void>;
  /** A state of `onMixed`: training goes on from it as if it had never stopped. */
  readonly resume?: OnlineState | undefined;
  /** Ends training by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Training by parameter mixing (McDonald, Hall and Mann 2010): learners pass over one shard each, from the
 * same state, and their states are mixed, again and again: iterative parameter mixing. Where the perceptron
 * separates the examples with a margin γ, features of length R or less, iterative mixing with any shares does
 * so as well: the sum over epochs and shards of share · mistakes is at most (R / γ)² (their theorem 3, which
 * is of shares that are the same for all weights: not of the mixing "changed").
 *
 * The result depends on the examples, learner and options alone: not on the runner, or on what it does at a
 * time.
 *
 * Memory: two states here, beside the runner's. Time of a mixing: the shards', and O(shards · dimension) to
 * mix; with a sparse learner one state and what changed, and O(what changed).
 *
 * @returns the state after the last epoch; the runner's `result` gives the weights to keep
 * @throws RangeError on an option out of range, more shards than examples, or a state of another learner
 * @throws the reason of the signal once that is aborted
 */
export async function mixShards(runner: ShardRunner, options: MixingOptions): Promise<OnlineState> {
  const { shards, epochs, seed, mixing = "uniform", mixes = 1, averageAfter = 0, resume, signal } = options;
  checkOptions(options);
  signal?.throwIfAborted();
  const { size, state: fresh } = await runner.start();
  checkShards(shards, size);
  vectorsOf(fresh);
  const parts = Math.max(1, Math.min(mixes, Math.ceil(size / shards)));
  const mixer = new StateMixer(mixing, runner.allocate?.bind(runner));
  let state = resume === undefined ? fresh : resumed(fresh, resume);
  let since: StateChange = { round: 0 };
  while (state.epoch < epochs) {
    if (averageAfter > 0 && state.epoch === averageAfter) {
      state = averageAnew(state);
      since = { round: since.round };
    }
    const common = { shards, epoch: state.epoch + 1, epochs: 1, seed };
    const progress = new MixingTotals(state.epoch + 1, size, shards, options.onProgress);
    const totals = new RoundTotals(shards);
    for (let part = 0; part < parts; part++) {
      const steps = Array.from({ length: shards }, (_, shard): ShardStep => {
        return { shard, ...common, ...(parts > 1 && { part, parts }) };
      });
      const results = runner.run(steps, state, {
        since,
        ...(signal && { signal }),
        ...(options.onProgress && { onProgress: (counts) => progress.report(counts) }),
      });
      let count = 0;
      for await (const result of results) {
        checkSparse(result, averageAfter);
        mixer.add(result, state);
        totals.add(result);
        count++;
      }
      if (count !== shards) throw new RangeError(`expected ${shards} results of shards, got ${count}`);
      const { state: mixed, changed } = mixer.take(state);
      state = mixed;
      since = { round: since.round + 1, ...(changed && { changed }) };
      progress.settle();
      totals.settle();
      signal?.throwIfAborted();
    }
    await options.onMixed?.(state, totals.round(mixing));
    signal?.throwIfAborted();
  }
  return state;
}

/**
 * The state as if no step had been made to its weights: u of `AveragedWeights` is 0 again, and steps are
 * counted from here. So the average is that over the steps to come. Writes to the state's vectors.
 */
function averageAnew(state: OnlineState): OnlineState {
  state.weighted.fill(0);
  return { ...state, steps: 0 };
}

function checkSparse({ changed }: Pick<ShardResult, "changed">, averageAfter: number): void {
  if (averageAfter > 0 && changed === undefined) {
    throw new RangeError(
      "averageAfter is for sparse learners: the steps of others depend on how many there were",
    );
  }
}

function checkOptions({
  shards,
  epochs,
  mixing = "uniform",
  mixes = 1,
  averageAfter = 0,
}: MixingOptions): void {
  if (!Number.isInteger(epochs) || epochs < 1)
    throw new RangeError(`epochs must be an integer >= 1, got ${epochs}`);
  if (!Number.isInteger(shards) || shards < 1)
    throw new RangeError(`shards must be an integer >= 1, got ${shards}`);
  if (!Number.isInteger(mixes) || mixes < 1)
    throw new RangeError(`mixes must be an integer >= 1, got ${mixes}`);
  if (!Number.isInteger(averageAfter) || averageAfter < 0)
    throw new RangeError(`averageAfter must be an integer >= 0, got ${averageAfter}`);
  checkMixing(mixing);
}

function checkShards(shards: number, size: number): void {
  if (shards > Math.max(1, size)) {
    throw new RangeError(`expected at most one shard an example, got ${shards} shards of ${size} examples`);
  }
}

/** Writes a state to resume from into the memory of a fresh one. */
function resumed(fresh: OnlineState, { epoch, steps, ...from }: OnlineState): OnlineState {
  const target = vectorsOf(fresh);
  const source = vectorsOf({ epoch, steps, ...from });
  const describe = (vectors: Readonly<Record<string, Float32Array>>) =>
    `${vectors.values!.length} weights and [${Object.keys(vectors).sort().join(", ")}]`;
  if (describe(source) !== describe(target)) {
    throw new RangeError(`expected to resume from ${describe(target)}, got ${describe(source)}`);
  }
  for (const [name, vector] of Object.entries(target)) vector.set(source[name]!);
  return { ...fresh, epoch, steps };
}

/**
 * Does the steps of shards one after the other, with one learner, in this thread. No copies: the results are
 * the learner's own vectors, or what has changed of them.
 *
 * @throws RangeError when the learner is of another dimension than the task
 */
export function localRunner<Output>(task: StructuredTask<Output>, learner: OnlineLearner): ShardRunner {
  const { length } = learner.weights.values;
  if (task.dimension !== length) {
    throw new RangeError(`the task has ${task.dimension} weights, but the learner ${length}`);
  }
  const trainer = new ShardTrainer(task, learner);
  return {
    async start() {
      trainer.reset();
      return { size: task.size, state: copyState(stateOf(learner, 0)) };
    },
    async *run(steps, from, options) {
      for (const step of steps) yield await trainer.run(step, from, options);
    },
    result: async (state) => trainer.result(state),
  };
}

/**
 * `mixShards` in this thread, as `trainOnline` does serial training: the learner begins with what it has, and
 * at the end it is in the state after the last epoch, so that `learner.result()` gives the weights to keep.
 * With one shard it learns what `trainOnline` does, bit for bit.
 *
 * @throws as `mixShards` and `localRunner`
 */
export async function trainByMixing<Output>(
  task: StructuredTask<Output>,
  learner: OnlineLearner,
  options: MixingOptions,
): Promise<void> {
  restore(learner, await mixShards(localRunner(task, learner), options));
}
