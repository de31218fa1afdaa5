import type { ConlluSentence } from "@arcwise/conllu";
import {
  bytes,
  type Complete,
  callback,
  checkOptions,
  defineOptions,
  joinOptions,
  mergeOptions,
  signal,
} from "@arcwise/core/options";
import type { TrainingProgress, TrainingWarning } from "@arcwise/core/training";
import { PARSER_PRESETS, PRESET, type Preset, SEED, type TrainOptions } from "@arcwise/parser";
import { PLACE, type Place } from "@arcwise/work";
import {
  PARSER_STEP_SETTINGS,
  type ParserStepSettings,
  PIPELINE_SETTINGS,
  type PipelineSettings,
} from "./settings.ts";
import { type Treebank, treebanksCheck } from "./treebanks/treebank.ts";

/**
 * Options of `trainPipeline`: the settings of the model, and how the training runs.
 *
 * @example
 * const options: PipelineTrainOptions = { preset: "fast", seed: 1, onProgress: ({ step }) => console.log(step) };
 * const model = await trainPipeline(treebank, options);
 */
export interface PipelineTrainOptions {
  /** The preset, instead of the preset of `settings`. */
  readonly preset?: Preset | undefined;
  /** The seed of all steps, instead of the seed of `settings`. */
  readonly seed?: number | undefined;
  /** What differs from the preset. */
  readonly settings?: PipelineSettings | undefined;
  /**
   * A development set, or several: the tokeniser is chosen on them, the parser is measured, and the scores of all
   * and of each are kept.
   */
  readonly dev?: readonly ConlluSentence[] | readonly Treebank[] | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Called before the training with warnings about the sentences: trees that the decoder cannot find, and more. */
  readonly onWarning?: ((warning: TrainingWarning) => void) | undefined;
  /** Called with the state after each step, and after each epoch of the parser. */
  readonly onCheckpoint?: ((state: Uint8Array) => void | Promise<void>) | undefined;
  /** Called instead of `onCheckpoint`, with the same bytes in pieces: see `TrainOptions`. */
  readonly onCheckpointPieces?: TrainOptions["onCheckpointPieces"];
  /** A state to continue from, to the same model. */
  readonly resume?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The place that does the jobs of the training. Default: this thread. A place for several jobs trains the tokeniser,
   * the taggers, and the networks and pruners of the parser at the same time: the same model, byte for byte.
   */
  readonly place?: Place | undefined;
}

const TRAIN_OPTIONS = joinOptions(
  defineOptions<Omit<PipelineTrainOptions, "preset" | "seed">>()({
    settings: { options: PIPELINE_SETTINGS, help: "the settings of all steps" },
    dev: { check: treebanksCheck, help: "a development set", programmatic: true },
    onProgress: { check: callback, help: "called with the progress of the training", programmatic: true },
    onWarning: { check: callback, help: "called with warnings about the sentences", programmatic: true },
    onCheckpoint: { check: callback, help: "called with the state after each step", programmatic: true },
    onCheckpointPieces: { check: callback, help: "called with the state in pieces", programmatic: true },
    resume: { check: bytes, help: "a state to continue from", programmatic: true },
    signal: { check: signal, help: "ends the training", programmatic: true },
    place: PLACE,
  }),
  defineOptions<Pick<PipelineTrainOptions, "preset" | "seed">>()({
    preset: { check: PRESET.check, help: "the preset, instead of the preset of the settings" },
    seed: { check: SEED.check, help: "the seed, instead of the seed of the settings" },
  }),
);

/** The settings of the steps of a training, complete but for the settings of the parser that are not given. */
export type StepSettings = Omit<Complete<typeof PIPELINE_SETTINGS>, "parser"> & {
  /** The settings of the preset, with the settings that are given in their place. */
  readonly parser: ParserStepSettings;
};

/**
 * Checks the options of a training and returns its settings.
 *
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 */
export function stepSettings(options: PipelineTrainOptions): StepSettings {
  checkOptions(TRAIN_OPTIONS, options, "trainPipeline");
  const { settings = {}, preset = settings.preset, seed = settings.seed } = options;
  const complete = checkOptions(PIPELINE_SETTINGS, { ...settings, preset, seed }, "trainPipeline: settings");
  const parser = mergeOptions(PARSER_STEP_SETTINGS, PARSER_PRESETS[complete.preset], settings.parser ?? {});
  return { ...complete, parser };
}
