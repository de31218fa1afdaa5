import { Worker } from "node:worker_threads";
import { threadFailure } from "@arcwise/core/node";
import { networkSize } from "../scoring/network/network-layout.ts";
import { copyState, joinStates, type NetworkState, stateOfMembers } from "../training/network-state.ts";
import type { NetworkTask, NetworkTrainOptions } from "../training/network-training.ts";
import type { TrainNetwork } from "../training/stages/network.ts";
import type { NetworkAnswer, NetworkOrder } from "./network-worker.ts";
import { NetworksInStep } from "./networks-in-step.ts";

/**
 * Returns `trainNetwork` on worker threads, among which the members of a network are divided: the same
 * parameters, bit for bit.
 *
 * Memory: the encoded sentences once more for each thread, and the states of two epochs.
 *
 * @param threads maximum number of worker threads
 */
export function networkOnThreads(threads: number): TrainNetwork {
  return (task, options) => train(task, options, threads);
}

/** @throws as `trainNetwork`, or the error of a thread that ends early, which ends the other ones */
async function train(
  { work, shape, settings }: NetworkTask,
  { epochs, seed, signal, resume, ...listeners }: NetworkTrainOptions,
  threads: number,
): Promise<NetworkState> {
  signal?.throwIfAborted();
  if (work === undefined) throw new Error("expected the data of a network for trees");
  const { members } = settings;
  const count = Math.min(members, Math.max(1, threads));
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
    return trainOnThread(order, {
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

/** Trains networks in a worker thread. */
async function trainOnThread(
  order: NetworkOrder,
  { signal, onProgress, onEpoch }: Pick<NetworkTrainOptions, "signal" | "onProgress" | "onEpoch">,
): Promise<NetworkState> {
  const worker = new Worker(new URL("./network-worker.js", import.meta.url), { workerData: order });
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      const take = async (answer: NetworkAnswer): Promise<void> => {
        if (answer.kind === "progress") onProgress?.(answer.progress);
        else if (answer.kind === "done") resolve(answer.state);
        else {
          await onEpoch?.(answer.state);
          worker.postMessage(answer.state.epoch);
        }
      };
      // One answer after the other: when the last one resolves, all epochs have been kept.
      let taken = Promise.resolve();
      worker.on("message", (answer: NetworkAnswer) => {
        taken = taken.then(() => take(answer));
        taken.catch(reject);
      });
      threadFailure(worker, "a thread that trains networks").catch((error: unknown) =>
        taken.then(() => reject(error), reject),
      );
    });
  } finally {
    await worker.terminate();
  }
}
