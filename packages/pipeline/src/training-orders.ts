import type { ConlluSentence } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import type { TrainingProgress } from "@arcwise/core/training";
import {
  type JackknifeOptions,
  type JackknifeWork,
  type jackknifeTags,
  jackknifeWork,
  partReports,
  type TaggerModel,
  type TaggerTrainOptions,
  tagPart,
  trainTagger,
} from "@arcwise/sequence";
import { type TokenizerModel, type TokenizerTrainOptions, trainTokenizer } from "@arcwise/tokenize";

/** The trainings of a pipeline that do not depend on each other: what each is given, and its result. Plain data. */
export interface Trainings {
  readonly tokenizer: {
    readonly work: {
      readonly sentences: readonly ConlluSentence[];
      readonly options: Omit<TokenizerTrainOptions, "onProgress" | "signal">;
    };
    readonly result: TokenizerModel;
  };
  readonly tagger: {
    readonly work: {
      readonly sentences: readonly Sentence[];
      readonly options: Omit<TaggerTrainOptions, "onProgress" | "onWarning" | "signal">;
    };
    readonly result: TaggerModel;
  };
  /** A part of the treebank, which is tagged by a tagger of the others. */
  readonly part: {
    readonly work: { readonly work: JackknifeWork; readonly part: number };
    readonly result: readonly Sentence[];
  };
}

/** A training that may be done elsewhere. Plain data. */
export type TrainingOrder<Step extends keyof Trainings = keyof Trainings> = {
  readonly [Name in Step]: { readonly step: Name; readonly work: Trainings[Name]["work"] };
}[Step];

/** Progress of an order, and what ends it. */
export interface OrderRun {
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Carries out orders: on threads, or on other machines. */
export type RunOrder = <Step extends keyof Trainings>(
  order: TrainingOrder<Step>,
  run: OrderRun,
) => Promise<Trainings[Step]["result"]>;

type Train<Step extends keyof Trainings> = (
  work: Trainings[Step]["work"],
  run: OrderRun,
) => Promise<Trainings[Step]["result"]>;

const TRAININGS: { readonly [Step in keyof Trainings]: Train<Step> } = {
  tokenizer: ({ sentences, options }, run) => trainTokenizer(sentences, { ...options, ...run }),
  tagger: ({ sentences, options }, run) => trainTagger(sentences, { ...options, ...run }),
  part: ({ work, part }, run) => tagPart(work, part, run),
};

/**
 * Carries out an order in this thread. The same order gives the same result, on every machine.
 *
 * @throws what `trainTokenizer`, `trainTagger` and `jackknifeTags` throw
 * @throws the reason of the signal once that is aborted
 */
export const runOrder: RunOrder = ({ step, work }, run) => {
  const train: Train<typeof step> = TRAININGS[step];
  return train(work, run);
};

/** Functions that train what needs nothing else of a pipeline. */
export interface PartTrainers {
  readonly trainTokenizer: typeof trainTokenizer;
  readonly trainTagger: typeof trainTagger;
  readonly jackknifeTags: typeof jackknifeTags;
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

/** When a part fails, the others are stopped, and waited for. */
async function tagParts(
  run: RunOrder,
  sentences: readonly Sentence[],
  { onProgress, signal: given, ...options }: JackknifeOptions,
): Promise<Sentence[]> {
  const work = jackknifeWork(sentences, options);
  const report = partReports(work.parts, onProgress);
  const stop = new AbortController();
  const signal = given ? AbortSignal.any([given, stop.signal]) : stop.signal;
  const tagged = Array.from({ length: work.parts }, (_, k) => {
    const part = k + 1;
    return run({ step: "part", work: { work, part } }, { onProgress: (at) => report(part, at), signal });
  });
  try {
    return (await Promise.all(tagged)).flat();
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(tagged);
    throw error;
  }
}
