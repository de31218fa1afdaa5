/* A worker of a queue, until SIGTERM. The argument is the options of serveQueue as JSON. */
import { serveQueue } from "../dist/queue/index.js";

const options = JSON.parse(process.argv[2]);
const worker = await serveQueue({
  ...options,
  onNote: (line) => console.error(line),
  onDone: ({ job }, outcome) => console.log(`done ${job} ${outcome}`),
});
process.once("SIGTERM", () => worker.close({ now: true }));
console.log("ready");
