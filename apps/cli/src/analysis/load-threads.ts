import { hasCode } from "@arcwise/core/errors";
import { decoderNames } from "@arcwise/parser/decoding";
import type { AnalysisSettings, PipelineFacts } from "@arcwise/pipeline";
import {
  type AnalysisThreads,
  analysisThreads,
  decoderFamily,
  type PipelineFiles,
  pipelineHere,
  pipelineOnThreads,
} from "@arcwise/pipeline/node";
import { DataError, Interrupted, isOutOfMemory, UsageError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";

/** A pipeline that is loaded, and what it was trained with. */
export interface LoadedPipeline extends Omit<AnalysisThreads, "run" | "annotate" | "stream"> {
  readonly facts: PipelineFacts;
}

/**
 * Loads a pipeline in this thread, or in worker threads. Resolves when the model is loaded once, so that what
 * is wrong with it is known before any sentence is read.
 *
 * @param settings what each sentence is analysed with: checked with one word
 * @param isShort whether there is so little to analyse that this thread may be busy for it, with one thread
 * @throws ModelError, a file error, or an error of usage when files and options do not go together
 * @throws Interrupted when the user asks to stop
 */
export async function loadThreads(
  io: Io,
  files: PipelineFiles,
  threads: number,
  settings: AnalysisSettings | undefined,
  isShort = false,
): Promise<LoadedPipeline> {
  try {
    const isHere = threads === 1 && (isShort || io.responsive !== true);
    const pipeline = isHere ? await pipelineHere(files) : analysisThreads(pipelineOnThreads(files, threads));
    const stop = () => void pipeline.close(new Interrupted("stopped"));
    io.signal.addEventListener("abort", stop, { once: true });
    const facts = await pipeline.ready();
    if (settings !== undefined) await tryOut(pipeline, settings);
    return {
      ...{ facts, capacity: pipeline.capacity, ready: () => pipeline.ready() },
      analyse: (tasks, own) => pipeline.analyse(tasks, own),
      findGraphs: (tasks) => pipeline.findGraphs(tasks),
      close: async (reason) => {
        io.signal.removeEventListener("abort", stop);
        await pipeline.close(reason);
      },
    };
  } catch (error) {
    throw explained(error, files);
  }
}

/** Analyses one word. @throws the error of a capability that the decoder lacks */
async function tryOut(pipeline: AnalysisThreads, settings: AnalysisSettings): Promise<void> {
  const columns = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };
  const rows = [{ kind: "word" as const, id: 1, form: "_", head: -1, ...columns }];
  const { results } = await pipeline.analyse([{ sentence: { comments: [], rows, line: 0 } }], settings);
  const error = results[0]?.error;
  if (error === undefined) return;
  await pipeline.close();
  throw error;
}

/** Adds what to do to errors of decoders. */
function explained(error: unknown, files: PipelineFiles): unknown {
  const { model } = files;
  if (hasCode(error, "missing-decoder"))
    return new UsageError(`${error.message}: give --decoder`, { cause: error });
  if (error instanceof Error && isOutOfMemory(error))
    return new DataError(`${model}: out of memory: ${error.message}`, { cause: error });
  if (hasCode(error, "unsupported-capability") && !error.message.startsWith(model))
    return new UsageError(`${model}: ${error.message}`, { cause: error });
  if (!hasCode(error, "invalid-module") || error.message.startsWith("--")) return error;
  const names = decoderNames(decoderFamily(files), "parsing").join(", ");
  return new UsageError(`--decoder ${error.message} (built in: ${names})`, { cause: error });
}
