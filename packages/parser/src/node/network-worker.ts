import { parentPort, workerData } from "node:worker_threads";
import type { NetworkState } from "../training/network-state.ts";
import {
  type NetworkTrainOptions,
  type NetworkWork,
  networkTask,
  trainNetwork,
} from "../training/network-training.ts";

/** What the thread is asked to do. */
export interface NetworkOrder extends Pick<NetworkTrainOptions, "epochs" | "seed" | "resume"> {
  readonly work: NetworkWork;
}

/** What the thread answers. */
export type NetworkAnswer =
  | {
      readonly kind: "progress";
      readonly progress: Parameters<NonNullable<NetworkTrainOptions["onProgress"]>>[0];
    }
  | { readonly kind: "epoch" | "done"; readonly state: NetworkState };

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

async function train({ work, ...options }: NetworkOrder): Promise<void> {
  const answer = (message: NetworkAnswer) => parentPort?.postMessage(message);
  let last = 0;
  const state = await trainNetwork(networkTask(work), {
    ...options,
    onProgress: (progress) => {
      const now = performance.now();
      if (now - last < REPORTED && progress.done < work.sentences.length) return;
      last = now;
      answer({ kind: "progress", progress });
    },
    onEpoch: (reached) => answer({ kind: "epoch", state: copied(reached) }),
  });
  answer({ kind: "done", state });
}

/** Copies the vectors out of the memory of the network, of which messages would copy all. */
function copied({ parameters, memory, ...state }: NetworkState): NetworkState {
  return {
    ...state,
    parameters: parameters.slice(),
    ...(memory && { memory: { means: memory.means.slice(), squares: memory.squares.slice() } }),
  };
}

// Errors end the thread, and the one that waits for it is told.
await train(workerData as NetworkOrder);
