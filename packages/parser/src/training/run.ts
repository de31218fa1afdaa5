import { type FilePieces, joinPieces } from "@arcwise/core/container";
import {
  accepting,
  bytes,
  callback,
  defineOptions,
  list,
  type OptionsOf,
  satisfying,
  signal,
} from "@arcwise/core/options";
import { type TrainingProgress, TrainingReporter, type TrainingWarning } from "@arcwise/core/training";
import { here, PLACE, type Place } from "@arcwise/jobs";
import { PRESET } from "./presets.ts";

const object = satisfying<object>("an object", (value) => typeof value === "object" && value !== null);

/** The options of a training that are not settings of the model. */
export const RUN_OPTIONS = defineOptions({
  preset: PRESET,
  dev: { check: list(object), help: "examples to evaluate on after each epoch", programmatic: true },
  onProgress: {
    check: accepting<(progress: TrainingProgress) => void>(callback),
    help: "called with the progress of the training",
    programmatic: true,
  },
  /** See `trainingWarnings`. */
  onWarning: {
    check: accepting<(warning: TrainingWarning) => void>(callback),
    help: "called before the training with its warnings about the examples",
    programmatic: true,
  },
  /** `resume` continues from it to the same model, byte for byte. */
  onCheckpoint: {
    check: accepting<(state: Uint8Array) => void | Promise<void>>(callback),
    help: "called with the state after each epoch",
    programmatic: true,
  },
  /** The same bytes, which must have been taken when its promise resolves: a state need not be in memory twice. */
  onCheckpointPieces: {
    check: accepting<(state: FilePieces) => void | Promise<void>>(callback),
    help: "called with the state in pieces instead of onCheckpoint",
    programmatic: true,
  },
  resume: { check: bytes, help: "a state to continue from", programmatic: true },
  signal: {
    check: signal,
    help: "ends the training, between two sentences, by throwing its reason",
    programmatic: true,
  },
  place: PLACE,
});

/** How a training of a parser of trees or graphs runs: options that are not settings of the model. */
export interface RunOptions<Example> extends Omit<OptionsOf<typeof RUN_OPTIONS>, "dev"> {
  /** Examples to evaluate on after each epoch. */
  readonly dev?: readonly Example[] | undefined;
}

/** The parts of a training that do not determine the model: reports, checkpoints and the signal to stop. */
export interface TrainingRun<Example> {
  readonly dev: readonly Example[];
  readonly reporter: TrainingReporter;
  readonly keep: ((state: FilePieces) => void | Promise<void>) | undefined;
  readonly resume: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly place: Place;
}

/**
 * Returns the run of a training.
 *
 * @param work the estimated work of the steps
 */
export function runOf<Example>(
  options: RunOptions<Example>,
  work: Readonly<Record<string, number>>,
): TrainingRun<Example> {
  const { dev = [], onProgress, onCheckpoint, onCheckpointPieces, resume, place = here() } = options;
  const whole = onCheckpoint && ((state: FilePieces) => onCheckpoint(joinPieces(state)));
  const reporter = new TrainingReporter(work, onProgress);
  return { dev, reporter, keep: onCheckpointPieces ?? whole, resume, signal: options.signal, place };
}
