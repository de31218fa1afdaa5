import { random } from "@arcwise/core";
import type { OnlineLearner } from "./online.ts";
import type { StructuredTask } from "./task.ts";
import { breather, type OnlineState, restore, stateOf } from "./train-online.ts";

/** What one shard is to do between two mixings: plain data, which says with a state all that a machine needs. */
export interface ShardStep {
  /** From 0 to shards - 1. */
  readonly shard: number;
  readonly shards: number;
  /** The first epoch of the step, from 1. */
  readonly epoch: number;
  /** How many epochs: passes over the shard. */
  readonly epochs: number;
  /** Decides which examples are in which shard, and their order in each epoch. */
  readonly seed: number;
}

/** What a shard has done. Sums are over all examples of all epochs of the step. */
export interface ShardCounts {
  readonly shard: number;
  /** Examples looked at. */
  readonly done: number;
  /** Examples whose output had a cost. */
  readonly mistakes: number;
  readonly cost: number;
  readonly loss: number;
}

/** What a shard step answers. Plain data. */
export interface ShardResult extends ShardCounts {
  /** The learner's state at the end of the step. */
  readonly state: OnlineState;
  /** How long the step took. */
  readonly milliseconds: number;
}

export interface ShardStepOptions {
  /** Called every few dozen examples. */
  readonly onProgress?: (counts: ShardCounts) => void;
  /** Ends the step between two examples by throwing the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The examples of a shard, ascending. All examples are dealt out by the seed; the numbers of examples of two shards
 * differ by one at most. O(size).
 *
 * @throws RangeError when there is no such shard, or the seed is no safe integer
 */
export function shardExamples(
  size: number,
  { shard, shards, seed }: Pick<ShardStep, "shard" | "shards" | "seed">,
): Int32Array {
  if (!(Number.isInteger(shards) && shards >= 1 && Number.isInteger(shard) && shard >= 0 && shard < shards)) {
    throw new RangeError(`expected a shard from 0 to below the number of shards, got ${shard} of ${shards}`);
  }
  const all = random(seed)
    .fork(0)
    .shuffle(Int32Array.from({ length: size }, (_, index) => index));
  const from = Math.floor((shard * size) / shards);
  return all.slice(from, Math.floor(((shard + 1) * size) / shards)).sort();
}

/**
 * The shard step: sets the learner to a state and passes over the examples of one shard. The same step, state and task
 * give the same result on every machine and after everything else that the learner has done, so that a step that was
 * lost can be done again.
 *
 * Every shard counts as many steps as the largest one: a shard that has an example less ends each epoch with a step that
 * changes nothing. So the states of all shards have one number of steps and can be mixed.
 *
 * Costs the updates of epochs · size / shards examples, and O(size + dimension).
 *
 * @returns counts, and the state: its vectors are those of the learner, not copies
 * @throws RangeError when the step or the state is out of range, or belongs to another learner
 * @throws the reason of the signal once that is aborted
 */
export async function trainShard<Output>(
  task: StructuredTask<Output>,
  learner: OnlineLearner,
  step: ShardStep,
  from: OnlineState,
  { onProgress, signal }: ShardStepOptions = {},
): Promise<ShardResult> {
  const { shard, shards, epoch: first, epochs, seed } = step;
  const begin = performance.now();
  const examples = shardExamples(task.size, step);
  const most = Math.ceil(task.size / shards);
  restore(learner, from);
  const pause = breather(signal);
  const counts = { shard, done: 0, mistakes: 0, cost: 0, loss: 0 };
  for (let epoch = first; epoch < first + epochs; epoch++) {
    const order = epochStream(seed, epoch, shard, shards).shuffle(examples.slice());
    for (let k = 0; k < order.length; k++) {
      const { cost, loss } = learner.update(task, order[k]!);
      counts.done++;
      if (cost > 0) counts.mistakes++;
      counts.cost += cost;
      counts.loss += loss;
      if (await pause()) onProgress?.({ ...counts });
    }
    for (let k = order.length; k < most; k++) learner.weights.skip();
    learner.endEpoch?.();
  }
  onProgress?.({ ...counts });
  const milliseconds = performance.now() - begin;
  return { ...counts, state: stateOf(learner, first + epochs - 1), milliseconds };
}

/** One shard takes the examples in the order of `trainOnline`. */
function epochStream(seed: number, epoch: number, shard: number, shards: number) {
  const stream = random(seed).fork(epoch);
  return shards === 1 ? stream : stream.fork(shard);
}
