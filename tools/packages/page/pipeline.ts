import { connectPipeline } from "arcwise";
import { tour } from "./tour.js";

const TEXT = "Cats sings now. Dogs runs well.";

const response = await fetch("pipeline.model");
const page = await tour(new Uint8Array(await response.arrayBuffer()));

const remote = connectPipeline(
  new Worker(new URL("./pipeline-worker.ts", import.meta.url), { type: "module" }),
);
const trees = await remote.run(TEXT);
const streamed: string[] = [];
for await (const { text } of remote.stream(["Cats ru", "ns now."])) streamed.push(text);

// A worker whose script is not there.
const lost = await Promise.all(
  ["not-there.js"].map((script) =>
    connectPipeline(new Worker(script, { type: "module" }))
      .run(TEXT)
      .catch((error: { readonly code: string }) => error.code),
  ),
);
const worker = trees.map(({ words }) => words.map(({ head }) => head?.form ?? "ROOT").join(" "));
document.body.dataset.result = JSON.stringify({ page, worker, streamed, lost });
