import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { trainParserOnThreads } from "@arcwise/parser/node";
import {
  type JackknifeOptions,
  type jackknifeTags,
  jackknifeWork,
  partReports,
  type trainTagger,
} from "@arcwise/sequence";
import type { trainTokenizer } from "@arcwise/tokenize";
import type { PipelineModel } from "../pipeline-model.ts";
import { trainPipeline } from "../train.ts";
import type { PipelineTrainOptions } from "../train-options.ts";
import { stepThreads } from "./step-threads.ts";
import type { RunOrder } from "./training-orders.ts";

/** Functions that train what needs nothing else of a pipeline. */
export interface PartTrainers {
  readonly trainTokenizer: typeof trainTokenizer;
  readonly trainTagger: typeof trainTagger;
  readonly jackknifeTags: typeof jackknifeTags;
}

/** Options of `trainPipelineOnThreads`. */
export interface ThreadedPipelineOptions extends Omit<PipelineTrainOptions, keyof PartTrainers | "together"> {
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
 * @throws as `trainPipeline`, or RangeError when `threads` is no integer >= 1
 * @throws the error of a thread that fails, which ends the other ones
 */
export async function trainPipelineOnThreads(
  sentences: readonly ConlluSentence[],
  { threads = 1, ...options }: ThreadedPipelineOptions = {},
): Promise<PipelineModel> {
  if (!Number.isInteger(threads) || threads < 1)
    throw new RangeError(`expected threads >= 1, got ${threads}`);
  if (threads === 1) return trainPipeline(sentences, options);
  return trainPipeline(sentences, {
    trainParser: (examples, own) => trainParserOnThreads(examples, { ...own, threads }),
    ...options,
    ...trainersBy(stepThreads(threads)),
    together: true,
  });
}

/** Returns the trainers of a pipeline that have their work done elsewhere, all at the same time. */
export function trainersBy(run: RunOrder): PartTrainers {
  return {
    trainTokenizer: (sentences, { onProgress, signal, ...options } = {}) =>
      run({ step: "tokenizer", work: { sentences, options } }, { onProgress, signal }),
    trainTagger: (sentences, { onProgress, onWarning: _, signal, ...options } = {}) =>
      run({ step: "tagger", work: { sentences, options } }, { onProgress, signal }),
    jackknifeTags: (sentences, options = {}) => tagParts(run, sentences, options),
  };
}

async function tagParts(
  run: RunOrder,
  sentences: readonly Sentence[],
  { onProgress, signal, ...options }: JackknifeOptions,
): Promise<Sentence[]> {
  const work = jackknifeWork(sentences, options);
  const report = partReports(work.parts, onProgress);
  const tagged = Array.from({ length: work.parts }, (_, k) => {
    const part = k + 1;
    return run({ step: "part", work: { work, part } }, { onProgress: (at) => report(part, at), signal });
  });
  return (await Promise.all(tagged)).flat();
}
