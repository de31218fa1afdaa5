import { parentPort, workerData } from "node:worker_threads";
import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { TrainingProgress } from "@arcwise/core/training";
import {
  type JackknifeWork,
  type TaggerModel,
  type TaggerTrainOptions,
  tagPart,
  trainTagger,
} from "@arcwise/sequence";
import { type TokenizerModel, type TokenizerTrainOptions, trainTokenizer } from "@arcwise/tokenize";

/** What a thread does, and what it answers. All is plain data. */
export interface Steps {
  readonly tokenizer: {
    readonly work: {
      readonly sentences: readonly ConlluSentence[];
      readonly options: Omit<TokenizerTrainOptions, "onProgress" | "signal">;
    };
    readonly progress: TrainingProgress;
    readonly result: TokenizerModel;
  };
  readonly tagger: {
    readonly work: {
      readonly sentences: readonly Sentence[];
      readonly options: Omit<TaggerTrainOptions, "onProgress" | "onWarning" | "signal">;
    };
    readonly progress: TrainingProgress;
    readonly result: TaggerModel;
  };
  /** A part of the treebank, which is tagged by a tagger of the others. */
  readonly part: {
    readonly work: { readonly work: JackknifeWork; readonly part: number };
    readonly progress: TrainingProgress;
    readonly result: readonly Sentence[];
  };
}

/** The order that a thread is started with. */
export interface StepOrder<Step extends keyof Steps> {
  readonly step: Step;
  readonly work: Steps[Step]["work"];
}

/** What a thread answers. */
export type StepAnswer<Step extends keyof Steps> =
  | { readonly kind: "progress"; readonly progress: Steps[Step]["progress"] }
  | { readonly kind: "done"; readonly result: Steps[Step]["result"] };

type Train<Step extends keyof Steps> = (
  work: Steps[Step]["work"],
  onProgress: (progress: Steps[Step]["progress"]) => void,
) => Promise<Steps[Step]["result"]>;

const TRAININGS: { readonly [Step in keyof Steps]: Train<Step> } = {
  tokenizer: ({ sentences, options }, onProgress) => trainTokenizer(sentences, { ...options, onProgress }),
  tagger: ({ sentences, options }, onProgress) => trainTagger(sentences, { ...options, onProgress }),
  part: ({ work, part }, onProgress) => tagPart(work, part, { onProgress }),
};

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

async function train<Step extends keyof Steps>({ step, work }: StepOrder<Step>): Promise<void> {
  const answer = (message: StepAnswer<Step>) => parentPort?.postMessage(message);
  let last = 0;
  const result = await TRAININGS[step](work, (progress) => {
    const now = performance.now();
    if (!progress.epochDone && now - last < REPORTED) return;
    last = now;
    answer({ kind: "progress", progress });
  });
  answer({ kind: "done", result });
}

// Errors end the thread, and the one that waits for it is told.
await train(workerData as StepOrder<keyof Steps>);
