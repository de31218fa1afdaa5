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
  type PipelineFacts,
  type PipelinePart,
} from "@arcwise/pipeline";
import { decoderFamily, openPipeline, type PipelineFiles } from "@arcwise/pipeline/node";
import { DataError, Interrupted, isOutOfMemory, UsageError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";
import { type EncoderArguments, findFolder, openEncoder } from "./encoders.ts";

/** A model file of which nothing is loaded. */
interface ModelFile {
  readonly bytes: Uint8Array;
  /** The parts that it has. */
  readonly owned: readonly PipelinePart[];
  /** @throws ModelError that names the file when it lacks a part */
  require(part: PipelinePart): void;
}

/** Reads a model file. @throws ModelError that names the file when it is not a model */
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

/**
 * Opens a pipeline in this thread, or in worker threads. Resolves when the model is loaded once, so that errors of its
 * file come before any sentence is read. The threads end when the user asks to stop.
 *
 * @param isShort whether there is so little to analyse that this thread may be busy for it, with one thread
 * @param encoder folder of the encoder that the model was trained with; by default found by its name
 * @throws ModelError, a file error, or UsageError when files and options do not go together
 * @throws Interrupted when the user asks to stop
 */
export async function openFiles(
  io: Io,
  files: PipelineFiles,
  threads: number,
  { isShort = false, encoder: folder }: { readonly isShort?: boolean } & EncoderArguments = {},
): Promise<OpenFiles> {
  const isHere = threads === 1 && (isShort || io.responsive !== true);
  // A sentence whose thread ends is tried again by the pipeline.
  const place = isHere ? here() : onThreads(threads, { attempts: 1 });
  const stop = () => void place.close();
  io.signal.addEventListener("abort", stop, { once: true });
  let encoder: Encoder | undefined;
  const close = async () => {
    io.signal.removeEventListener("abort", stop);
    await place.close();
    await encoder?.close?.();
  };
  try {
    if (folder !== undefined) encoder = await openEncoder(folder);
    const find = async (needed: EncoderIdentity) => {
      encoder = await openEncoder(await findFolder(io, files.model, needed));
      return encoder;
    };
    // Threads read the file again.
    const own = { ...files, bytes: isHere ? files.bytes : undefined };
    const opened = await openPipeline(own, { place, encoder: encoder ?? find });
    return { pipeline: analysisOf(opened), facts: await opened.ready(), close };
  } catch (error) {
    await close();
    throw io.signal.aborted ? new Interrupted("stopped") : explained(error, files);
  }
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
