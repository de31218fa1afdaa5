import { Tinypool } from "tinypool";
import { localRunner } from "../distributed/mixing.ts";
import {
  type ShardCounts,
  type ShardResult,
  type ShardStep,
  ShardTrainer,
  type StateChange,
} from "../distributed/mixing-shard.ts";
import { vectorsOf } from "../distributed/mixing-state.ts";
import { copyState, type OnlineState, stateOf } from "../online/train-online.ts";
import type { ShardWork } from "./work.ts";

/** What the pool asks of a worker. All vectors are shared memory. */
export type WorkerTask =
  /**
   * Reports the number of examples, and the state before training, in shared memory that the worker makes.
   */
  | { readonly kind: "start" }
  /** Do a step from a state, and write the vectors of the state at its end. */
  | {
      readonly kind: "step";
      /** What a learner did in another training says nothing of where it stands in this one. */
      readonly training: number;
      readonly step: ShardStep;
      readonly from: OnlineState;
      readonly since?: StateChange;
      /** Absent with sparse learners: what they change is written to memory that the worker makes. */
      readonly into?: OnlineState;
      /** Counts meanwhile, in the order of `COUNTS`. */
      readonly progress: Float64Array;
    }
  /** Write the weights to keep of a state. */
  | { readonly kind: "result"; readonly state: OnlineState; readonly into: Float32Array };

export type WorkerAnswer =
  | { readonly kind: "start"; readonly size: number; readonly state: OnlineState; readonly sparse: boolean }
  /** The state's vectors are those of `into`, if there is one. */
  | { readonly kind: "step"; readonly result: ShardResult }
  | { readonly kind: "result" }
  /** An error that was thrown in the worker, as data: its class is not transferred. */
  | { readonly kind: "failure"; readonly name: string; readonly message: string; readonly stack: string };

/** The counts of `WorkerTask.progress`. */
export const COUNTS = ["done", "mistakes", "cost", "loss"] as const;

export function sharedVector(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}

export function sharedIndices(indices: Int32Array): Int32Array {
  const own = new Int32Array(new SharedArrayBuffer(4 * indices.length));
  own.set(indices);
  return own;
}

/** What a module for worker threads exports. Only the pool calls it. */
export type ShardWorker = (asked: WorkerTask) => Promise<WorkerAnswer>;

/**
 * What the module of a `WorkSource` exports: how a thread makes its work of the source's data. It is made
 * once a thread, for the thread's first step. All threads, and those that take the place of failed ones, must
 * make the same task, and a learner that has learned nothing.
 */
export function shardWorker<Data, Output>(
  create: (data: Data) => ShardWork<Output> | Promise<ShardWork<Output>>,
): ShardWorker {
  let making: Promise<Worker<Output>> | undefined;
  return async (asked) => {
    try {
      making ??= Promise.resolve(Tinypool.workerData as Data)
        .then(create)
        .then((work) => new Worker(work));
      const worker = await making;
      return await worker.answer(asked);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      return { kind: "failure", name: error.name, message: error.message, stack: error.stack ?? "" };
    }
  };
}

class Worker<Output> {
  readonly #work: ShardWork<Output>;
  readonly #trainer: ShardTrainer<Output>;
  /** Gives the learner's state before it learned anything, in shared memory. */
  readonly #fresh: () => OnlineState;
  #training = -1;

  constructor(work: ShardWork<Output>) {
    this.#work = work;
    this.#trainer = new ShardTrainer(work.task, work.learner);
    this.#fresh = freshState(stateOf(work.learner, 0));
  }

  async answer(asked: WorkerTask): Promise<WorkerAnswer> {
    const { task, learner } = this.#work;
    if (asked.kind === "start") {
      // Checks that the learner fits the task.
      localRunner(task, learner);
      return { kind: "start", size: task.size, state: this.#fresh(), sparse: learner.sparse === true };
    }
    if (asked.kind === "result") {
      asked.into.set(this.#trainer.result(asked.state));
      return { kind: "result" };
    }
    return { kind: "step", result: await this.#step(asked) };
  }

  async #step(asked: Extract<WorkerTask, { kind: "step" }>): Promise<ShardResult> {
    const { training, step, from, since, into, progress } = asked;
    if (training !== this.#training) this.#trainer.reset();
    this.#training = training;
    const onProgress = (counts: ShardCounts): void => {
      for (const [k, name] of COUNTS.entries()) progress[k] = counts[name];
    };
    const { state, changed, ...result } = await this.#trainer.run(step, from, {
      onProgress,
      ...(since && { since }),
    });
    if (changed) return { ...result, state: copyState(state, sharedVector), changed: sharedIndices(changed) };
    // Into where the result is read.
    const target = vectorsOf(into!);
    for (const [name, vector] of Object.entries(vectorsOf(state))) target[name]!.set(vector);
    return { ...result, state: { ...into!, epoch: state.epoch, steps: state.steps } };
  }
}

/** Remembers a state: one that is nothing but zeros without a copy of it. O(dimension). */
function freshState(state: OnlineState): () => OnlineState {
  const isZero = (vector: Float32Array) => vector.every((value) => value === 0);
  if (!Object.values(vectorsOf(state)).every(isZero)) {
    const kept = copyState(state);
    return () => copyState(kept, sharedVector);
  }
  const { epoch, steps, values, memory } = state;
  const zeros = () => sharedVector(values.length);
  const names = memory && Object.keys(memory);
  return () => ({
    epoch,
    steps,
    values: zeros(),
    weighted: zeros(),
    ...(names && { memory: Object.fromEntries(names.map((name) => [name, zeros()])) }),
  });
}
