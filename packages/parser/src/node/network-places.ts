import { networkSize } from "../scoring/network/network-layout.ts";
import { NetworkMean } from "../training/network-mean.ts";
import { type LearnedBatch, type NetworkSlice, NetworkSlices } from "../training/network-slices.ts";
import { copyState, joinStates, type NetworkState, stateOfMembers } from "../training/network-state.ts";
import {
  type NetworkTask,
  type NetworkTrainOptions,
  type NetworkWork,
  networkTask,
} from "../training/network-task.ts";
import type { TrainNetwork } from "../training/stages/network.ts";
import { NetworksInStep } from "./networks-in-step.ts";

/** The training of some members of a network, which may be done elsewhere. Plain data. */
export interface NetworkOrder extends Pick<NetworkTrainOptions, "epochs" | "seed" | "resume"> {
  readonly work: NetworkWork;
}

/** Progress of an order, and what ends it. */
export type NetworkRun = Pick<NetworkTrainOptions, "signal" | "onProgress" | "onEpoch">;

/** Carries out orders: on threads, or on other machines. */
export type RunNetworkOrder = (order: NetworkOrder, run: NetworkRun) => Promise<NetworkState>;

/**
 * Returns `trainNetwork` in several places, among which the members of a network are divided: the same parameters,
 * bit for bit.
 *
 * @param most maximum number of places
 */
export function networkInPlaces(most: number, train: RunNetworkOrder): TrainNetwork {
  return (task, options) => trainMembers(task, options, { most, train });
}

/** @throws as `trainNetwork`, or the error of a place that fails, which ends the other ones */
async function trainMembers(
  { work, shape, settings }: NetworkTask,
  { epochs, seed, signal, resume, ...listeners }: NetworkTrainOptions,
  { most, train }: { readonly most: number; readonly train: RunNetworkOrder },
): Promise<NetworkState> {
  signal?.throwIfAborted();
  if (work === undefined) throw new Error("expected the data of a network for trees");
  const { members } = settings;
  const count = Math.min(members, Math.max(1, most));
  const size = networkSize(shape);
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const starts = Array.from({ length: count + 1 }, (_, k) => Math.floor((k * members) / count));
  const sizes = Array.from({ length: count }, (_, k) => starts[k + 1]! - starts[k]!);
  const together = new NetworksInStep(sizes, listeners);
  const running = sizes.map((own, k) => {
    const from = starts[k]!;
    const order: NetworkOrder = {
      ...{ epochs, seed },
      work: { ...work, settings: { ...settings, members: own }, firstMember: (work.firstMember ?? 0) + from },
      resume: resume && copyState(stateOfMembers(resume, { from, count: own, size })),
    };
    return train(order, {
      signal: either,
      onProgress: (progress) => together.progress(k, progress),
      onEpoch: (state) => together.reached(k, state),
    });
  });
  try {
    return joinStates(await Promise.all(running));
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}

/** Networks that were trained on a slice, or the mean of several. */
export interface LearnedSlice {
  readonly state: NetworkState;
  /** The mean loss of a word. */
  readonly loss: number;
  readonly words: number;
}

/**
 * The steps of an order, each of which may be done by another machine: in every round of an epoch, each shard trains on
 * its slice, and then the states are averaged unless there is one shard. They give the parameters of `trainNetwork`,
 * bit for bit.
 *
 * Memory: as `trainNetwork`.
 */
export class NetworkSteps {
  readonly #slices: NetworkSlices;
  readonly #order: Pick<NetworkOrder, "epochs" | "resume">;
  /** A copy of the state before the first step. */
  readonly #first: NetworkState;

  /** @throws RangeError when the state to continue from is one of another network */
  constructor({ work, ...options }: NetworkOrder) {
    this.#order = options;
    this.#slices = new NetworkSlices(networkTask(work), options);
    this.#first = copyState(this.#slices.state(options.resume?.epoch ?? 0));
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
    learned: AsyncIterable<LearnedSlice>,
    from: NetworkState = this.#first,
  ): Promise<LearnedSlice> {
    const mean = new NetworkMean(from);
    let sum = 0;
    let words = 0;
    for await (const part of learned) {
      mean.add(part.state);
      sum += part.words * part.loss;
      words += part.words;
    }
    const { memory, ...state } = mean.take();
    const isLast = epoch === this.#order.epochs && round === this.#slices.rounds - 1;
    const loss = sum / Math.max(1, words);
    return { state: { ...state, memory: isLast ? undefined : memory }, loss, words };
  }
}
