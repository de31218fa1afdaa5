import { abortable } from "@arcwise/core/messages";
import { type Job, type JobContext, type Place, type Shared, share, sharedData } from "@arcwise/work";
import { NetworkMean } from "../training/network-mean.ts";
import { type LearnedBatch, type NetworkSlice, NetworkSlices } from "../training/network-slices.ts";
import { copyState, type NetworkState } from "../training/network-state.ts";
import { type NetworkWork, networkTask } from "../training/network-task.ts";
import type { NetworkOrder, RunNetworkOrder } from "./network-places.ts";

/** The data that all members of a network have. */
type NetworkData = Omit<NetworkWork, "settings" | "firstMember">;

/** What determines the training of some members, in addition to the data. */
interface NetworkPlan
  extends Pick<NetworkOrder, "epochs" | "seed">,
    Pick<NetworkWork, "settings" | "firstMember"> {}

/** What all steps of a training need. */
interface NetworkInput {
  readonly data: Shared<NetworkData>;
  readonly plan: NetworkPlan;
  /** The state after the round before; undefined: the state before the first round. */
  readonly from: Shared<NetworkState> | undefined;
}

/** Trains members of a network on the slice that a shard has in a round of an epoch. */
export const networkSlice: Job<NetworkInput & { readonly slice: NetworkSlice }, LearnedSlice> = {
  name: "network-slice",
  module: import.meta.url,
  run: ({ data, plan, slice, from }, context) =>
    stepsOf(data, plan, context).learn(slice, from, context.signal),
};

/** Averages the networks of all shards of a round. */
export const networkAverage: Job<
  NetworkInput & {
    readonly at: Omit<NetworkSlice, "shard">;
    /** Of each shard, in their order. */
    readonly learned: readonly Shared<LearnedSlice>[];
  },
  LearnedSlice
> = {
  name: "network-average",
  module: import.meta.url,
  run: ({ data, plan, at, learned, from }, context) =>
    stepsOf(data, plan, context).average(at, learned, from),
};

/** Returns the steps of a training. Those of the last one are kept. */
function stepsOf(data: NetworkData, plan: NetworkPlan, { keep }: JobContext): NetworkSteps {
  const kept = keep(data, (): { plan: string; steps: NetworkSteps | undefined } => ({
    plan: "",
    steps: undefined,
  }));
  const key = JSON.stringify(plan);
  if (kept.plan !== key) kept.steps = undefined;
  kept.steps ??= new NetworkSteps(data, plan);
  kept.plan = key;
  return kept.steps;
}

/**
 * Returns a function that has members of a network trained at a place: the slice of a shard per job, and the average
 * of several shards. With one shard, a slice is an epoch.
 */
export function networksAt(place: Place): RunNetworkOrder {
  /** By the sentences, which all members have. */
  const known = new WeakMap<object, Shared<NetworkData>>();
  return async ({ work, epochs, seed, resume }, { onProgress, onEpoch, signal }) => {
    const { settings, firstMember, ...own } = work;
    const data = known.get(work.sentences) ?? share(own);
    known.set(work.sentences, data);
    const common = { data, plan: { epochs, seed, settings, firstMember } };
    const { count, mixes } = settings?.shards ?? { count: 1, mixes: 1 };
    let state: NetworkState | undefined = resume;
    for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
      let loss = 0;
      for (let round = 0; round < (count === 1 ? 1 : mixes); round++) {
        const input = { ...common, from: state && share(state) };
        const slices = Array.from({ length: count }, (_, shard) =>
          place.do(networkSlice, { ...input, slice: { epoch, round, shard } }, { signal }),
        );
        const learned = await Promise.all(slices);
        const mean =
          count === 1
            ? learned[0]!
            : await place.do(
                networkAverage,
                { ...input, at: { epoch, round }, learned: learned.map((slice) => share(slice)) },
                { signal },
              );
        ({ state, loss } = mean);
      }
      onProgress?.({ epoch, done: work.sentences.length, loss });
      // All members wait here for the slowest one, which may have been stopped.
      await abortable(Promise.resolve(onEpoch?.(state!)), signal);
    }
    return { ...state!, memory: undefined };
  };
}

/** Networks that were trained on a slice, or the mean of several. */
interface LearnedSlice {
  readonly state: NetworkState;
  /** The mean loss of a word. */
  readonly loss: number;
  readonly words: number;
}

/**
 * The steps of a training, each of which may be done by another thread or machine: in every round of an epoch, each shard trains on
 * its slice, and then the states are averaged unless there is one shard. They give the parameters of `trainNetwork`,
 * bit for bit.
 *
 * Memory: as `trainNetwork`.
 */
class NetworkSteps {
  readonly #slices: NetworkSlices;
  readonly #epochs: number;
  /** A copy of the state before the first step. */
  readonly #first: NetworkState;

  constructor(data: NetworkData, { epochs, seed, ...work }: NetworkPlan) {
    this.#epochs = epochs;
    this.#slices = new NetworkSlices(networkTask({ ...data, ...work }), { epochs, seed });
    this.#first = copyState(this.#slices.state(0));
  }

  /**
   * Trains on a slice.
   *
   * @param from the state after the round before; undefined: the state before the first round
   * @throws the reason of the signal once that is aborted
   */
  async learn(
    slice: NetworkSlice,
    from: NetworkState = this.#first,
    signal?: AbortSignal,
  ): Promise<LearnedSlice> {
    let sum = 0;
    let words = 0;
    const onBatch = (batch: LearnedBatch) => {
      sum += batch.words * batch.loss;
      words += batch.words;
    };
    this.#slices.restore(from);
    await this.#slices.learn(slice, { onBatch, signal });
    const { epoch } = slice;
    const state = this.#slices.shards === 1 ? this.#slices.state(epoch) : this.#slices.partialState(epoch);
    return { state: copyState(state), loss: sum / Math.max(1, words), words };
  }

  /**
   * Averages what the shards have learned in a round.
   *
   * @param learned of each shard, in their order
   * @param from as for `learn`
   */
  async average(
    { epoch, round }: Omit<NetworkSlice, "shard">,
    learned: readonly Shared<LearnedSlice>[],
    from: NetworkState = this.#first,
  ): Promise<LearnedSlice> {
    const mean = new NetworkMean(from);
    let sum = 0;
    let words = 0;
    for (const shared of learned) {
      const part = await sharedData(shared);
      mean.add(part.state);
      sum += part.words * part.loss;
      words += part.words;
    }
    const { memory, ...state } = mean.take();
    const isLast = epoch === this.#epochs && round === this.#slices.rounds - 1;
    const loss = sum / Math.max(1, words);
    return { state: { ...state, memory: isLast ? undefined : memory }, loss, words };
  }
}
