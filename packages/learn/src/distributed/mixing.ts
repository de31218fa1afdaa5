import { checkInteger } from "../checks.ts";
import type { OnlineLearner } from "../online/online-learner.ts";
import { copyState, type OnlineState, stateOf } from "../online/train-online.ts";
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

/** Runs the steps of shards: in this thread (`runShardsHere`), or at a place (`runShardsAt`). */
export interface ShardRunner {
  /**
   * Returns the number of training examples and the initial state. Called before the first `run` of each
   * training.
   */
  start(): Promise<{ readonly size: number; readonly state: OnlineState }>;
  /**
   * Does the steps, in any order and any number at a time, each from the given state as `trainShard` does,
   * and yields their results in the order of the steps. The vectors of a result must not change until the
   * next result is requested, and the runner must not use the state after the last result.
   */
  run(
    steps: readonly ShardStep[],
    from: OnlineState,
    options: ShardStepOptions,
  ): AsyncIterable<ShardResult> | Iterable<ShardResult>;
  /** Returns the final weights of a state: the `result` of a learner in this state. */
  result(state: OnlineState): Promise<Float32Array>;
  /** Makes a vector of zeros where the runner reads it best, such as in shared memory. */
  allocate?(length: number): Float32Array;
}

/** The mixture of a round, and the work of its shards. */
interface MixedRound {
  readonly state: OnlineState;
  /** The weights that may differ from the initial state. Absent: any. */
  readonly changed?: Int32Array | undefined;
  /** In the order of shards. */
  readonly shards: readonly Omit<ShardResult, "state" | "changed">[];
}

/** Options of iterative parameter mixing. */
export interface MixingOptions {
  /** Number of shards: at most the number of examples. */
  readonly shards: number;
  readonly epochs: number;
  /** Determines which examples are in which shard, and their order. */
  readonly seed: number;
  /** Weighting of the shards. Default: "uniform". */
  readonly mixing?: Mixing | undefined;
  /**
   * Number of mixings per epoch: each shard is cut into this many parts, and mixed after each of them. At
   * most the number of examples of a shard. Shards learn independently between two mixings: more mixings
   * improve the result of an epoch, and transfer weights (of a sparse learner: changes) more often. Default:
   * 1.
   */
  readonly mixes?: number | undefined;
  /**
   * The final weights are the average over the steps after this epoch, once there are any; the first epochs,
   * in which weights are poor, are left out. For sparse learners. Default: 0, over all steps.
   */
  readonly averageAfter?: number | undefined;
  /** Called often while steps are running. */
  readonly onProgress?: ((progress: MixingProgress) => void) | undefined;
  /**
   * Called after each mixing at the end of an epoch, before the next step begins. The vectors of the state
   * belong to the training and are not copies.
   */
  readonly onMixed?: ((state: OnlineState, round: MixingRound) => void | Promise<void>) | undefined;
  /** A state of `onMixed`: training resumes from it, to the same weights as without the interruption. */
  readonly resume?: OnlineState | undefined;
  /** Ends training by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Trains by iterative parameter mixing (McDonald, Hall and Mann 2010): learners process one shard each from
 * the same state, their states are mixed, and this repeats. Where the perceptron separates the examples with
 * a margin γ, features of length R or less, iterative mixing with any shares does so as well: the sum over
 * epochs and shards of share · mistakes is at most (R / γ)² (their theorem 3, which is of shares that are the
 * same for all weights: not of the mixing "changed").
 *
 * The result depends only on the examples, learner and options: not on the runner, or on how many steps it
 * does at a time.
 *
 * Memory: two states, besides the runner's. Time of a mixing: the time of the shards, and O(shards · dimension)
 * to mix; with a sparse learner, memory for one state and the changes, and O(changes) to mix.
 *
 * @returns the state after the last epoch; the runner's `result` returns the final weights
 * @throws RangeError on an option out of range, more shards than examples, or a state of another learner
 * @throws the reason of the signal once that is aborted
 */
export async function mixShards(runner: ShardRunner, options: MixingOptions): Promise<OnlineState> {
  const { shards, epochs, seed, mixing = "uniform", mixes = 1, averageAfter = 0, resume, signal } = options;
  checkOptions(options);
  signal?.throwIfAborted();
  const { size, state: fresh } = await runner.start();
  if (shards > Math.max(1, size)) {
    throw new RangeError(`expected at most one shard per example, got ${shards} shards of ${size} examples`);
  }
  vectorsOf(fresh);
  const parts = Math.max(1, Math.min(mixes, Math.ceil(size / shards)));
  const runRound = roundsOf(runner, mixing);
  let state = resume === undefined ? fresh : resumed(fresh, resume);
  let since: StateChange = { round: 0 };
  while (state.epoch < epochs) {
    if (averageAfter > 0 && state.epoch === averageAfter) {
      // u of `AveragedWeights` is 0 again, and steps are counted from here.
      state.weighted.fill(0);
      state = { ...state, steps: 0 };
      since = { round: since.round };
    }
    const epoch = state.epoch + 1;
    const progress = new MixingTotals(epoch, size, shards, options.onProgress);
    const totals = new RoundTotals(shards);
    for (let part = 0; part < parts; part++) {
      const steps = Array.from({ length: shards }, (_, shard): ShardStep => {
        return { shard, shards, epoch, epochs: 1, seed, part, parts };
      });
      const round = await runRound(steps, state, {
        since,
        signal,
        onProgress: options.onProgress && ((counts) => progress.report(counts)),
      });
      if (averageAfter > 0 && round.changed === undefined) {
        throw new RangeError(
          "averageAfter requires a sparse learner: the steps of others depend on their number",
        );
      }
      for (const shard of round.shards) totals.add(shard);
      state = round.state;
      since = { round: since.round + 1, changed: round.changed };
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
 * Returns a function that runs the steps of a round and mixes their results. The mixture may be written to the vectors
 * of the initial state, which is not used afterwards.
 */
function roundsOf(
  runner: ShardRunner,
  mixing: Mixing,
): (steps: readonly ShardStep[], from: OnlineState, options: ShardStepOptions) => Promise<MixedRound> {
  const mixer = new StateMixer(mixing, runner.allocate?.bind(runner));
  return async (steps, from, { since, signal, onProgress }) => {
    const shards: MixedRound["shards"][number][] = [];
    for await (const result of runner.run(steps, from, { since, signal, onProgress })) {
      mixer.add(result, from);
      const { state: _, changed: __, ...counts } = result;
      shards.push(counts);
    }
    if (shards.length !== steps.length)
      throw new RangeError(`expected ${steps.length} results of shards, got ${shards.length}`);
    return { ...mixer.take(from), shards };
  };
}

function checkOptions({
  shards,
  epochs,
  mixing = "uniform",
  mixes = 1,
  averageAfter = 0,
}: MixingOptions): void {
  checkInteger("epochs", epochs, 1);
  checkInteger("shards", shards, 1);
  checkInteger("mixes", mixes, 1);
  checkInteger("averageAfter", averageAfter, 0);
  checkMixing(mixing);
}

/** Copies a state to resume from into the memory of a new one. */
function resumed(fresh: OnlineState, { epoch, steps, ...from }: OnlineState): OnlineState {
  const target = vectorsOf(fresh);
  const source = vectorsOf({ epoch, steps, ...from });
  const describe = (vectors: Readonly<Record<string, Float32Array>>) =>
    `${vectors.values!.length} weights and [${Object.keys(vectors).sort().join(", ")}]`;
  if (describe(source) !== describe(target)) {
    throw new RangeError(`expected to resume from ${describe(target)}, got ${describe(source)}`);
  }
  for (const [name, vector] of Object.entries(target)) vector.set(source[name]);
  return { ...fresh, epoch, steps };
}

/**
 * Makes a runner that does the steps of shards in sequence, with one learner, in this thread. Nothing
 * is copied: the results are the learner's own vectors; with a sparse learner these are the state, and the results
 * their changes.
 *
 * @throws RangeError when the learner has another dimension than the task
 */
export function runShardsHere<Output>(task: StructuredTask<Output>, learner: OnlineLearner): ShardRunner {
  const { length } = learner.weights.values;
  if (task.dimension !== length) {
    throw new RangeError(`the task has ${task.dimension} weights, but the learner ${length}`);
  }
  const trainer = new ShardTrainer(task, learner);
  return {
    async start() {
      trainer.reset();
      const state = stateOf(learner, 0);
      return { size: task.size, state: learner.sparse ? state : copyState(state) };
    },
    async *run(steps, from, options) {
      for (const step of steps) yield await trainer.run(step, from, options);
    },
    result: async (state) => trainer.result(state),
  };
}
