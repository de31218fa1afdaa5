import type { ReadOptions, Store } from "../blobs/store.ts";
import { checkVersion, type StepOrder } from "./order.ts";
import { ChunkParser } from "./parse-chunk.ts";
import { ParserRounds, type StepRun } from "./parser-rounds.ts";
import { StepOutputs } from "./step-outputs.ts";

/** Whether a step was run, or its output was in the store. */
export type StepOutcome = "run" | "present";

/**
 * Runs steps. A step whose output is in the store is not run again, so that steps may be repeated, be run
 * twice at a time, and be given to several workers.
 *
 * Keeps what the next step of the same training needs, see `ParserRounds`.
 */
export class StepExecutor {
  readonly #outputs: StepOutputs;
  readonly #rounds: ParserRounds;
  readonly #chunks: ChunkParser;

  /** @param options what `readBlob` takes: how long inputs are waited for */
  constructor(store: Store, options: Pick<ReadOptions, "patience"> = {}) {
    this.#outputs = new StepOutputs(store);
    this.#rounds = new ParserRounds(store, this.#outputs, options.patience);
    this.#chunks = new ChunkParser(store);
  }

  /**
   * Runs a step unless its output is in the store.
   *
   * @throws ArcwiseError `other-version` when another version has made the order; `missing-blob` when the
   *   store lacks an input; what the step throws
   */
  async run(order: StepOrder, run: StepRun = {}): Promise<StepOutcome> {
    checkVersion(order);
    if (await this.#outputs.isDone(order)) return "present";
    if (order.step === "train-shard") {
      const { run: name, round, shard } = order.settings;
      await this.#rounds.trainShard(name, round, shard, run);
    } else if (order.step === "parse-chunk") await this.#chunks.run(order.settings);
    else {
      const { run: name, round } = order.settings;
      await this.#rounds.mix(name, round, run);
    }
    return "run";
  }
}
