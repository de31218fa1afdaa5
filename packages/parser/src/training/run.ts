import { type FilePieces, joinPieces } from "@arcwise/core/container";
import { bytes, callback, defineOptions, list, satisfying, signal } from "@arcwise/core/options";
import { type TrainingProgress, TrainingReporter, type TrainingWarning } from "@arcwise/core/training";
import { here, PLACE, type Place } from "@arcwise/work";
import { PRESET, type Preset } from "./presets.ts";

/** How a training of a parser of trees or graphs runs: options that are not settings of the model. */
export interface RunOptions<Example> {
  /** Values of the settings that are not given. Default: "balanced". */
  readonly preset?: Preset | undefined;
  /** Examples to evaluate on after each epoch. */
  readonly dev?: readonly Example[] | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Called before the training with its warnings: see `trainingWarnings` and `graphTrainingWarnings`. */
  readonly onWarning?: ((warning: TrainingWarning) => void) | undefined;
  /** Called with the state after each epoch: `resume` continues from it to the same model, byte for byte. */
  readonly onCheckpoint?: ((state: Uint8Array) => void | Promise<void>) | undefined;
  /**
   * Called instead of `onCheckpoint`, with the same bytes in pieces, which must have been taken when its
   * promise resolves: a state takes hundreds of megabytes, and need not be in memory twice.
   */
  readonly onCheckpointPieces?: ((state: FilePieces) => void | Promise<void>) | undefined;
  readonly resume?: Uint8Array | undefined;
  /** Ends training, between two sentences, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The place that does the jobs of the training, such as `onThreads(4)`. Default: this thread. */
  readonly place?: Place | undefined;
}

const object = satisfying("an object", (value) => typeof value === "object" && value !== null);

/** The options of a training that are not settings of the model. */
export const RUN_OPTIONS = defineOptions<RunOptions<object>>()({
  preset: PRESET,
  dev: { check: list(object), help: "examples to evaluate on after each epoch", programmatic: true },
  onProgress: { check: callback, help: "called with the progress of the training", programmatic: true },
  onWarning: { check: callback, help: "called with warnings about the examples", programmatic: true },
  onCheckpoint: { check: callback, help: "called with the state after each epoch", programmatic: true },
  onCheckpointPieces: { check: callback, help: "called with the state in pieces", programmatic: true },
  resume: { check: bytes, help: "a state to continue from", programmatic: true },
  signal: { check: signal, help: "ends the training", programmatic: true },
  place: PLACE,
});

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
