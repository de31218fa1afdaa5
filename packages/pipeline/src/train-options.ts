import { type ConlluSentence, sentenceCheck } from "@arcwise/conllu";
import { type Encoder, requireEncoder } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  accepting,
  type Complete,
  callback,
  checkOptions,
  defineOptions,
  flag,
  list,
  type OptionsOf,
  omitOptions,
  signal,
} from "@arcwise/core/options";
import { CHECKPOINT, type TrainingProgress, type TrainingWarning } from "@arcwise/core/training";
import { PLACE } from "@arcwise/jobs";
import { checkTrainOptions, PRESET, SEED, withPreset } from "@arcwise/parser";
import { aModelWithSteps, type PipelineModel } from "./model-parts.ts";
import { type ParserStepSettings, PIPELINE_SETTINGS, type PipelineSettings } from "./settings.ts";
import { type Treebank, treebanksCheck } from "./treebanks/treebank.ts";

const TRAIN_OPTIONS = defineOptions({
  preset: { check: PRESET.check, help: "the preset, instead of the preset of the settings" },
  seed: { check: SEED.check, help: "the seed of all steps, instead of the seed of the settings" },
  settings: { options: PIPELINE_SETTINGS, help: "the settings of all steps: what differs from the preset" },
  /** The tokeniser is chosen on them, the parser is measured, and the scores of all and of each are kept. */
  dev: {
    check: accepting<readonly ConlluSentence[] | readonly Treebank[]>(treebanksCheck),
    help: "a development set, or several",
    programmatic: true,
  },
  /**
   * Its parser is trained on, with the settings that it has; its other steps stay as they are. Words, labels and tags that it
   * does not know are added. The best epoch on the development set is taken, if there is one.
   */
  continue: {
    check: accepting<PipelineModel>(aModelWithSteps),
    help: "a model whose training is continued",
    programmatic: true,
  },
  /** Sentences whose words are forms of a lexicon with lemmas, tags and features; other steps do not learn from them. */
  lexicon: {
    check: accepting<readonly ConlluSentence[]>(list(sentenceCheck)),
    help: "words of a lexicon, whose lemmas the tagger learns as well",
    programmatic: true,
  },
  /** Nothing is learned from the heads, labels and tags of such words. */
  partial: {
    check: flag,
    help: "whether words with the HEAD, DEPREL or UPOS `_` are not annotated",
    programmatic: true,
  },
  onProgress: {
    check: accepting<(progress: TrainingProgress) => void>(callback),
    help: "called with the progress of the training",
    programmatic: true,
  },
  onWarning: {
    check: accepting<(warning: TrainingWarning) => void>(callback),
    help: "called before the training with warnings about the sentences: trees that the decoder cannot find, and more",
    programmatic: true,
  },
  checkpoint: CHECKPOINT,
  /** See `TrainOptions` of `@arcwise/parser`. */
  encoder: {
    check: accepting<Encoder>((value, at) => void requireEncoder(value, at)),
    help: "an encoder, whose vectors of words in sentences the network of the parser reads",
    programmatic: true,
  },
  signal: { check: signal, help: "ends the training by throwing its reason", programmatic: true },
  /**
   * A place for several jobs trains the tokeniser, the taggers, and the networks and pruners of the parser at the same time:
   * the same model, byte for byte.
   */
  place: PLACE,
});

/**
 * Options of `trainPipeline`: the settings of the model, and how the training runs.
 *
 * @example
 * const options: PipelineTrainOptions = { preset: "linear", seed: 1, onProgress: ({ step }) => console.log(step) };
 * const model = await trainPipeline(treebank, options);
 */
export interface PipelineTrainOptions extends OptionsOf<typeof TRAIN_OPTIONS> {}

/** The settings of the steps of a training, complete but for the settings of the parser that are not given. */
export type StepSettings = Omit<Complete<typeof PIPELINE_SETTINGS>, "parser"> & {
  /** The settings of the preset, with the settings that are given in their place. */
  readonly parser: ParserStepSettings;
};

/** Checks the options of a training and returns its settings. */
export function stepSettings(options: PipelineTrainOptions): StepSettings {
  checkOptions(TRAIN_OPTIONS, options, "trainPipeline");
  const { settings = {}, preset = settings.preset, seed = settings.seed, continue: model } = options;
  const complete = checkOptions(PIPELINE_SETTINGS, { ...settings, preset, seed }, "trainPipeline: settings");
  if (model !== undefined) {
    if (model.parser === undefined)
      throw new ArcwiseError(
        "missing-step",
        "trainPipeline: continue: expected a model with a parser, found one without",
      );
    checkKept({ ...settings, preset });
    const { terms } = checkTrainOptions({ ...settings.parser, continue: model.parser });
    return { ...complete, parser: { ...settings.parser, terms } };
  }
  const parser = withPreset(settings.parser ?? {}, complete.preset, options);
  return { ...complete, parser };
}

/** Settings of what stays as it is in a model that is continued. */
const KEPT = omitOptions(PIPELINE_SETTINGS, "seed", "variation", "parser");

/** Refuses settings of steps that stay as they are. */
function checkKept(settings: PipelineSettings): void {
  for (const { name } of KEPT) {
    const value = settings[name as keyof PipelineSettings];
    if (value === undefined || (name === "tokenizer" && value === false)) continue;
    const message = `trainPipeline: settings.${name}: a model that is continued keeps its settings, tokeniser and tagger`;
    throw new ArcwiseError("invalid-option", `${message}: leave it out`, { at: name });
  }
}
