import type { StepRunner } from "@arcwise/cluster";
import { UsageError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";
import { printLine } from "../files/printable.ts";
import type { Trainers } from "../training/trainers.ts";
import { loadCluster, loadQueue } from "./load.ts";
import { type QueueArguments, queueOptions, requireStore, type StoreArguments } from "./options.ts";

/** The flags of `train` for several machines. */
export interface StepTrainingArguments extends QueueArguments, StoreArguments {}

/** The value of `--queue` with which the next steps are planned, for `arcwise plan`. */
const PLAN = "plan";

/** Trains in steps. */
export interface StepTraining extends Trainers {
  /**
   * Writes the plan of a training that has ended because its next steps are not done; returns its name, or undefined
   * where the error is another one.
   */
  plan(error: unknown): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Returns whether shards are to be trained in steps.
 *
 * @throws UsageError when flags for several machines do not fit together, or with the number of shards
 */
export function wantsSteps({ queue, store }: StepTrainingArguments, shards: number): boolean {
  if (queue === undefined && store === undefined) return false;
  const flag = queue !== undefined ? "--queue" : "--store";
  if (shards < 2)
    throw new UsageError(`${flag} requires --shards N, of 2 or more: one shard is trained in one step`);
  requireStore({ store });
  return true;
}

/** Opens the store, and connects to the queue if there is one; without a queue, threads run the steps. */
export async function stepTraining(
  io: Io,
  options: StepTrainingArguments,
  threads: number,
): Promise<StepTraining> {
  const { openStores, stepsPlace, threadRunner, TrainingPlanner, trainParserInSteps, trainPipelineInSteps } =
    await loadCluster();
  const addresses = requireStore(options);
  const store = await openStores(addresses);
  const planner = options.queue === PLAN ? new TrainingPlanner(store) : undefined;
  const runner = planner ?? (await connect());
  return {
    trainParser: (examples, own = {}) => trainParserInSteps(examples, { ...own, store, runner }),
    trainPipeline: (sentences, own = {}) => trainPipelineInSteps(sentences, { ...own, store, runner }),
    place: stepsPlace({ store, runner }),
    async plan(error) {
      if (planner?.hasEnded(error) !== true) return undefined;
      printLine(io, `the next steps make ${planner.size} processes, which can run at the same time`);
      return planner.write();
    },
    close: () => runner.close(),
  };

  async function connect(): Promise<StepRunner> {
    if (options.queue === undefined) return threadRunner(addresses, threads);
    return (await loadQueue()).queueRunner({ ...queueOptions(io, options), store, signal: io.signal });
  }
}
