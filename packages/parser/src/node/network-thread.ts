import { Worker } from "node:worker_threads";
import { threadFailure } from "@arcwise/core/node";
import type { NetworkState } from "../training/network-state.ts";
import type { TrainNetwork } from "../training/stages/network.ts";
import { type NetworkOrder, type NetworkRun, networkInPlaces } from "./network-places.ts";
import { KEPT_EPOCH, NETWORK_ANSWER, type NetworkAnswer } from "./thread-messages.ts";

/**
 * Returns `trainNetwork` on worker threads, among which the members of a network are divided: the same
 * parameters, bit for bit.
 *
 * Memory: the encoded sentences once more for each thread, and the states of two epochs.
 *
 * @param threads maximum number of worker threads
 */
export function networkOnThreads(threads: number): TrainNetwork {
  return networkInPlaces(threads, trainOnThread);
}

/** Trains networks in a worker thread. */
async function trainOnThread(
  order: NetworkOrder,
  { signal, onProgress, onEpoch }: NetworkRun,
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
          worker.postMessage(KEPT_EPOCH.seal(answer.state.epoch));
        }
      };
      // One answer after the other: when the last one resolves, all epochs have been kept.
      let taken = Promise.resolve();
      NETWORK_ANSWER.listen(worker, (answer) => {
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
