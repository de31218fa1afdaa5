import { Worker } from "node:worker_threads";
import type { NetworkState, NetworkTask, NetworkTrainOptions } from "../training/network-training.ts";
import type { NetworkAnswer, NetworkOrder } from "./network-worker.ts";

/**
 * `trainNetwork` in a worker thread: the same parameters, bit for bit.
 *
 * Memory: the encoded sentences once more.
 *
 * @throws as `trainNetwork`, or the error of a thread that ends early
 */
export async function trainNetworkOnThread(
  { work }: NetworkTask,
  { epochs, seed, resume, signal, onProgress, onEpoch }: NetworkTrainOptions,
): Promise<NetworkState> {
  signal?.throwIfAborted();
  if (work === undefined) throw new Error("expected the data of a network for trees");
  const order: NetworkOrder = { work, epochs, seed, resume };
  const worker = new Worker(new URL("./network-worker.js", import.meta.url), { workerData: order });
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      worker.on("error", reject);
      const take = async (answer: NetworkAnswer): Promise<void> => {
        if (answer.kind === "progress") onProgress?.(answer.progress);
        else if (answer.kind === "epoch") await onEpoch?.(answer.state);
        else resolve(answer.state);
      };
      // One answer after the other: when the last one resolves, all epochs have been kept.
      let taken = Promise.resolve();
      worker.on("message", (answer: NetworkAnswer) => {
        taken = taken.then(() => take(answer));
        taken.catch(reject);
      });
      const early = () => reject(new Error("the thread that trained a network ended early"));
      worker.on("exit", () => void taken.then(early, reject));
    });
  } finally {
    await worker.terminate();
  }
}
