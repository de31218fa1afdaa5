import { here, type Place, type Shared, share } from "@arcwise/jobs";
import type { OnlineState } from "../online/train-online.ts";
import type { ShardRunner } from "./mixing.ts";
import type { ShardResult, ShardStep, ShardStepOptions } from "./mixing-shard.ts";
import { type ShardJob, type ShardOutputs, shardInput } from "./shard-job.ts";
import { changedEntries, type StateChanges, wholeState } from "./state-changes.ts";

/**
 * Does the steps of shards at a place without shared memory: in a store, on machines. The state of a step is the state
 * at the beginning of the epoch and what has changed since, so that who has done a step needs the last changes alone.
 */
export class ShardsByChanges<Data extends object> implements Required<ShardRunner> {
  readonly #place: Place;
  readonly #job: ShardJob<Data>;
  readonly #data: Data;
  /** Returns the initial state, and the final weights of a state. */
  readonly #here = here();
  #isSparse = false;
  /** The changes that lead to the state. */
  #from: readonly Shared<StateChanges>[] = [];

  constructor(place: Place, job: ShardJob<Data>, data: Data) {
    this.#place = place;
    this.#job = job;
    this.#data = data;
  }

  allocate(length: number): Float32Array {
    return new Float32Array(length);
  }

  async start(): Promise<{ readonly size: number; readonly state: OnlineState }> {
    const input = shardInput(this.#data, { kind: "start" });
    const { isSparse, ...started } = (await this.#here.do(this.#job, input)) as ShardOutputs["start"];
    this.#isSparse = isSparse;
    this.#from = [];
    return started;
  }

  async result(state: OnlineState): Promise<Float32Array> {
    const input = shardInput(this.#data, { kind: "result", state });
    return (await this.#here.do(this.#job, input)) as ShardOutputs["result"];
  }

  async *run(
    steps: readonly ShardStep[],
    state: OnlineState,
    { onProgress, signal, since }: ShardStepOptions,
  ): AsyncGenerator<ShardResult> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    this.#from = this.#changesTo(state, since?.changed, steps[0]?.part === 0);
    const running = steps.map((step) => {
      const input = { ...shardInput(this.#data, { kind: "changes", step }), from: this.#from };
      // A signal of its own: Node warns of more than ten listeners.
      const run = { signal: AbortSignal.any([either]) };
      const done = this.#place.do(this.#job, input, run) as Promise<ShardResult>;
      // Its error is thrown when its result is read.
      done.catch(() => {});
      return done;
    });
    try {
      for (const done of running) {
        const result = await done;
        const { state: _, changed: __, milliseconds: ___, ...counts } = result;
        onProgress?.(counts);
        yield result;
      }
    } finally {
      stop.abort();
      await Promise.allSettled(running);
    }
  }

  #changesTo(
    state: OnlineState,
    changed: Int32Array | undefined,
    isEpoch: boolean,
  ): readonly Shared<StateChanges>[] {
    if (state.epoch === 0 && state.steps === 0) return [];
    if (changed === undefined || isEpoch) return [share(wholeState(state, this.#isSparse))];
    return [...this.#from, share(changedEntries(state, changed))];
  }
}
