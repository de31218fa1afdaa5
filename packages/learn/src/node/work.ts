import type { OnlineLearner } from "../online/online-learner.ts";
import type { StructuredTask } from "../task.ts";

/** Work of a worker thread: a task and a learner. */
export interface ShardWork<Output> {
  readonly task: StructuredTask<Output>;
  readonly learner: OnlineLearner;
}

/** Module and data from which worker threads make their work. */
export interface WorkSource {
  /** URL of the ES module that each thread runs, such as `new URL("./work.js", import.meta.url)`. */
  readonly module: string | URL;
  /** Name of the module's export, which is the result of `shardWorker`. Default: "work". */
  readonly name?: string | undefined;
  /**
   * Argument of `shardWorker`'s function. Each thread has a copy (structured clone); a SharedArrayBuffer is
   * shared.
   */
  readonly data?: unknown;
}
