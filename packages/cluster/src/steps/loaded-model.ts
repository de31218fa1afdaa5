import { createPipeline, loadPipeline, type Pipeline } from "@arcwise/pipeline";
import { readBytes } from "../blobs/contents.ts";
import type { Hash } from "../blobs/hash.ts";
import type { ReadOptions, Store } from "../blobs/store.ts";

/** Loads models of a store. Keeps the last one. */
export class LoadedModel {
  readonly #store: Store;
  #last: { readonly key: string; readonly pipeline: Pipeline } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Returns the pipeline of a model.
   *
   * @param paragraphs where paragraphs of a text end
   * @throws ArcwiseError `missing-blob`; DamagedBlob; ModelError when the blob is no model
   */
  async pipeline(
    model: Hash,
    reading: ReadOptions,
    paragraphs: "line" | "blank-line" = "blank-line",
  ): Promise<Pipeline> {
    const key = `${model} ${paragraphs}`;
    if (this.#last?.key === key) return this.#last.pipeline;
    this.#last = undefined;
    const bytes = await readBytes(this.#store, {
      ...reading,
      name: model,
      what: "a model",
      isPacked: false,
    });
    const pipeline = createPipeline(loadPipeline(bytes), { tokenizer: { paragraphs } });
    this.#last = { key, pipeline };
    return pipeline;
  }
}
