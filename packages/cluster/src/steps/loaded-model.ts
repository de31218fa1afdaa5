import { type AnalysisPipeline, analysisOf, createPipeline, loadPipeline } from "@arcwise/pipeline";
import { readBytes } from "../blobs/contents.ts";
import type { Hash } from "../blobs/hash.ts";
import type { ReadOptions, Store } from "../blobs/store.ts";

/** Loads models of a store. Keeps the last one. */
export class LoadedModel {
  readonly #store: Store;
  #last: { readonly key: string; readonly pipeline: AnalysisPipeline } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Returns the pipeline of a model.
   *
   * @param paragraphs where paragraphs of a text end
   * @throws ArcwiseError `missing-blob`; DamagedBlob; ModelError when the blob is not a model
   */
  async pipeline(
    model: Hash,
    reading: ReadOptions,
    paragraphs: "line" | "blank-line" = "blank-line",
  ): Promise<AnalysisPipeline> {
    const key = `${model} ${paragraphs}`;
    if (this.#last?.key === key) return this.#last.pipeline;
    this.#last = undefined;
    const bytes = await readBytes(this.#store, {
      ...reading,
      name: model,
      what: "a model",
      isPacked: false,
    });
    const pipeline = analysisOf(createPipeline(loadPipeline(bytes), { tokenizer: { paragraphs } }));
    this.#last = { key, pipeline };
    return pipeline;
  }
}
