import type { Sentence } from "@arcwise/core";
import {
  accepting,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  field,
  flag,
  integer,
  joinOptions,
  list,
  type OptionsOf,
  optional,
  record,
  signal,
  words,
} from "@arcwise/core/options";
import { columnWarnings, type TrainingProgress, type TrainingWarning } from "@arcwise/core/training";
import { here, PLACE, share } from "@arcwise/jobs";
import { type Gazetteer, MAX_GAZETTEERS } from "../features/gazetteers.ts";
import { columnsOf } from "./learn-tagger.ts";
import { TAGGER_SETTINGS } from "./settings.ts";
import type { TaggerModel } from "./tagger.ts";
import { taggerJob } from "./tagger-jobs.ts";

const GAZETTEER = record<Gazetteer>({
  names: list(field, { min: 1 }),
  ignoreCase: optional(flag),
});

/** Accepts the sentences of a training. */
export const SENTENCES = list(words);

const TRAIN_OPTIONS = joinOptions(
  TAGGER_SETTINGS,
  defineOptions({
    gazetteers: {
      check: list(GAZETTEER, { max: MAX_GAZETTEERS }),
      help: "up to eight lists of names, in which the words of sentences are looked up",
      defaultHelp: "none",
    },
    lexicon: {
      check: SENTENCES,
      help: "words of a lexicon with their lemmas, tags and features, of which lemmas alone are learned",
      defaultHelp: "none",
    },
    /** Each column is measured on it once it is learned, as the tagger predicts it. */
    dev: { check: SENTENCES, help: "a development set", defaultHelp: "none" },
    seed: { check: integer(0), help: "random seed", default: 1 },
    onProgress: {
      check: accepting<(progress: TrainingProgress) => void>(callback),
      help: "called with the progress of the training",
    },
    onWarning: {
      check: accepting<(warning: TrainingWarning) => void>(callback),
      help: "called before the training with a warning for each column of tags with nearly as many values as words",
    },
    signal: { check: signal, help: "ends the training" },
    place: PLACE,
  }),
);

/** Options of `trainTagger`. */
export interface TaggerTrainOptions extends OptionsOf<typeof TRAIN_OPTIONS> {}

/**
 * Trains a tagger: one chain model per column of tags, by the averaged perceptron (Collins 2002), and a model
 * that finds lemmas by edits of forms and by the lemmas of the treebank, with weights rounded to bytes. The
 * same sentences, options and seed give the same model.
 *
 * @throws ArcwiseError `invalid-data` without tags to learn from, `invalid-argument` on other values than sentences
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 * @throws the reason of the signal once that is aborted
 */
export async function trainTagger(
  sentences: readonly Sentence[],
  given: TaggerTrainOptions = {},
): Promise<TaggerModel> {
  const options = checkOptions(TRAIN_OPTIONS, given, "trainTagger");
  const { onProgress, onWarning, signal, place = here(), ...others } = options;
  checkArgument(SENTENCES, sentences, "trainTagger: sentences");
  const columns = columnsOf(sentences, options.columns);
  const tags = columns.filter((name) => name !== "lemma");
  for (const warning of columnWarnings(sentences, tags)) onWarning?.(warning);
  const learning = { ...others, columns };
  return place.do(taggerJob, { sentences: share(sentences), learning }, { onProgress, signal });
}
