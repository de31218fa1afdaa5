import { invalidArgument } from "@arcwise/core/errors";
import type { Hash } from "./blobs/hash.ts";
import { readBlob, type Store } from "./blobs/store.ts";
import { StepExecutor } from "./steps/executor.ts";
import { stepOrder } from "./steps/order.ts";
import { StepOutputs } from "./steps/step-outputs.ts";

/** Options of `runShard`. */
export interface ShardRunOptions {
  /** The run, by the name that `trainParserInSteps` gives to `onRun`. */
  readonly run: Hash;
  /** From 0. Shard 0 also mixes. */
  readonly shard: number;
  /** Number of epochs of the training. */
  readonly epochs: number;
  /** Called after each round, counted from 0. */
  readonly onRound?: ((round: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds that one shard waits for the others: a week. */
const PATIENCE = 7 * 24 * 3600_000;

/**
 * Runs all steps of one shard of a run, round by round, without a queue: each process waits for the others by
 * the store. For schedulers that start a process per shard, such as an array of Slurm, or Indexed Jobs of
 * Kubernetes. A process that ends early may be started again.
 *
 * @throws ArcwiseError `invalid-argument` when the run has no such shard; what the steps throw
 * @throws the reason of the signal once that is aborted
 */
export async function runShard(
  store: Store,
  { run: name, shard, epochs, onRound, signal }: ShardRunOptions,
): Promise<void> {
  const { run, names } = await new StepOutputs(store).run(name);
  if (!(Number.isInteger(shard) && shard >= 0 && shard < run.shards))
    throw invalidArgument("shard", `an integer from 0 to ${run.shards - 1}`, String(shard));
  const executor = new StepExecutor(store, { patience: PATIENCE });
  for (let round = await firstOpenRound(); round < epochs * run.parts; round++) {
    signal?.throwIfAborted();
    await executor.run(stepOrder("train-shard", { run: name, round, shard }), { signal });
    if (shard === 0) await executor.run(stepOrder("mix", { run: name, round }), { signal });
    onRound?.(round);
  }
  const last = epochs * run.parts - 1;
  if (last >= names.first)
    await readBlob(store, names.mixture(last), "the last mixture", { signal, patience: PATIENCE });

  /** Returns the first round that has no mixture. */
  async function firstOpenRound(): Promise<number> {
    let round = names.first;
    while (round < epochs * run.parts && (await store.has(names.mixture(round)))) round++;
    return round;
  }
}
