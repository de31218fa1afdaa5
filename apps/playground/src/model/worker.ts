import { load } from "@arcwise/english";
import { createPipeline, loadPipeline, servePipeline } from "@arcwise/pipeline";
import { callsOf } from "./calls.ts";
import { serveCalls } from "./channel.ts";
import { START } from "./start.ts";

/* Everything that takes time runs here: the page stays responsive. A worker has one model. */
const start = (event: MessageEvent) => {
  const message = START.open(event.data);
  if (message === undefined) return;
  self.removeEventListener("message", start);
  const { bytes } = message;
  const pipeline = (
    bytes === undefined ? load() : Promise.resolve(bytes).then((it) => loadPipeline(it))
  ).then((model) => createPipeline(model));
  servePipeline(pipeline, self);
  serveCalls(pipeline.then(callsOf), self);
};
self.addEventListener("message", start);
