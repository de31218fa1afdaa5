import { type ConlluSentence, sentenceCheck } from "@arcwise/conllu";
import {
  accepting,
  callback,
  checkArgument,
  checkLearned,
  checkOptions,
  defineOptions,
  field,
  integer,
  iterable,
  joinOptions,
  list,
  type OptionsOf,
  signal,
} from "@arcwise/core/options";
import type { TrainingProgress } from "@arcwise/core/training";
import { here, PLACE, share } from "@arcwise/jobs";
import type { TokenizerModel } from "../model.ts";
import { TOKENIZER_SETTINGS } from "./settings.ts";
import { tokenizerJob } from "./tokenizer-jobs.ts";

const TREEBANK = list(sentenceCheck);

const TRAIN_OPTIONS = joinOptions(
  TOKENIZER_SETTINGS,
  defineOptions({
    /** The best epoch of each network is kept, and the best cost of a sentence. */
    dev: { check: iterable<ConlluSentence>("sentences"), help: "a development set", defaultHelp: "none" },
    seed: { check: integer(0), help: "random seed", default: 1 },
    onProgress: {
      check: accepting<(progress: TrainingProgress) => void>(callback),
      help: "called with the progress of the training",
    },
    signal: { check: signal, help: "ends the training" },
    place: PLACE,
  }),
);

/** Options of `trainTokenizer`. */
export interface TokenizerTrainOptions extends OptionsOf<typeof TRAIN_OPTIONS> {}

/**
 * Trains a tokeniser on sentences, whose text is joined as `rawText` of conllu does: by `SpaceAfter`,
 * `SpacesAfter`, and the comments `# newpar` and `# newdoc`. If nearly all punctuation follows a space, every other
 * sentence is learned with punctuation attached to words. The same sentences, options and seed give the same model
 * on every engine.
 *
 * @throws ArcwiseError `invalid-argument` without sentences or on other values, `unknown-option` or `invalid-option`
 * @throws ArcwiseError `invalid-data` on a form with a tab or a line end
 * @throws the reason of the signal once that is aborted
 */
export async function trainTokenizer(
  sentences: readonly ConlluSentence[],
  given: TokenizerTrainOptions = {},
): Promise<TokenizerModel> {
  const {
    onProgress,
    signal,
    place = here(),
    dev,
    ...options
  } = checkOptions(TRAIN_OPTIONS, given, "trainTokenizer");
  checkArgument(TREEBANK, sentences, "trainTokenizer: sentences");
  for (const { rows } of sentences) for (const { form } of rows) checkLearned(field, form, "form");
  const devSentences = dev && Array.from(dev);
  if (devSentences) checkArgument(TREEBANK, devSentences, "trainTokenizer: dev");
  const learning = { ...options, dev: devSentences?.map(plainSentence) };
  const input = { sentences: share(sentences.map(plainSentence)), learning };
  return place.do(tokenizerJob, input, { onProgress, signal });
}

/** Returns a sentence, which may be a view, as plain data, and without its line: the same treebank is the same data. */
function plainSentence({ comments, rows }: ConlluSentence): ConlluSentence {
  return { comments, rows, line: 0 };
}
