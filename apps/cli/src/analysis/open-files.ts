import type { Encoder, EncoderIdentity } from "@arcwise/core/encoders";
import { hasCode } from "@arcwise/core/errors";
import { loadAs, readModelBytes } from "@arcwise/core/node";
import { here } from "@arcwise/jobs";
import { onThreads } from "@arcwise/jobs/node";
import { decoderNames } from "@arcwise/parser/decoding";
import {
  type Analyser,
  analysisOf,
  modelParts,
  openCascade,
  type PipelineFacts,
  type PipelinePart,
  type RemotePipeline,
} from "@arcwise/pipeline";
import { decoderFamily, openPipeline, type PipelineFiles } from "@arcwise/pipeline/node";
import type { EncoderArguments } from "../command/options.ts";
import { DataError, Interrupted, isOutOfMemory, UsageError } from "../errors.ts";
import type { Io } from "../files/io.ts";
import { findFolder, openEncoder } from "./encoders.ts";

/** A model file of which nothing is loaded. */
export interface ModelFile {
  readonly bytes: Uint8Array;
  /** The parts that it has. */
  readonly owned: readonly PipelinePart[];
  /** @throws ModelError that names the file when it lacks a part */
  require(part: PipelinePart): void;
}

/** Reads a model file. */
export async function readModel(path: string): Promise<ModelFile> {
  const bytes = await readModelBytes(path);
  const partsWith = (...required: PipelinePart[]) =>
    loadAs(path, bytes, (file) => modelParts(file, required)).parts;
  return { bytes, owned: Object.keys(partsWith()) as PipelinePart[], require: partsWith };
}

/** A pipeline that is loaded, and what it was trained with. */
export interface OpenFiles {
  readonly pipeline: Analyser;
  readonly facts: PipelineFacts;
  /** Ends the threads. */
  close(): Promise<void>;
}

interface OpenFilesOptions extends EncoderArguments {
  /** Whether there is so little to analyse that this thread may be busy for it, with one thread. */
  readonly isShort?: boolean | undefined;
  /** A pipeline that reads the sentences first: see `openCascade`. */
  readonly first?: PipelineFiles | undefined;
  readonly minConfidence?: number | undefined;
}

/**
 * Opens a pipeline in this thread, or in worker threads. Resolves when the model is loaded once, so that errors of its
 * file come before any sentence is read. The threads end when the user asks to stop.
 */
export async function openFiles(
  io: Io,
  files: PipelineFiles,
  threads: number,
  { isShort = false, encoder, first, minConfidence }: OpenFilesOptions = {},
): Promise<OpenFiles> {
  const { opened, close } = await openAll(io, threads, isShort, async (open) => {
    const pipeline = await open(files, encoder);
    if (first === undefined) return pipeline;
    return openCascade(await open(first), pipeline, { minConfidence }).catch((error: unknown) => {
      throw unlike(error, first.model, files.model);
    });
  });
  return { pipeline: analysisOf(opened), facts: await opened.ready(), close };
}

/** Two pipelines of a cascade. */
export interface OpenPair {
  readonly first: RemotePipeline;
  readonly second: RemotePipeline;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** Opens two pipelines. Throws as `openFiles`. @param encoder folder of the encoder of the second one */
export async function openPair(
  io: Io,
  first: PipelineFiles,
  second: PipelineFiles,
  { threads, encoder }: EncoderArguments & { readonly threads: number },
): Promise<OpenPair> {
  const { opened, close } = await openAll(io, threads, false, async (open) => ({
    second: await open(second, encoder),
    first: await open(first),
  }));
  return { ...opened, close };
}

/** Opens a pipeline. @param folder of the encoder that the model was trained with; by default found by its name */
type Open = (files: PipelineFiles, folder?: string) => Promise<RemotePipeline>;

/** Opens pipelines at one place, together with their encoders. */
async function openAll<Opened>(
  io: Io,
  threads: number,
  isShort: boolean,
  openBy: (open: Open) => Promise<Opened>,
): Promise<{ readonly opened: Opened; close(): Promise<void> }> {
  const isHere = threads === 1 && (isShort || io.responsive !== true);
  // A sentence whose thread ends is tried again by the pipeline.
  const place = isHere ? here() : onThreads(threads, { attempts: 1 });
  const stop = () => void place.close();
  io.signal.addEventListener("abort", stop, { once: true });
  const encoders: Encoder[] = [];
  const close = async () => {
    io.signal.removeEventListener("abort", stop);
    await place.close();
    for (const encoder of encoders) await encoder.close?.();
  };
  const openAt = async (folder: string) => {
    const encoder = await openEncoder(folder);
    encoders.push(encoder);
    return encoder;
  };
  const open: Open = async (files, folder) => {
    const find = async (needed: EncoderIdentity) => openAt(await findFolder(io, files.model, needed));
    try {
      const encoder = folder === undefined ? find : await openAt(folder);
      // Threads read the file again.
      return await openPipeline({ ...files, bytes: isHere ? files.bytes : undefined }, { place, encoder });
    } catch (error) {
      throw explained(error, files);
    }
  };
  try {
    return { opened: await openBy(open), close };
  } catch (error) {
    await close();
    throw io.signal.aborted ? new Interrupted("stopped") : error;
  }
}

/** Names the files of two models that do not go together in an error of a cascade. */
export function unlike(error: unknown, first: string, second: string): unknown {
  if (!hasCode(error, "invalid-argument")) return error;
  const { expected, found } = error;
  const message = `--first ${first}: expected a model that fills in ${expected}, as ${second} does, found ${found}`;
  return new UsageError(message, { cause: error });
}

/** Adds what to do to errors of models and decoders. */
function explained(error: unknown, files: PipelineFiles): unknown {
  const cause = hasCode(error, "thread-lost") ? error.cause : error;
  if (hasCode(cause, "missing-encoder"))
    return new UsageError(`${files.model}: ${cause.message}: see --encoder`, { cause });
  if (hasCode(cause, "missing-decoder")) return new UsageError(`${cause.message}: give --decoder`, { cause });
  if (cause instanceof Error && isOutOfMemory(cause))
    return new DataError(`${files.model}: out of memory: ${cause.message}`, { cause });
  if (!hasCode(cause, "invalid-module") || cause.message.startsWith("--")) return cause;
  const names = decoderNames(decoderFamily(files), "parsing").join(", ");
  return new UsageError(`--decoder ${cause.message} (built in: ${names})`, { cause });
}
