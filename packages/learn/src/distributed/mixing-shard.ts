import { random } from "@arcwise/core";
import { yieldToEventLoop } from "../event-loop.ts";
import type { OnlineLearner } from "../online/online-learner.ts";
import { type OnlineState, restore, stateOf } from "../online/train-online.ts";
import { ChangeLog } from "../online/weights.ts";
import type { StructuredTask } from "../task.ts";

/**
 * Work of one shard between two mixings: plain data, which together with a state describes the step
 * completely.
 */
export interface ShardStep {
  /** From 0 to shards - 1. */
  readonly shard: number;
  readonly shards: number;
  /** The first epoch of the step, from 1. */
  readonly epoch: number;
  /** Number of epochs over the shard. */
  readonly epochs: number;
  /** Determines which examples are in which shard, and their order in each epoch. */
  readonly seed: number;
  /**
   * The part of the epoch that the step covers, from 0 to `parts` - 1, when there are several mixings per
   * epoch. Default: 0 of 1.
   */
  readonly part?: number | undefined;
  readonly parts?: number | undefined;
}

/** Counts of a shard. Sums are over all examples of all epochs of the step. */
export interface ShardCounts {
  readonly shard: number;
  /** Number of examples processed. */
  readonly done: number;
  /** Number of examples whose output had a cost. */
  readonly mistakes: number;
  readonly cost: number;
  readonly loss: number;
}

/** Result of a shard step. Plain data. */
export interface ShardResult extends ShardCounts {
  /** The learner's state at the end of the step, or the entries that the step changed. */
  readonly state: OnlineState;
  /**
   * Weights of the entries of the state's vectors, ascending; all other weights are as at the beginning of the
   * step. Absent if the vectors have an entry for every weight, which depends on whether the learner is
   * `sparse`.
   */
  readonly changed?: Int32Array | undefined;
  /** Time of the step. */
  readonly milliseconds: number;
}

/** Options of the step of a shard. */
export interface ShardStepOptions {
  /** Called every few dozen examples. */
  readonly onProgress?: ((counts: ShardCounts) => void) | undefined;
  /** Ends the step between two examples by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Avoids copying what has not changed since the state of the previous round. Optional.
   */
  readonly since?: StateChange | undefined;
}

/** Relation of a state to others of the same training. */
export interface StateChange {
  /** Number of previous mixings. */
  readonly round: number;
  /** The weights that may differ from the previous round. Absent: any. */
  readonly changed?: Int32Array | undefined;
}

/**
 * Returns the examples of a shard, ascending. The seed determines the distribution of examples; the sizes of
 * two shards differ by at most one. O(size).
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
 * Does one shard step: restores the learner from a state and updates it on the examples of one shard. The
 * same step, state and task give the same result on every machine, whatever the learner did before, so that a
 * lost step can be repeated.
 *
 * Every shard counts as many steps as the largest one: a shard with one example less ends each epoch with a
 * step without changes. So the states of all shards have the same number of steps and can be mixed.
 *
 * Costs the updates of epochs · size / (shards · parts) examples, and O(size + dimension).
 *
 * @returns counts, and the state. Its vectors belong to the learner and are not copies; a sparse learner has
 *   new ones with the entries that changed
 * @throws RangeError when the step or the state is out of range, or belongs to another learner
 * @throws the reason of the signal once that is aborted
 */
export async function trainShard<Output>(
  task: StructuredTask<Output>,
  learner: OnlineLearner,
  step: ShardStep,
  from: OnlineState,
  options: Omit<ShardStepOptions, "since"> = {},
): Promise<ShardResult> {
  const { since: _, ...others }: ShardStepOptions = options;
  const result = await new ShardTrainer(task, learner).run(step, from, others);
  const { values, weighted } = learner.weights;
  for (const [k, index] of result.changed?.entries() ?? []) {
    values[index] = result.state.values[k];
    weighted[index] = result.state.weighted[k];
  }
  return result;
}

/**
 * Does shard steps in sequence, as `trainShard`. After a step, a sparse learner has the weights before it
 * again: a state may have the learner's own vectors, which need not be restored. From a state with other vectors it
 * is restored in time proportional to the changes since the round of the last step, if that was the same or the
 * previous one, and otherwise to the dimension.
 */
export class ShardTrainer<Output> {
  readonly #task: StructuredTask<Output>;
  readonly #learner: OnlineLearner;
  readonly #log: ChangeLog | undefined;
  /** The round whose initial state a sparse learner has. */
  #round: number | undefined;
  /** The examples of each shard in the order of its latest epoch. */
  readonly #orders = new Map<number, { readonly key: string; readonly order: Int32Array }>();

  constructor(task: StructuredTask<Output>, learner: OnlineLearner) {
    this.#task = task;
    this.#learner = learner;
    if (learner.sparse) this.#log = new ChangeLog(learner.weights.values.length);
  }

  /** Forgets which state the learner has, for another training. */
  reset(): void {
    this.#round = undefined;
  }

  /** Returns the final weights of a state. */
  result(state: OnlineState): Float32Array {
    this.reset();
    restore(this.#learner, state);
    return this.#learner.result();
  }

  async run(
    step: ShardStep,
    from: OnlineState,
    { onProgress, signal, since }: ShardStepOptions = {},
  ): Promise<ShardResult> {
    const { weights } = this.#learner;
    const begin = performance.now();
    checkPart(step);
    this.#begin(from, since);
    const log = this.#log;
    try {
      weights.changes = log;
      const counts = await this.#pass(step, yieldToEventLoop(signal), onProgress);
      const { parts = 1, part = 0, epoch, epochs } = step;
      const state = stateOf(this.#learner, part === parts - 1 ? epoch + epochs - 1 : epoch - 1);
      const changed = log?.indices();
      const milliseconds = performance.now() - begin;
      return {
        ...counts,
        ...(changed ? { state: sparseState(state, changed), changed } : { state }),
        milliseconds,
      };
    } finally {
      weights.changes = undefined;
      log?.undo(weights);
    }
  }

  /** Restores the learner from a state. */
  #begin(from: OnlineState, since: StateChange | undefined): void {
    const { weights } = this.#learner;
    const round = this.#round;
    this.#round = undefined;
    const rounds = since && round !== undefined ? since.round - round : -1;
    if (this.#log !== undefined && from.values === weights.values && from.weighted === weights.weighted)
      weights.steps = from.steps;
    else if (rounds === 0 || (rounds === 1 && since?.changed)) {
      if (rounds === 1) copyEntries(from, weights, since!.changed!);
      weights.steps = from.steps;
    } else restore(this.#learner, from);
    if (this.#log !== undefined) this.#round = since?.round;
  }

  async #pass(
    step: ShardStep,
    pause: () => boolean | Promise<boolean>,
    onProgress: ShardStepOptions["onProgress"],
  ): Promise<ShardCounts> {
    const { shard, shards, epoch: first, epochs, part = 0, parts = 1 } = step;
    const learner = this.#learner;
    const { size } = this.#task;
    const counts = { shard, done: 0, mistakes: 0, cost: 0, loss: 0 };
    const partOf = (examples: number) => [part, part + 1].map((p) => Math.floor((p * examples) / parts));
    const most = Math.max(
      ...[Math.floor(size / shards), Math.ceil(size / shards)].map((examples) => {
        const [from, to] = partOf(examples);
        return to! - from!;
      }),
    );
    for (let epoch = first; epoch < first + epochs; epoch++) {
      const order = this.#orderOf(step, epoch);
      const [from, to] = partOf(order.length);
      for (let k = from!; k < to!; k++) {
        const { cost, loss } = learner.update(this.#task, order[k]);
        counts.done++;
        if (cost > 0) counts.mistakes++;
        counts.cost += cost;
        counts.loss += loss;
        if (await pause()) onProgress?.({ ...counts });
      }
      for (let k = to! - from!; k < most; k++) learner.weights.skip();
      learner.endEpoch?.();
    }
    onProgress?.({ ...counts });
    return counts;
  }

  #orderOf(step: ShardStep, epoch: number): Int32Array {
    const { shard, shards, seed } = step;
    const { size } = this.#task;
    const key = `${seed} ${size} ${shards} ${epoch}`;
    const known = this.#orders.get(shard);
    if (known?.key === key) return known.order;
    const order = epochStream(seed, epoch, shard, shards).shuffle(shardExamples(size, step));
    this.#orders.set(shard, { key, order });
    return order;
  }
}

function checkPart({ part = 0, parts = 1, epochs }: ShardStep): void {
  if (!(Number.isInteger(parts) && parts >= 1 && Number.isInteger(part) && part >= 0 && part < parts)) {
    throw new RangeError(`expected a part from 0 to below the number of parts, got ${part} of ${parts}`);
  }
  if (parts > 1 && epochs !== 1)
    throw new RangeError(`a part requires exactly one epoch, got ${epochs} epochs`);
}

/** Returns the entries of a state at some weights. O(their number). */
export function sparseState(
  { epoch, steps, values, weighted }: OnlineState,
  indices: Int32Array,
): OnlineState {
  const select = (vector: Float32Array): Float32Array => {
    const chosen = new Float32Array(indices.length);
    for (let k = 0; k < indices.length; k++) chosen[k] = vector[indices[k]];
    return chosen;
  };
  return { epoch, steps, values: select(values), weighted: select(weighted) };
}

function copyEntries(
  from: Pick<OnlineState, "values" | "weighted">,
  { values, weighted }: Pick<OnlineState, "values" | "weighted">,
  indices: Int32Array,
): void {
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k];
    values[i] = from.values[i];
    weighted[i] = from.weighted[i];
  }
}

/** Returns the random stream of an epoch; with one shard, the stream of `trainOnline`. */
function epochStream(seed: number, epoch: number, shard: number, shards: number) {
  const stream = random(seed).fork(epoch);
  return shards === 1 ? stream : stream.fork(shard);
}
