import { Tinypool } from "tinypool";
import { copyState, localRunner } from "../mixing.ts";
import { type ShardCounts, type ShardResult, type ShardStep, trainShard } from "../mixing-shard.ts";
import { vectorsOf } from "../mixing-state.ts";
import { type OnlineState, stateOf } from "../train-online.ts";
import type { ShardWork } from "./work.ts";

/** What the pool asks of a worker. All vectors are shared memory. */
export type WorkerTask =
  /** Tell the number of examples, and the state before training, in shared memory that the worker makes. */
  | { readonly kind: "start" }
  /** Do a step from a state, and write the vectors of the state at its end. */
  | {
      readonly kind: "step";
      readonly step: ShardStep;
      readonly from: OnlineState;
      readonly into: OnlineState;
      /** Counts meanwhile, in the order of `COUNTS`. */
      readonly progress: Float64Array;
    }
  /** Write the weights to keep of a state. */
  | { readonly kind: "result"; readonly state: OnlineState; readonly into: Float32Array };

export type WorkerAnswer =
  | { readonly kind: "start"; readonly size: number; readonly state: OnlineState }
  | { readonly kind: "step"; readonly result: Omit<ShardResult, "state">; readonly steps: number }
  | { readonly kind: "result" }
  /** An error that was thrown in the worker, told as data: its class does not survive the way. */
  | { readonly kind: "failure"; readonly name: string; readonly message: string; readonly stack: string };

/** The counts of `WorkerTask.progress`. */
export const COUNTS = ["done", "mistakes", "cost", "loss"] as const;

export function sharedVector(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}

/** What a module for worker threads exports. Only the pool calls it. */
export type ShardWorker = (asked: WorkerTask) => Promise<WorkerAnswer>;

/**
 * What the module of a `WorkSource` exports: how a thread makes its work of the source's data. It is made once a thread,
 * for the thread's first step. All threads, and those that take the place of failed ones, must make the same task, and a
 * learner that has learned nothing.
 */
export function shardWorker<Data, Output>(
  create: (data: Data) => ShardWork<Output> | Promise<ShardWork<Output>>,
): ShardWorker {
  let making: Promise<ShardWork<Output>> | undefined;
  return async (asked) => {
    try {
      making ??= Promise.resolve(Tinypool.workerData as Data).then(create);
      return await answer(await making, asked);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      return { kind: "failure", name: error.name, message: error.message, stack: error.stack ?? "" };
    }
  };
}

async function answer<Output>(
  { task, learner }: ShardWork<Output>,
  asked: WorkerTask,
): Promise<WorkerAnswer> {
  if (asked.kind === "start") {
    // Checks that the learner fits the task.
    localRunner(task, learner);
    return { kind: "start", size: task.size, state: copyState(stateOf(learner, 0), sharedVector) };
  }
  if (asked.kind === "result") {
    asked.into.set(await localRunner(task, learner).result(asked.state));
    return { kind: "result" };
  }
  const { step, from, into, progress } = asked;
  const onProgress = (counts: ShardCounts): void => {
    for (const [k, name] of COUNTS.entries()) progress[k] = counts[name];
  };
  const { state, ...result } = await trainShard(task, learner, step, from, { onProgress });
  const target = vectorsOf(into);
  for (const [name, vector] of Object.entries(vectorsOf(state))) target[name]!.set(vector);
  return { kind: "step", result, steps: state.steps };
}
