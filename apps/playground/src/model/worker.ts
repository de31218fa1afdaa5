import { servePipeline } from "@arcwise/pipeline";
import { callsOf } from "./calls.ts";
import { serveCalls } from "./channel.ts";
import { openPipeline } from "./open-pipeline.ts";
import { START } from "./start.ts";

/* Everything that takes time runs here: the page stays responsive. A worker has one model. */
const start = (event: MessageEvent) => {
  const message = START.open(event.data);
  if (message === undefined) return;
  self.removeEventListener("message", start);
  const pipeline = openPipeline(message.bytes);
  servePipeline(pipeline, self);
  serveCalls(pipeline.then(callsOf), self);
};
self.addEventListener("message", start);
