/** A tensor of ONNX Runtime, as far as encoders read it. */
export interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  /** The values, copied from the memory of the device if it is not the processor. */
  getData(releaseData?: boolean): Promise<unknown>;
  dispose(): void;
}

/** A graph that ONNX Runtime has loaded, as far as encoders use it. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly { readonly name: string; readonly type?: unknown }[];
  run(
    feeds: Readonly<Record<string, object>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

/** The constructor `Tensor` of a runtime for whole numbers. */
export type IntegerTensor = new (
  type: "int64" | "int32",
  data: BigInt64Array | Int32Array,
  dims: readonly number[],
) => object;

/**
 * The members of the module `onnxruntime-web`, one of its entries, or `onnxruntime-node` that encoders use.
 *
 * @example
 * import * as runtime from "onnxruntime-web/wasm";
 * const encoder = await onnxEncoder("/encoders/minilm-en", { runtime });
 */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options?: object): Promise<unknown>;
    create(path: string, options?: object): Promise<unknown>;
  };
  /** Called with "int64" or "int32", the values and the shape. */
  readonly Tensor: new (
    ...given: never[]
  ) => object;
  readonly env: { readonly wasm: { numThreads?: number | undefined } };
}
