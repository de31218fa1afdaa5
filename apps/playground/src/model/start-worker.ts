import { connectPipeline, type RemotePipeline } from "@arcwise/pipeline";
import { START } from "./start.ts";

/** A worker with a model, and its pipeline. */
export interface StartedWorker {
  readonly worker: Worker;
  readonly nlp: RemotePipeline;
}

/** Loads a model in a worker of its own: the bytes of a model, or else the model of English. */
export function startWorker(bytes?: Uint8Array): StartedWorker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.postMessage(START.seal({ bytes }));
  return { worker, nlp: connectPipeline(worker) };
}
