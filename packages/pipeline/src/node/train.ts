import type { ConlluSentence } from "@arcwise/conllu";
import { checkArgument, threadCount } from "@arcwise/core/options";
import { trainParserOnThreads } from "@arcwise/parser/node";
import { onThreads } from "@arcwise/work/node";
import type { PipelineModel } from "../pipeline-model.ts";
import { trainPipeline } from "../train.ts";
import type { PipelineTrainOptions } from "../train-options.ts";
import type { Treebank } from "../treebanks/treebank.ts";

/**
 * Options of `trainPipelineOnThreads`.
 *
 * @example
 * const options: ThreadedPipelineOptions = { threads: 4, preset: "balanced" };
 * const model = await trainPipelineOnThreads(treebank, options);
 */
export interface ThreadedPipelineOptions extends Omit<PipelineTrainOptions, "place"> {
  /** Maximum number of threads. Default: 1. */
  readonly threads?: number | undefined;
}

/**
 * `trainPipeline` with the tokeniser, the tagger, and the taggers of parts of the treebank in worker threads,
 * several at a time, and the parser by `trainParserOnThreads`: the same model, byte for byte. The parser
 * begins when the taggers are done. A tokeniser that takes longer has one more thread beside it.
 *
 * Memory, in addition to the memory of `trainPipeline`: the sentences, and what a training needs, once a
 * thread.
 *
 * @throws as `trainPipeline`, or ArcwiseError `invalid-argument` unless `threads` is a number of threads
 * @throws the error of a thread that fails, which ends the other ones
 *
 * @example
 * const model = await trainPipelineOnThreads(treebank, { threads: 4, seed: 1 });
 * await writePipelineFile("my.model", model);
 */
export async function trainPipelineOnThreads(
  sentences: readonly ConlluSentence[] | readonly Treebank[],
  { threads = 1, ...options }: ThreadedPipelineOptions = {},
): Promise<PipelineModel> {
  checkArgument(threadCount, threads, "trainPipelineOnThreads: threads");
  if (threads === 1) return trainPipeline(sentences, options);
  const place = onThreads(threads);
  try {
    return await trainPipeline(sentences, {
      trainParser: (examples, own) => trainParserOnThreads(examples, { ...own, threads }),
      ...options,
      place,
    });
  } finally {
    await place.close();
  }
}
