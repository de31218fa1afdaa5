import { invalidArgument } from "@arcwise/core/errors";
import type { Hash } from "./blobs/hash.ts";
import { readOutput } from "./blobs/outputs.ts";
import type { Store } from "./blobs/store.ts";
import { type PlannedProcess, readPlan } from "./planner.ts";
import { StepExecutor } from "./steps/executor.ts";
import { stepOrder } from "./steps/order.ts";
import { StepOutputs } from "./steps/step-outputs.ts";
import { type NetworkRound, roundsFrom } from "./steps/train-network.ts";

/** Options of `runProcess`. */
export interface ProcessOptions {
  /** The plan, by the name that `TrainingPlanner.write` returns. */
  readonly plan: Hash;
  /** Which of its processes, from 0. */
  readonly index: number;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds that a process waits for the others: a week. */
const PATIENCE = 7 * 24 * 3600_000;

/**
 * Runs one process of a plan, without a queue: processes wait for each other by the store. For schedulers that start a
 * process each, such as an array of Slurm, or Indexed Jobs of Kubernetes. The first shard also mixes. A process that
 * ends early may be started again.
 *
 * @throws ArcwiseError `missing-blob` when the store has no such plan, `invalid-argument` when it has no such process;
 *   what the steps throw
 * @throws the reason of the signal once that is aborted
 */
export async function runProcess(store: Store, { plan, index, signal }: ProcessOptions): Promise<void> {
  const { processes } = await readPlan(store, plan);
  const process = processes[index];
  if (process === undefined)
    throw invalidArgument("index", `an integer from 0 to ${processes.length - 1}`, String(index));
  const executor = new StepExecutor(store, { patience: PATIENCE });
  switch (process.work) {
    case "part":
      await executor.run(stepOrder("train-part", process.settings), { signal });
      return;
    case "shard":
      return runShard(store, executor, process, signal);
    case "network":
      return runNetwork(executor, process, signal);
  }
}

type Process<Work extends PlannedProcess["work"]> = Extract<PlannedProcess, { readonly work: Work }>;

/** Runs all steps of a shard of weights. */
async function runShard(
  store: Store,
  executor: StepExecutor,
  { run: name, shard, epochs }: Process<"shard">,
  signal: AbortSignal | undefined,
): Promise<void> {
  const outputs = new StepOutputs(store);
  const { run, names } = await outputs.run(name);
  for (let round = await firstOpenRound(); round < epochs * run.parts; round++) {
    signal?.throwIfAborted();
    await executor.run(stepOrder("train-shard", { run: name, round, shard }), { signal });
    if (shard === 0) await executor.run(stepOrder("mix", { run: name, round }), { signal });
  }
  const last = epochs * run.parts - 1;
  if (last >= names.first)
    await readOutput(store, {
      name: names.mixture(last),
      what: "the last mixture",
      decode: (bytes) => bytes,
      signal,
      patience: PATIENCE,
    });

  /** Returns the first round without a mixture, or without the state after it. */
  async function firstOpenRound(): Promise<number> {
    let round = names.first;
    const isDone = (at: number) => outputs.isDone(stepOrder("mix", { run: name, round: at }));
    while (round < epochs * run.parts && (await isDone(round))) round++;
    return round;
  }
}

/** Runs all steps of a shard of a network. */
async function runNetwork(
  executor: StepExecutor,
  { first, shard, epochs }: Process<"network">,
  signal: AbortSignal | undefined,
): Promise<void> {
  const average = (at: NetworkRound) => executor.run(stepOrder("average-network", at), { signal });
  for (const at of roundsFrom(first, epochs)) {
    signal?.throwIfAborted();
    await executor.run(stepOrder("train-network", { ...at, shard }), { signal });
    if (shard === 0 && at.shards > 1) await average(at);
  }
}
