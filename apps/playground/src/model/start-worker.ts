import { type Channel, openChannel } from "@arcwise/jobs";
import { connectPipeline, type RemotePipeline } from "@arcwise/pipeline";
import type { WorkerCalls } from "./worker.ts";

/** A worker with a model, its pipeline, and the channel to its further functions. */
export interface StartedWorker {
  readonly worker: Worker;
  readonly nlp: RemotePipeline;
  readonly channel: Channel<WorkerCalls>;
}

/** Loads a model in a worker of its own: the bytes of a model, or else the model of English. */
export function startWorker(bytes?: Uint8Array): StartedWorker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const channel = openChannel<WorkerCalls>(worker);
  // A worker that is lost rejects what is asked of the pipeline.
  channel.call("open", bytes).catch(() => {});
  return { worker, nlp: connectPipeline(worker), channel };
}
