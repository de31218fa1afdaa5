import { stat } from "node:fs/promises";
import { ModelError } from "@arcwise/core/container";
import type { Encoder } from "@arcwise/core/encoders";
import { type CheckpointFolder, checkpointFolder } from "@arcwise/core/node";
import type { Checkpoint } from "@arcwise/core/training";
import type { Place } from "@arcwise/jobs";
import type { PipelineModel } from "@arcwise/pipeline";
import type { PlaceArguments } from "../cluster/places.ts";
import type { EncoderArguments } from "../command/options.ts";
import { DataError, Interrupted, interruption, UsageError } from "../errors.ts";
import { type PlannedFile, type PlannedOutput, planFiles } from "../files/file-plan.ts";
import { displayName, type Io, printLine } from "../files/io.ts";
import { replaceOutput } from "../files/output.ts";
import type { GraphTrainingSettings, Purpose, TrainingSettings } from "../settings/train-settings.ts";
import type { TrainingDisplay } from "./training-display.ts";

/** Returns the path of the checkpoint of a training. */
export function checkpointPath(model: string): string {
  return `${model}.checkpoint`;
}

/** The outputs of a training. */
export interface TrainingOutputs {
  readonly model: PlannedOutput;
  /** Absent: of a process of several, whose store has all that is done. */
  readonly checkpoint?: CheckpointFolder | undefined;
}

/** The flags of `arcwise train` besides the flags of settings. */
export interface CommandArguments extends PlaceArguments, EncoderArguments {
  readonly train: readonly string[];
  readonly silver?: readonly string[] | undefined;
  readonly lexicon?: string | undefined;
  readonly order?: number | undefined;
  readonly dev?: readonly string[] | undefined;
  readonly model: string;
  readonly for: Purpose;
  readonly threads?: number | undefined;
  readonly continue?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly printSettings?: boolean | undefined;
}

/** What a training has in addition to its arguments. */
export interface Training {
  readonly settings: TrainingSettings | GraphTrainingSettings;
  readonly outputs: TrainingOutputs;
  readonly place: Place;
  readonly encoder: Encoder | undefined;
  /** The model that is continued; undefined: a new one is trained. */
  readonly continued: PipelineModel | undefined;
}

/** Plans the files of a training. Throws as `planFiles`. */
export async function planTraining(
  io: Io,
  model: string,
  inputs: readonly PlannedFile[],
): Promise<{ readonly model: PlannedOutput; readonly checkpoint: CheckpointFolder }> {
  const checkpoint = checkpointFolder(checkpointPath(model));
  const planned = await planFiles(io, { inputs, outputs: { "--model": model }, checkpoint: checkpoint.path });
  return { model: planned["--model"], checkpoint };
}

/** The states of the training of a parser alone. */
const PARSER_STATES: readonly string[] = ["network", "weights"];

/**
 * Says what a training begins with. Without `resume`, a checkpoint is an error, so that none is overwritten.
 *
 * @throws UsageError if there is a checkpoint that the training cannot resume from
 */
export async function announceCheckpoint(
  io: Io,
  { path, names }: CheckpointFolder,
  { resume = false, purpose }: { readonly resume?: boolean | undefined; readonly purpose: Purpose },
): Promise<void> {
  const found = await names();
  if (found.length > 0 && !resume)
    throw new UsageError(
      `${path} already exists: add --resume to continue that training, or delete the folder`,
    );
  const isText = purpose === "text";
  if (found.some((name) => PARSER_STATES.includes(name) === isText)) {
    const own = isText ? "tagged or --for graphs" : "text";
    throw new UsageError(
      `${path} comes from --for ${own}, expected --for ${purpose}: give --for ${own}, or remove the folder`,
    );
  }
  const begun =
    found.length > 0 ? `continuing from ${path}` : `no ${path}: training starts from the beginning`;
  if (resume) printLine(io, begun);
}

/**
 * Runs a training that writes a model file, with a checkpoint that is removed at the end.
 *
 * @param train returns the bytes of the trained model
 */
export async function trainInto(
  io: Io,
  { model, checkpoint }: TrainingOutputs,
  shown: Pick<TrainingDisplay, "line" | "stop">,
  train: (checkpoint: Checkpoint | undefined) => Promise<Uint8Array>,
): Promise<void> {
  const start = performance.now();
  try {
    await replaceOutput(model, await train(checkpoint));
  } catch (error) {
    if (io.signal.aborted)
      throw new Interrupted(
        checkpoint ? await interruption(checkpoint.path) : "stopped: the store has what is done",
      );
    // No model has been read: the error is about the checkpoint.
    throw error instanceof ModelError && checkpoint
      ? new DataError(`${checkpoint.path}: ${error.message}`, { cause: error })
      : error;
  } finally {
    shown.stop();
  }
  await checkpoint?.remove();
  shown.line(await writtenLine(model.path, start));
}

/** Describes a model file that was written. @param start the time when its training began */
export async function writtenLine(model: string, start: number): Promise<string> {
  const seconds = (performance.now() - start) / 1000;
  const kilobytes = Math.ceil((await stat(model)).size / 1000);
  return `wrote ${model} (${kilobytes} kB) after ${seconds.toFixed(1)} s`;
}

/** Prints what a training found in a treebank that most users do not intend. */
export function warn(io: Io, treebank: string, message: string): void {
  printLine(io, `arcwise: warning: ${displayName(treebank)}: ${message}`);
}
