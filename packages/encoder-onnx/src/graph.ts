import { ArcwiseError } from "@arcwise/core/errors";
import { type EncoderContents, foundInstead } from "./files.ts";
import type { IntegerTensor, OnnxRuntime, OnnxSession, OnnxTensor } from "./runtime.ts";

/** Pieces that the graph reads together, with their special pieces. */
export interface PieceSequence {
  readonly length: number;
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** Hidden states of a batch: for each output, sequences x longest sequence x width. */
export interface HiddenStates {
  readonly outputs: readonly Float32Array[];
  readonly longest: number;
  readonly width: number;
}

/** A graph that was loaded. */
export interface Graph {
  readonly outputNames: readonly string[];
  /** Computes outputs of the graph for a batch. */
  run(batch: readonly PieceSequence[], outputs: readonly string[]): Promise<HiddenStates>;
  close(): Promise<void>;
}

/** Sizes that the inputs of a graph depend on, in addition to the pieces. */
export interface GraphSettings {
  readonly padding: number;
  /** The position of the first piece. */
  readonly firstPosition: number;
  readonly device: "cpu" | "webgpu";
  readonly threads: number;
}

/** The inputs that a graph may have: the value at a place of a sequence, and in the padding. */
const INPUTS: Readonly<
  Record<
    string,
    {
      at(sequence: PieceSequence, i: number, settings: GraphSettings): number;
      padding(settings: GraphSettings): number;
    }
  >
> = {
  input_ids: { at: ({ ids }, i) => ids[i]!, padding: ({ padding }) => padding },
  attention_mask: { at: () => 1, padding: () => 0 },
  token_type_ids: { at: ({ types }, i) => types[i]!, padding: () => 0 },
  position_ids: { at: (_, i, { firstPosition }) => firstPosition + i, padding: () => 0 },
};

/** Loads a graph. Time: a second per hundred megabytes. */
export async function loadGraph(
  runtime: OnnxRuntime,
  contents: EncoderContents,
  settings: GraphSettings,
): Promise<Graph> {
  const session = await createSession(runtime, contents, settings);
  for (const name of session.inputNames) {
    if (Object.hasOwn(INPUTS, name)) continue;
    const expected = Object.keys(INPUTS).join(", ");
    await session.release();
    throw refused(contents, `it has the input "${name}"; encoders of text have ${expected}`);
  }
  return {
    outputNames: session.outputNames,
    run: async (batch, outputs) => {
      const longest = Math.max(...batch.map(({ length }) => length));
      const feeds = feedsOf(runtime, session, batch, longest, settings);
      const results = await session.run(feeds, outputs).catch((cause: unknown) => {
        throw refused(contents, `ONNX Runtime cannot run it: ${reasonOf(cause)}`, cause);
      });
      const tensors = outputs.map((name) => ({ name, tensor: results[name]! }));
      const values: Float32Array[] = [];
      for (const { name, tensor } of tensors)
        values.push(await statesOf(contents, name, tensor, [batch.length, longest]));
      return { outputs: values, longest, width: commonWidth(tensors) };
    },
    close: () => session.release(),
  };
}

async function createSession(
  runtime: OnnxRuntime,
  contents: EncoderContents,
  { device, threads }: GraphSettings,
): Promise<OnnxSession> {
  const { path, model, data } = contents;
  // Read once, when the first graph of the process is loaded.
  if (path === undefined) runtime.env.wasm.numThreads = threads;
  const options = {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    ...(data !== undefined &&
      path === undefined && { externalData: [{ path: data.path, data: data.bytes }] }),
  };
  try {
    const { InferenceSession } = runtime;
    const session =
      path === undefined ? InferenceSession.create(model, options) : InferenceSession.create(path, options);
    return (await session) as OnnxSession;
  } catch (cause) {
    const other = foundInstead(model) ?? (data && foundInstead(data.bytes, data.path));
    if (other !== undefined) throw refused(contents, `expected a graph in ONNX, found ${other}`, cause);
    const why = reasonOf(cause);
    if (device === "cpu") throw refused(contents, `ONNX Runtime cannot load it: ${why}`, cause);
    const message = `onnxEncoder: device: ${device} cannot run ${contents.source}: ${why}; use cpu`;
    throw new ArcwiseError("invalid-option", message, { at: "device", cause });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function refused({ source }: EncoderContents, why: string, cause?: unknown): ArcwiseError {
  return new ArcwiseError("invalid-data", `${source}: ${why}`, { file: source, cause });
}

/** Returns the inputs of a batch, as far as the graph declares them. */
function feedsOf(
  runtime: OnnxRuntime,
  { inputMetadata }: OnnxSession,
  batch: readonly PieceSequence[],
  longest: number,
  settings: GraphSettings,
): Record<string, object> {
  const Tensor = runtime.Tensor as unknown as IntegerTensor;
  const dims = [batch.length, longest];
  const size = batch.length * longest;
  const feeds: Record<string, object> = {};
  for (const { name, type } of inputMetadata) {
    const { at, padding } = INPUTS[name]!;
    const values = new Int32Array(size).fill(padding(settings));
    for (const [s, sequence] of batch.entries())
      for (let i = 0; i < sequence.length; i++) values[s * longest + i] = at(sequence, i, settings);
    feeds[name] =
      type === "int32"
        ? new Tensor("int32", values, dims)
        : new Tensor("int64", BigInt64Array.from(values, BigInt), dims);
  }
  return feeds;
}

async function statesOf(
  contents: EncoderContents,
  name: string,
  tensor: OnnxTensor,
  [sequences, longest]: readonly [number, number],
): Promise<Float32Array> {
  const { dims, type } = tensor;
  if (type !== "float32" || dims.length !== 3 || dims[0] !== sequences || dims[1] !== longest) {
    const expected = `float32, ${sequences} x ${longest} x width`;
    throw refused(contents, `output "${name}": expected ${expected}, found ${type}, ${dims.join(" x ")}`);
  }
  const values = (await tensor.getData()) as Float32Array;
  tensor.dispose();
  return values;
}

function commonWidth(tensors: readonly { readonly name: string; readonly tensor: OnnxTensor }[]): number {
  const widths = tensors.map(({ tensor }) => tensor.dims[2]!);
  if (widths.every((width) => width === widths[0])) return widths[0]!;
  const found = tensors.map(({ name }, i) => `${name} ${widths[i]}`).join(", ");
  const expected = "outputs of one width";
  throw new ArcwiseError("invalid-option", `onnxEncoder: outputs: expected ${expected}, found ${found}`, {
    at: "outputs",
    expected,
    found,
  });
}
