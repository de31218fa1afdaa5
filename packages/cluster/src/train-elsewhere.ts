import { abortable } from "@arcwise/core/messages";
import type { LearnedSlice, RunNetworkOrder } from "@arcwise/parser/node";
import { here, type Job, type JobRun, type Place } from "@arcwise/work";
import { readOrMake } from "./blobs/damaged.ts";
import type { Store } from "./blobs/store.ts";
import type { Flow, StepRunner } from "./runners/runner.ts";
import { stepOrder } from "./steps/order.ts";
import { NetworkOrders, type NetworkRound, readRound, sliceName } from "./steps/train-network.ts";
import { isPart, type PartSettings, partName, readPart, writeInput } from "./steps/train-part.ts";

/** A store, and what runs the steps whose outputs are in it. */
export interface Workplace {
  readonly store: Store;
  readonly runner: StepRunner;
}

/**
 * Returns a place that has tokenisers and taggers trained by a runner of steps, each in one step, and does other jobs in
 * this thread. The progress is reported when a step is done.
 *
 * @throws from `do`, as `runner.run`
 */
export function stepsPlace({ store, runner }: Workplace): Place {
  const own = here();
  async function trained(step: PartSettings["step"], input: object, { onProgress, signal }: JobRun<object>) {
    signal?.throwIfAborted();
    const settings = await writeInput(store, step, input);
    const id = `t${partName(settings).slice(0, 24)}`;
    const flow = { id, steps: [], last: stepOrder("train-part", settings) };
    const run = () => runner.run(flow, { signal });
    await run();
    const { result, reports } = await readOrMake(() => readPart(store, settings, { signal }), run);
    for (const report of reports) onProgress?.(report);
    return result;
  }
  return {
    width: Number.POSITIVE_INFINITY,
    do<In extends object, Out, Progress>(job: Job<In, Out>, input: In, run: JobRun<Progress> = {}) {
      if (!isPart(job.name)) return own.do(job, input, run);
      return trained(job.name, input, run as JobRun<object>) as Promise<Out>;
    },
    close: async () => {},
  };
}

/**
 * Returns a function that has networks trained by a runner of steps: the slice of a shard a step, and where there are
 * several shards, their average a step. With one shard, a slice is an epoch.
 *
 * @throws from the function, as `runner.run`
 */
export function networksBy({ store, runner }: Workplace): RunNetworkOrder {
  const orders = new NetworkOrders(store);
  return async (given, { onProgress, onEpoch, signal }) => {
    signal?.throwIfAborted();
    const { resume, epochs, work } = given;
    const order = await orders.write(given);
    const { count: shards, mixes } = work.settings?.shards ?? { count: 1, mixes: 1 };
    const rounds = shards === 1 ? 1 : mixes;
    let last: LearnedSlice["state"] | undefined = resume && { ...resume, memory: undefined };
    for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
      const roundAt = (round: number): NetworkRound => ({ order, epoch, rounds, round, shards });
      const run = (round: number) => runner.run(roundFlow(roundAt(round), epochs), { signal });
      for (let round = 0; round < rounds; round++) await run(round);
      const read = () => readRound(store, roundAt(rounds - 1), { signal });
      const { state, loss } = await readOrMake(read, () => run(rounds - 1));
      onProgress?.({ epoch, done: work.sentences.length, loss });
      // All members wait here for the slowest one, which may have been stopped.
      await abortable(Promise.resolve(onEpoch?.(state)), signal);
      last = state;
    }
    return last!;
  };
}

function roundFlow(at: NetworkRound, epochs: number): Flow {
  const slices = Array.from({ length: at.shards }, (_, shard) => ({ ...at, shard }));
  const id = `n${sliceName(slices[0]!).slice(0, 24)}`;
  const steps = slices.map((slice) => stepOrder("train-network", slice));
  const { shards } = at;
  return shards === 1
    ? { id, steps: [], last: steps[0]!, epochs, shards }
    : { id, steps, last: stepOrder("average-network", at), epochs, shards };
}
