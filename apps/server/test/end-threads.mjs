/**
 * Ends a worker thread of the process every END_THREADS_SECONDS seconds, whatever it does, by `node --import
 * ./end-threads.mjs PROGRAM`. The first one ends that long after the signal SIGUSR2, which says that the program has begun
 * its work.
 */
import { syncBuiltinESMExports } from "node:module";
import worker, { isMainThread } from "node:worker_threads";

const seconds = Number(process.env.END_THREADS_SECONDS ?? 0);
if (isMainThread && seconds > 0) {
  const threads = new Set();
  worker.Worker = class extends worker.Worker {
    constructor(...args) {
      super(...args);
      threads.add(this);
      this.once("exit", () => threads.delete(this));
    }
  };
  syncBuiltinESMExports();
  let next = 0;
  const endOne = () => {
    const running = [...threads];
    void running[next++ % running.length]?.terminate();
  };
  process.once("SIGUSR2", () => setInterval(endOne, seconds * 1000).unref());
}
