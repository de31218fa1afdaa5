import type { Place } from "@arcwise/jobs";
import { copyState, type OnlineState } from "../online/train-online.ts";
import type { ShardRunner } from "./mixing.ts";
import type { ShardCounts, ShardResult, ShardStep, ShardStepOptions } from "./mixing-shard.ts";
import {
  isInSharedMemory,
  type ShardJob,
  type ShardOutputs,
  type ShardStepRequest,
  shardInput,
  sharedIndices,
  sharedVector,
} from "./shard-job.ts";
import { ShardsByChanges } from "./shards-by-changes.ts";

/**
 * Makes a runner that does the steps of shards at a place, as many at a time as its width. The results are the same
 * as of `runShardsHere`, bit for bit.
 *
 * Weights are in shared memory: threads read the initial state of a step in place, and write the final state, or the
 * changes of a sparse learner, to shared memory. The place repeats the step of a thread that ends early. If a step
 * fails or the signal is aborted, the threads of all other steps end, since they must not write to states any longer.
 *
 * In a place without shared memory, a step reads what has changed since the step before, see `ShardsByChanges`.
 *
 * Memory, in addition to the tasks: a learner per thread, and one state, or its changes, for each of
 * min(shards, width + 1) results.
 *
 * @param job result of `shardJob`
 * @param data plain data from which the job makes the task and the learner; must not change
 */
export function runShardsAt<Data extends object>(
  place: Place,
  job: ShardJob<Data>,
  data: Data,
): Required<ShardRunner> {
  return place.isPlain === true ? new ShardsByChanges(place, job, data) : new ShardsAt(place, job, data);
}

class ShardsAt<Data extends object> implements Required<ShardRunner> {
  readonly #place: Place;
  readonly #job: ShardJob<Data>;
  readonly #data: Data;
  /** The states that results are written to, reused from one run to the next. */
  #slots: OnlineState[] = [];
  #isSparse = false;
  #training = "";

  constructor(place: Place, job: ShardJob<Data>, data: Data) {
    this.#place = place;
    this.#job = job;
    this.#data = data;
  }

  allocate(length: number): Float32Array {
    return sharedVector(length);
  }

  async start(): Promise<{ readonly size: number; readonly state: OnlineState }> {
    const input = shardInput(this.#data, { kind: "start" });
    const { isSparse, ...started } = (await this.#place.do(this.#job, input)) as ShardOutputs["start"];
    this.#isSparse = isSparse;
    this.#training = crypto.randomUUID();
    return started;
  }

  async result(state: OnlineState): Promise<Float32Array> {
    const input = shardInput(this.#data, { kind: "result", state: inSharedMemory(state) });
    return (await this.#place.do(this.#job, input)) as ShardOutputs["result"];
  }

  async *run(
    steps: readonly ShardStep[],
    from: OnlineState,
    { onProgress, signal, since }: ShardStepOptions,
  ): AsyncGenerator<ShardResult> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const shared = inSharedMemory(from);
    const changed = since?.changed && sharedIndices(since.changed);
    const common = { from: shared, since: since && { ...since, changed } };
    const free = this.#vacantSlots(shared, Math.min(steps.length, this.#place.width + 1));
    const underWay = new Map<number, Promise<ShardResult>>();
    let next = 0;
    try {
      for (let k = 0; k < steps.length; k++) {
        while (next < steps.length && free.length > 0) {
          const step = { ...common, step: steps[next], into: free.pop() };
          const begun = this.#step(step, either, onProgress);
          // Its error is thrown when its result is read.
          begun.catch(() => {});
          underWay.set(next++, begun);
        }
        const result = await underWay.get(k)!;
        underWay.delete(k);
        const { state, changed: _, milliseconds: __, ...counts } = result;
        onProgress?.(counts);
        yield result;
        free.push(this.#isSparse ? undefined : state);
      }
    } finally {
      stop.abort();
      await Promise.allSettled(underWay.values());
    }
  }

  async #step(
    step: Pick<ShardStepRequest, "step" | "from" | "since" | "into">,
    signal: AbortSignal,
    onProgress: ((counts: ShardCounts) => void) | undefined,
  ): Promise<ShardResult> {
    const input = shardInput(this.#data, { kind: "step", training: this.#training, ...step });
    const result = (await this.#place.do(this.#job, input, { signal, onProgress })) as ShardOutputs["step"];
    const { into } = step;
    // A place without shared memory returns copies.
    if (into === undefined || !isInSharedMemory(result.state)) return result;
    return { ...result, state: { ...into, epoch: result.state.epoch, steps: result.state.steps } };
  }

  /** Returns `count` states of the shape of another one; undefined for sparse learners. */
  #vacantSlots(like: OnlineState, count: number): (OnlineState | undefined)[] {
    if (this.#isSparse) return new Array<undefined>(count).fill(undefined);
    if (this.#slots[0]?.values.length !== like.values.length) this.#slots = [];
    while (this.#slots.length < count) this.#slots.push(copyState(like, sharedVector));
    return this.#slots.slice(0, count);
  }
}

function inSharedMemory(state: OnlineState): OnlineState {
  return isInSharedMemory(state) ? state : copyState(state, sharedVector);
}
