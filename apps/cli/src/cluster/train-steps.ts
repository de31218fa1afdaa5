import type { StepRunner } from "@arcwise/cluster";
import { ArcwiseError } from "@arcwise/core/errors";
import { UsageError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";
import type { Trainers } from "../training/trainers.ts";
import { loadCluster, loadQueue } from "./load.ts";
import { type QueueArguments, queueOptions, requireStore, type StoreArguments } from "./options.ts";

/** The flags of `train` for several machines. */
export interface StepTrainingArguments extends QueueArguments, StoreArguments {}

/** The value of `--queue` with which the data of the shards is written to the store for `arcwise plan`. */
const PLAN = "plan";

/** A trained run is not what the user asked for: its data is in the store. */
export class Prepared extends ArcwiseError {
  override readonly name = "Prepared";
  readonly run: string;

  constructor(run: string) {
    super("interrupted", `the training ${run} is prepared`);
    this.run = run;
  }
}

/** Trains in steps. */
export interface StepTraining extends Trainers {
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
  const { openStore, ordersBy, threadRunner, trainParserInSteps, trainPipelineInSteps } = await loadCluster();
  const { trainersBy } = await import("@arcwise/pipeline");
  const store = await openStore(requireStore(options));
  const isPlanned = options.queue === PLAN;
  const runner: StepRunner =
    options.queue === undefined || isPlanned
      ? threadRunner(store.address, threads)
      : await (await loadQueue()).queueRunner({ ...queueOptions(io, options), store });
  const onRun = (run: string) => {
    if (isPlanned) throw new Prepared(run);
  };
  const { jackknifeTags } = trainersBy(ordersBy({ store, runner }));
  return {
    trainParser: (examples, own = {}) => trainParserInSteps(examples, { ...own, store, runner, onRun }),
    trainPipeline: (sentences, own = {}) => trainPipelineInSteps(sentences, { ...own, store, runner, onRun }),
    jackknifeTags,
    close: () => runner.close(),
  };
}
