import type { Sentence } from "@arcwise/core";
import {
  callback,
  checkOptions,
  defineOptions,
  field,
  flag,
  integer,
  joinOptions,
  list,
  optional,
  record,
  signal,
  words,
} from "@arcwise/core/options";
import { columnWarnings, type TrainingProgress, type TrainingWarning } from "@arcwise/core/training";
import { here, PLACE, type Place, share } from "@arcwise/work";
import { type Gazetteer, MAX_GAZETTEERS } from "../features/gazetteers.ts";
import { columnsOf } from "./learn-tagger.ts";
import { TAGGER_SETTINGS, type TaggerSettings } from "./settings.ts";
import type { TaggerModel } from "./tagger.ts";
import { taggerJob } from "./tagger-jobs.ts";

/** Options of `trainTagger`. */
export interface TaggerTrainOptions extends TaggerSettings {
  /** Up to eight lists of names, in which the words of sentences are looked up. Default: none. */
  readonly gazetteers?: readonly Gazetteer[] | undefined;
  /** A development set: each column is measured on it once it is learned, as the tagger predicts it. */
  readonly dev?: readonly Sentence[] | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Called before the training with a warning for each column of tags with nearly as many values as words. */
  readonly onWarning?: ((warning: TrainingWarning) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The place that trains it. Default: this thread. */
  readonly place?: Place | undefined;
}

const GAZETTEER = record<Gazetteer>({
  names: list(field, { min: 1 }),
  ignoreCase: optional(flag),
});

const TRAIN_OPTIONS = joinOptions(
  TAGGER_SETTINGS,
  defineOptions<Omit<TaggerTrainOptions, keyof TaggerSettings>>()({
    gazetteers: {
      check: list(GAZETTEER, { max: MAX_GAZETTEERS }),
      help: "lists of names, in which the words of sentences are looked up",
    },
    dev: { check: list(words), help: "a development set" },
    seed: { check: integer(0), help: "random seed", default: 1 },
    onProgress: { check: callback, help: "called with the progress of the training" },
    onWarning: { check: callback, help: "called with warnings about the sentences" },
    signal: { check: signal, help: "ends the training" },
    place: PLACE,
  }),
);

/**
 * Trains a tagger: one chain model per column of tags, by the averaged perceptron (Collins 2002), and a model
 * that finds lemmas by edits of forms and by the lemmas of the treebank, with weights rounded to bytes. The
 * same sentences, options and seed give the same model.
 *
 * @throws RangeError when there are no tags to learn from
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 * @throws the reason of the signal once that is aborted
 */
export async function trainTagger(
  sentences: readonly Sentence[],
  given: TaggerTrainOptions = {},
): Promise<TaggerModel> {
  const options = checkOptions(TRAIN_OPTIONS, given, "trainTagger");
  const { onProgress, onWarning, signal, place = here(), ...others } = options;
  const columns = columnsOf(sentences, options.columns);
  const tags = columns.filter((name) => name !== "lemma");
  for (const warning of columnWarnings(sentences, tags)) onWarning?.(warning);
  const learning = { ...others, columns };
  return place.do(taggerJob, { sentences: share(sentences), learning }, { onProgress, signal });
}
