/* A worker of a queue, until SIGTERM. The argument is the options of serveQueue as JSON. */
import { serveQueue } from "../dist/queue/index.js";

const options = JSON.parse(process.argv[2]);
const worker = await serveQueue({
  ...options,
  onNote: (line) => console.error(line),
  onDone: ({ step }, outcome) => console.log(`done ${step} ${outcome}`),
});
process.once("SIGTERM", () => worker.close({ now: true }));
console.log("ready");
