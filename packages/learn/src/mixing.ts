import {
  type ShardCounts,
  type ShardResult,
  type ShardStep,
  type ShardStepOptions,
  trainShard,
} from "./mixing-shard.ts";
import { checkMixing, type Mixing, mixingShares, StateMixer, vectorsOf } from "./mixing-state.ts";
import type { OnlineLearner } from "./online.ts";
import type { StructuredTask } from "./task.ts";
import { type OnlineState, restore, stateOf } from "./train-online.ts";

/** Where the steps of shards are done: in this thread, in worker threads, on other machines. */
export interface ShardRunner {
  /** The number of training examples, and the state that training begins with. Called before the first `run`. */
  start(): Promise<{ readonly size: number; readonly state: OnlineState }>;
  /**
   * Does the steps, in any order and as many at a time as it likes, each from the given state as `trainShard` does, and
   * answers their results in the order of the steps. The vectors of a result stay as they are until the next result
   * is asked for, and the runner does nothing more with the state once it has answered the last.
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
   * Epochs from one mixing to the next. 1, the default, is iterative parameter mixing. As many as there are epochs, or
   * Infinity, is parameter mixing once, at the end.
   */
  readonly mixEvery?: number;
  /** Called often while shards are under way. */
  readonly onProgress?: (progress: MixingProgress) => void;
  /** Called after each mixing, before the next step begins. The vectors of the state are those of training, not copies. */
  readonly onMixed?: (state: OnlineState, round: MixingRound) => void | Promise<void>;
  /** A state of `onMixed`: training goes on from it as if it had never stopped. */
  readonly resume?: OnlineState;
  /** Ends training by throwing the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Where the shards stand on their way to the next mixing. Sums are over all shards. */
export interface MixingProgress {
  /** Epochs at the next mixing. */
  readonly epoch: number;
  /** Examples done since the last mixing, and until the next. */
  readonly done: number;
  readonly total: number;
  readonly mistakes: number;
  readonly cost: number;
  readonly loss: number;
}

/** What one mixing put together. */
export interface MixingRound {
  /** In the order of shards. */
  readonly shards: readonly MixedShard[];
}

export interface MixedShard extends ShardCounts {
  /** How much of the mixture is from this shard. */
  readonly share: number;
  /** How long its step took. With a machine a shard, the step of all takes as long as the slowest. */
  readonly milliseconds: number;
}

/**
 * Training by parameter mixing (McDonald, Hall and Mann 2010): learners pass over one shard each, from the same state,
 * and their states are mixed; again and again, which is iterative parameter mixing, or once. Where the perceptron
 * separates the examples with a margin γ, features of length R or less, iterative mixing with any shares does so as well:
 * the sum over epochs and shards of share · mistakes is at most (R / γ)² (their theorem 3). Mixing once may never separate
 * them (theorem 2).
 *
 * The result depends on the examples, learner and options alone: not on the runner, or on what it does at a time.
 *
 * Memory: two states here, beside the runner's. Time of a round: the shards', and O(shards · dimension) to mix.
 *
 * @returns the state after the last epoch; the runner's `result` gives the weights to keep
 * @throws RangeError on an option out of range, more shards than examples, or a state of another learner
 * @throws the reason of the signal once that is aborted
 */
export async function mixShards(runner: ShardRunner, options: MixingOptions): Promise<OnlineState> {
  const { shards, epochs, seed, mixing = "uniform", mixEvery = 1, resume, signal } = options;
  checkOptions(options);
  signal?.throwIfAborted();
  const { size, state: fresh } = await runner.start();
  checkShards(shards, size);
  vectorsOf(fresh);
  let state = resume === undefined ? fresh : resumed(fresh, resume);
  const mixer = new StateMixer(mixing, runner.allocate?.bind(runner));
  while (state.epoch < epochs) {
    const rounds = Math.min(mixEvery, epochs - state.epoch);
    const first = state.epoch + 1;
    const steps = Array.from({ length: shards }, (_, shard) => ({
      shard,
      shards,
      epoch: first,
      epochs: rounds,
      seed,
    }));
    const stepOptions = {
      ...(signal && { signal }),
      ...(options.onProgress && {
        onProgress: totals(state.epoch + rounds, rounds * size, shards, options.onProgress),
      }),
    };
    const done: Omit<ShardResult, "state">[] = [];
    for await (const { state: end, ...rest } of runner.run(steps, state, stepOptions)) {
      mixer.add({ state: end, mistakes: rest.mistakes });
      done.push(rest);
    }
    if (done.length !== shards)
      throw new RangeError(`expected ${shards} results of shards, got ${done.length}`);
    state = mixer.take(state);
    const shares = mixingShares(done, mixing);
    await options.onMixed?.(state, { shards: done.map((one, s) => ({ ...one, share: shares[s]! })) });
    signal?.throwIfAborted();
  }
  return state;
}

function checkOptions({ shards, epochs, mixing = "uniform", mixEvery = 1 }: MixingOptions): void {
  if (!Number.isInteger(epochs) || epochs < 1)
    throw new RangeError(`epochs must be an integer >= 1, got ${epochs}`);
  if (!Number.isInteger(shards) || shards < 1)
    throw new RangeError(`shards must be an integer >= 1, got ${shards}`);
  if (!(mixEvery === Infinity || (Number.isInteger(mixEvery) && mixEvery >= 1)))
    throw new RangeError(`mixEvery must be an integer >= 1 or Infinity, got ${mixEvery}`);
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

/** Adds up the progress of shards. A shard that is done again counts from its new beginning. */
function totals(
  epoch: number,
  total: number,
  shards: number,
  tell: (progress: MixingProgress) => void,
): (counts: ShardCounts) => void {
  const latest = Array.from({ length: shards }, (_, shard) => ({
    shard,
    done: 0,
    mistakes: 0,
    cost: 0,
    loss: 0,
  }));
  return (counts) => {
    latest[counts.shard] = { ...counts };
    const sum = (key: "done" | "mistakes" | "cost" | "loss") =>
      latest.reduce((all, one) => all + one[key], 0);
    tell({
      epoch,
      total,
      done: sum("done"),
      mistakes: sum("mistakes"),
      cost: sum("cost"),
      loss: sum("loss"),
    });
  };
}

/**
 * Does the steps of shards one after the other, with one learner, in this thread. No copies: the results are the
 * learner's own vectors.
 *
 * @throws RangeError when the learner is of another dimension than the task
 */
export function localRunner<Output>(task: StructuredTask<Output>, learner: OnlineLearner): ShardRunner {
  const { length } = learner.weights.values;
  if (task.dimension !== length) {
    throw new RangeError(`the task has ${task.dimension} weights, but the learner ${length}`);
  }
  return {
    start: async () => ({ size: task.size, state: copyState(stateOf(learner, 0)) }),
    async *run(steps, from, options) {
      for (const step of steps) yield await trainShard(task, learner, step, from, options);
    },
    async result(state) {
      restore(learner, state);
      return learner.result();
    },
  };
}

/** The state with vectors of its own, made by `allocate`. */
export function copyState(
  { values, weighted, memory, ...rest }: OnlineState,
  allocate = (length: number): Float32Array => new Float32Array(length),
): OnlineState {
  const copy = (vector: Float32Array): Float32Array => {
    const own = allocate(vector.length);
    own.set(vector);
    return own;
  };
  const copied =
    memory && Object.fromEntries(Object.entries(memory).map(([name, vector]) => [name, copy(vector)]));
  return { ...rest, values: copy(values), weighted: copy(weighted), ...(copied && { memory: copied }) };
}

/**
 * `mixShards` in this thread, as `trainOnline` does serial training: the learner begins with what it has, and at the end
 * it is in the state after the last epoch, so that `learner.result()` gives the weights to keep. With one shard it learns
 * what `trainOnline` does, bit for bit.
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
