import type { Patience, Store } from "../blobs/store.ts";
import { evaluateModel } from "./evaluate-model.ts";
import { LoadedModel } from "./loaded-model.ts";
import { checkOrder, type StepOrder } from "./order.ts";
import { parseChunk } from "./parse-chunk.ts";
import { ParserRounds, type StepRun } from "./parser-rounds.ts";
import { StepOutputs } from "./step-outputs.ts";
import { NetworkTrainer } from "./train-network.ts";
import { trainPart } from "./train-part.ts";

/** Whether a step was run, or its output was in the store. */
export type StepOutcome = "run" | "present";

/** Options of `StepExecutor`. */
export interface ExecutorOptions extends Patience {
  /** URLs of the modules that the data of trainings may name, see `checkModules`. Default: any. */
  readonly modules?: readonly string[] | undefined;
}

/**
 * Runs steps. A step whose output is in the store is not run again, so that steps may be repeated, be run
 * twice at a time, and be given to several workers.
 *
 * Keeps what the next step of the same training needs, see `ParserRounds`.
 */
export class StepExecutor {
  readonly #outputs: StepOutputs;
  readonly #rounds: ParserRounds;
  readonly #models: LoadedModel;
  readonly #networks: NetworkTrainer;
  readonly #store: Store;
  readonly #patience: Patience;

  constructor(store: Store, { modules, ...patience }: ExecutorOptions = {}) {
    this.#store = store;
    this.#patience = patience;
    this.#outputs = new StepOutputs(store, patience);
    this.#rounds = new ParserRounds(store, this.#outputs, { ...patience, modules });
    this.#models = new LoadedModel(store);
    this.#networks = new NetworkTrainer(store, patience);
  }

  /**
   * Runs a step unless its output is in the store.
   *
   * @throws as `checkOrder`; ArcwiseError `missing-blob` when the store lacks an input; what the step throws
   */
  async run(order: StepOrder, run: StepRun = {}): Promise<StepOutcome> {
    checkOrder(order);
    if (await this.#outputs.isDone(order)) return "present";
    await this.#run(order, run);
    return "run";
  }

  #run({ step, settings }: StepOrder, run: StepRun): Promise<void> {
    const reading = { ...this.#patience, signal: run.signal };
    switch (step) {
      case "train-shard":
        return this.#rounds.trainShard(settings.run, settings.round, settings.shard, run);
      case "mix":
        return this.#rounds.mix(settings.run, settings.round, run);
      case "train-part":
        return trainPart(this.#store, settings, reading);
      case "train-network":
        return this.#networks.train(settings, run.signal);
      case "average-network":
        return this.#networks.average(settings, run.signal);
      case "parse-chunk":
        return parseChunk(this.#store, this.#models, settings, reading);
      case "evaluate":
        return evaluateModel(this.#store, this.#models, settings, reading);
    }
  }
}
