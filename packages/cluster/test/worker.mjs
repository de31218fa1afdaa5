/* A worker of a queue. The argument is the options of serveQueue as JSON. */
import { serveQueue } from "../dist/queue/index.js";

const options = JSON.parse(process.argv[2]);
await serveQueue({
  ...options,
  onNote: (line) => console.error(line),
  onDone: ({ step }, outcome) => console.log(`done ${step} ${outcome}`),
});
console.log("ready");
