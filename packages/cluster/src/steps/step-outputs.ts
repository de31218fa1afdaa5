import { readData } from "../blobs/contents.ts";
import type { Hash } from "../blobs/hash.ts";
import type { Patience, Store } from "../blobs/store.ts";
import { evaluationName } from "./evaluate-model.ts";
import { MIXING_RUN, type MixingRun, RunNames } from "./mixing-run.ts";
import type { StepOrder } from "./order.ts";
import { chunkName } from "./parse-chunk.ts";
import { averageName, sliceName } from "./train-network.ts";
import { partName } from "./train-part.ts";

/** A run as it is in the store, and the names of its outputs. */
export interface NamedRun {
  readonly run: MixingRun;
  readonly names: RunNames;
}

/** Knows the names of the outputs of steps, and which are in the store. Keeps the last run. */
export class StepOutputs {
  readonly #store: Store;
  readonly #patience: Patience;
  #last: { readonly name: Hash; readonly found: Promise<NamedRun> } | undefined;

  constructor(store: Store, patience: Patience = {}) {
    this.#store = store;
    this.#patience = patience;
  }

  /** Returns a run. @throws ArcwiseError `missing-blob` when there is none of this name */
  async run(name: Hash): Promise<NamedRun> {
    if (this.#last?.name !== name) this.#last = { name, found: this.#read(name) };
    const { found } = this.#last;
    try {
      return await found;
    } catch (error) {
      this.#last = undefined;
      throw error;
    }
  }

  async #read(name: Hash): Promise<NamedRun> {
    const what = "the settings of a run";
    const run = await readData<MixingRun>(this.#store, { ...this.#patience, name, what, check: MIXING_RUN });
    return { run, names: new RunNames(run) };
  }

  /** Returns the names of the outputs of a step: of a mixture at the end of an epoch, also of the state. */
  async names(order: StepOrder): Promise<readonly Hash[]> {
    const { step, settings } = order;
    switch (step) {
      case "train-shard":
        return [(await this.run(settings.run)).names.shard(settings.round, settings.shard)];
      case "mix":
        return (await this.run(settings.run)).names.outputs(settings.round);
      case "train-part":
        return [partName(settings)];
      case "train-network":
        return [sliceName(settings)];
      case "average-network":
        return [averageName(settings)];
      case "parse-chunk":
        return [chunkName(settings)];
      case "evaluate":
        return [evaluationName(settings)];
    }
  }

  /** Returns whether all outputs of a step are in the store. */
  async isDone(order: StepOrder): Promise<boolean> {
    for (const name of await this.names(order)) if (!(await this.#store.has(name))) return false;
    return true;
  }
}
