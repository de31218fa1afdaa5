import type { Worker } from "node:worker_threads";
import { ArcwiseError } from "../errors/arcwise-error.ts";
import { errorFromData, errorToData } from "../errors/error-data.ts";

/**
 * Waits for the end of a worker thread.
 *
 * @param what the thread, for messages: "the thread that trains a network"
 * @throws the error that the thread did not catch, with its code
 * @throws ArcwiseError `thread-lost` when the thread exits
 * @throws the reason of the signal once that is aborted
 */
export function threadFailure(worker: Worker, what: string, signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    // The class of an error is lost between threads; its members are not.
    worker.once("error", (error) => reject(errorFromData(errorToData(error))));
    worker.once("exit", (code) => {
      signal?.removeEventListener("abort", stop);
      reject(new ArcwiseError("thread-lost", `${what} ended early, with exit code ${code}`));
    });
  });
}
