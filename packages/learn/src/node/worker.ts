import { type ErrorData, errorToData } from "@arcwise/core/errors";
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

/** Request of the pool to a worker. All vectors are in shared memory. */
export type WorkerTask =
  /**
   * Reports the number of examples, and the state before training, in shared memory that the worker makes.
   */
  | { readonly kind: "start" }
  /** Does a step from a state, and writes the vectors of the final state. */
  | {
      readonly kind: "step";
      /** Identifies the training: a learner's position in another training does not apply to this one. */
      readonly training: number;
      readonly step: ShardStep;
      readonly from: OnlineState;
      readonly since?: StateChange | undefined;
      /** Absent with sparse learners: their changes are written to memory that the worker makes. */
      readonly into?: OnlineState | undefined;
      /** Current counts, in the order of `COUNTS`. */
      readonly progress: Float64Array;
    }
  /** Writes the final weights of a state. */
  | { readonly kind: "result"; readonly state: OnlineState; readonly into: Float32Array };

export type WorkerAnswer =
  | { readonly kind: "start"; readonly size: number; readonly state: OnlineState; readonly sparse: boolean }
  /** The state's vectors are the vectors of `into`, if there is one. */
  | { readonly kind: "step"; readonly result: ShardResult }
  | { readonly kind: "result" }
  | { readonly kind: "failure"; readonly error: ErrorData };

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

/** Export of a module for worker threads. Only the pool calls it. */
export type ShardWorker = (asked: WorkerTask) => Promise<WorkerAnswer>;

/**
 * Makes the export of a `WorkSource`'s module from a function that makes the work of a thread from the
 * source's data. The function is called once per thread, before its first step. All threads, including
 * replacements, must make the same task, and an untrained learner.
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
      return { kind: "failure", error: errorToData(thrown) };
    }
  };
}

class Worker<Output> {
  readonly #work: ShardWork<Output>;
  readonly #trainer: ShardTrainer<Output>;
  /** The learner's initial state, in shared memory. */
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
      since,
    });
    if (changed) return { ...result, state: copyState(state, sharedVector), changed: sharedIndices(changed) };
    // Write to the memory from which the result is read.
    const target = vectorsOf(into!);
    for (const [name, vector] of Object.entries(vectorsOf(state))) target[name].set(vector);
    return { ...result, state: { ...into!, epoch: state.epoch, steps: state.steps } };
  }
}

/** Returns a function that restores a state; a state of zeros is not copied. O(dimension). */
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
    memory: names && Object.fromEntries(names.map((name) => [name, zeros()])),
  });
}
