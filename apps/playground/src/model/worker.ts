import { type Pipeline, servePipeline } from "@arcwise/pipeline";
import { callsOf, type PageCall } from "./calls.ts";
import { openPipeline } from "./open-pipeline.ts";

/* Everything that takes time runs here: the page stays responsive. A worker has one model. */
let resolve!: (pipeline: Promise<Pipeline>) => void;
const pipeline = new Promise<Pipeline>((open) => {
  resolve = open;
});

const calls = {
  /** Loads a model of its bytes; the model of English without them. The other calls wait for it. */
  open: (bytes: Uint8Array | undefined) => resolve(openPipeline(bytes)),
  /** Calls a function of `callsOf`. */
  call: async ({ name, input }: PageCall) => callsOf(await pipeline)[name](input as never),
};

/** The functions of a worker in addition to its pipeline. */
export type WorkerCalls = typeof calls;

servePipeline(pipeline, self, calls);
