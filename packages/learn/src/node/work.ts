import type { OnlineLearner } from "../online/online-learner.ts";
import type { StructuredTask } from "../task.ts";

/** What a worker thread works on. */
export interface ShardWork<Output> {
  readonly task: StructuredTask<Output>;
  readonly learner: OnlineLearner;
}

/** Where worker threads find their work. */
export interface WorkSource {
  /** URL of the ES module that each thread runs, such as `new URL("./work.js", import.meta.url)`. */
  readonly module: string | URL;
  /** What the module exports: the answer of `shardWorker`. Default: "work". */
  readonly name?: string;
  /**
   * What `shardWorker`'s function is given. Each thread has a copy (structured clone); a SharedArrayBuffer is
   * shared.
   */
  readonly data?: unknown;
}
