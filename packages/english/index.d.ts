import type { PipelineModel } from "arcwise";

/** Options of `load` and `readModel`. */
export interface LoadOptions {
  /** The address of the model file, where a bundle or a worker does not know it, in Node a path or a file: URL; by default the file next to the module. */
  readonly url?: string | URL | undefined;
  /** Ends the reading by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Keeps the file in the Cache API of a browser; true by default. */
  readonly cache?: boolean | undefined;
}

/** Returns the bytes of the model, which have been compared with their SHA-256. */
export declare function readModel(options?: LoadOptions): Promise<Uint8Array>;

/** Returns the model, for `createPipeline` of arcwise. */
export declare function load(options?: LoadOptions): Promise<PipelineModel>;
