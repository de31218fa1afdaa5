import { networkSize } from "../scoring/network/network-layout.ts";
import { copyState, joinStates, type NetworkState, stateOfMembers } from "../training/network-state.ts";
import type { NetworkTask, NetworkTrainOptions, NetworkWork } from "../training/network-task.ts";
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
