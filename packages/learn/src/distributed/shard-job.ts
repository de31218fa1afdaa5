import { type Job, type JobContext, type Resolved, type Shared, share } from "@arcwise/jobs";
import type { OnlineLearner } from "../online/online-learner.ts";
import { copyState, type OnlineState, stateOf } from "../online/train-online.ts";
import type { StructuredTask } from "../task.ts";
import { runShardsHere } from "./mixing.ts";
import { type ShardResult, type ShardStep, ShardTrainer, type StateChange } from "./mixing-shard.ts";
import { vectorsOf } from "./mixing-state.ts";
import { type StateChanges, StateReader } from "./state-changes.ts";

/** A task, and an untrained learner of its weights. */
export interface ShardWork<Output> {
  readonly task: StructuredTask<Output>;
  readonly learner: OnlineLearner;
}

/** Definition of a job of shards. */
export interface ShardJobOptions<Data extends object, Output> {
  /** Unique among the jobs of a program. */
  readonly name: string;
  /** URL of the module that exports the job: its `import.meta.url`. */
  readonly module: string;
  /** Makes the task, the same from the same data, and an untrained learner. Called once per thread. */
  readonly create: (data: Data) => ShardWork<Output> | Promise<ShardWork<Output>>;
}

/** The job of the steps of shards: see `shardJob`. Only `runShardsAt` makes its input. */
export type ShardJob<Data extends object> = Job<ShardInput<Data>, ShardOutputs[keyof ShardOutputs]>;

interface ShardInput<Data extends object> {
  readonly data: Shared<Data>;
  readonly request: ShardRequest;
  /** With the request "changes": the changes that lead to the initial state of the step. */
  readonly from?: readonly Shared<StateChanges>[] | undefined;
}

/** Plain data. Vectors in shared memory are read and written where they are. */
export type ShardRequest =
  /** Returns the number of examples and the initial state. */
  | { readonly kind: "start" }
  | ShardStepRequest
  /** Does a step from the state that `from` of the input leads to, without shared memory. */
  | { readonly kind: "changes"; readonly step: ShardStep }
  /** Returns the final weights of a state. */
  | { readonly kind: "result"; readonly state: OnlineState };

/** Does a step from a state. */
export interface ShardStepRequest {
  readonly kind: "step";
  /** Identifies the training: `since` does not apply to a learner that did the steps of another one. */
  readonly training: string;
  readonly step: ShardStep;
  readonly from: OnlineState;
  readonly since?: StateChange | undefined;
  /** Memory for the vectors of the final state. Absent for sparse learners, which report their changes. */
  readonly into?: OnlineState | undefined;
}

/** The outputs of the job by the kind of request. */
export interface ShardOutputs {
  readonly start: { readonly size: number; readonly state: OnlineState; readonly isSparse: boolean };
  readonly step: ShardResult;
  readonly changes: ShardResult;
  readonly result: Float32Array;
}

/**
 * Returns a job of the steps of shards, for `runShardsAt`. Threads and machines import it from its module and make
 * the task and the learner there, from plain data.
 *
 * @example
 * // tagging-jobs.ts
 * export const tagging = shardJob({
 *   name: "tagging-shard",
 *   module: import.meta.url,
 *   create: ({ sentences }: { readonly sentences: readonly Sentence[] }) => {
 *     const task = taggingTask(sentences);
 *     return { task, learner: perceptron(task.dimension) };
 *   },
 * });
 */
export function shardJob<Data extends object, Output>({
  name,
  module,
  create,
}: ShardJobOptions<Data, Output>): ShardJob<Data> {
  const run = async (input: Resolved<ShardInput<Data>>, context: JobContext) => {
    const make = async () => new ShardWorker(await create(input.data as Data));
    return (await context.keep(input.data as Data, make)).do(input, context);
  };
  return { name, module, run: run as ShardJob<Data>["run"] };
}

/** Returns the input of a job of shards. */
export function shardInput<Data extends object>(data: Data, request: ShardRequest): ShardInput<Data> {
  return { data: share(data), request };
}

/** Allocates a vector of zeros in shared memory. */
export function sharedVector(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}

/** Copies indices to shared memory. */
export function sharedIndices(indices: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(4 * indices.length));
  copy.set(indices);
  return copy;
}

/** Returns whether all vectors of a state are in shared memory. */
export function isInSharedMemory(state: OnlineState): boolean {
  return Object.values(vectorsOf(state)).every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}

/** Does the requests to a thread, with one task and one learner. */
class ShardWorker<Output> {
  readonly #work: ShardWork<Output>;
  readonly #trainer: ShardTrainer<Output>;
  /** The initial state of the learner. Zeros take no memory. */
  readonly #initial: OnlineState;
  #training = "";
  #reader: StateReader | undefined;

  constructor(work: ShardWork<Output>) {
    this.#work = work;
    this.#trainer = new ShardTrainer(work.task, work.learner);
    this.#initial = copyState(stateOf(work.learner, 0));
  }

  async do(
    { request, from = [] }: Pick<ShardInput<object>, "request" | "from">,
    context: JobContext,
  ): Promise<ShardOutputs[keyof ShardOutputs]> {
    const { task, learner } = this.#work;
    switch (request.kind) {
      case "start":
        // Checks that the learner fits the task.
        runShardsHere(task, learner);
        return {
          size: task.size,
          state: copyState(this.#initial, sharedVector),
          isSparse: learner.sparse === true,
        };
      case "result":
        return sharedCopy(this.#trainer.result(request.state));
      case "step":
        return this.#step(request, context);
      case "changes":
        return this.#stepByChanges(request.step, from, context);
    }
  }

  async #stepByChanges(
    step: ShardStep,
    from: readonly Shared<StateChanges>[],
    { onProgress, signal }: JobContext,
  ): Promise<ShardResult> {
    this.#reader ??= new StateReader(this.#work.learner);
    const result = await this.#trainer.run(step, await this.#reader.read(from), { onProgress, signal });
    // The state of other learners is their own.
    return result.changed ? result : { ...result, state: copyState(result.state) };
  }

  async #step(request: ShardStepRequest, context: JobContext): Promise<ShardResult> {
    const { training, step, from, since, into } = request;
    if (training !== this.#training) this.#trainer.reset();
    this.#training = training;
    const { onProgress, signal } = context;
    const result = await this.#trainer.run(step, from, { onProgress, signal, since });
    const { state, changed } = result;
    if (changed) return { ...result, state: copyState(state, sharedVector), changed: sharedIndices(changed) };
    const target = vectorsOf(into!);
    for (const [name, vector] of Object.entries(vectorsOf(state))) target[name]!.set(vector);
    return { ...result, state: { ...into!, epoch: state.epoch, steps: state.steps } };
  }
}

function sharedCopy(vector: Float32Array): Float32Array {
  const copy = sharedVector(vector.length);
  copy.set(vector);
  return copy;
}
