import { once } from "node:events";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { copyState, type NetworkState } from "../training/network-state.ts";
import { networkTask } from "../training/network-task.ts";
import { trainNetwork } from "../training/network-training.ts";
import type { NetworkOrder } from "./network-places.ts";
import { KEPT_EPOCH, NETWORK_ANSWER, type NetworkAnswer } from "./thread-messages.ts";

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

/**
 * Carries out an order. The thread receives the number of each epoch whose state has been kept, and begins an epoch
 * only when the one before the last is among them.
 */
async function train(port: MessagePort, { work, ...options }: NetworkOrder): Promise<void> {
  const answer = (message: NetworkAnswer) =>
    port.postMessage(
      NETWORK_ANSWER.seal(message),
      message.kind === "progress" ? [] : buffersOf(message.state),
    );
  let last = 0;
  let kept = options.resume?.epoch ?? 0;
  KEPT_EPOCH.listen(port, (epoch) => {
    kept = epoch;
  });
  const state = await trainNetwork(networkTask(work), {
    ...options,
    onProgress: (progress) => {
      const now = performance.now();
      if (now - last < REPORTED && progress.done < work.sentences.length) return;
      last = now;
      answer({ kind: "progress", progress });
    },
    onEpoch: async (reached) => {
      answer({ kind: "epoch", state: copyState(reached) });
      while (kept < reached.epoch - 1) await once(port, "message");
    },
  });
  answer({ kind: "done", state });
}

/** The memory of a state that holds copies: it goes to the other thread as it is. */
function buffersOf({ parameters, memory }: NetworkState): ArrayBuffer[] {
  return [parameters, ...(memory ? [memory.means, memory.squares] : [])].map(
    ({ buffer }) => buffer as ArrayBuffer,
  );
}

// Errors end the thread, and the one that waits for it is told.
await train(parentPort!, workerData as NetworkOrder);
