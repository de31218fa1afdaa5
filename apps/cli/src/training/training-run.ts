import { readFile, stat, unlink } from "node:fs/promises";
import { type FilePieces, ModelError } from "@arcwise/core/container";
import { DataError, Interrupted, UsageError } from "../command/errors.ts";
import { type PlannedFile, type PlannedOutput, planFiles } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { replaceOutput } from "../files/output.ts";
import { printLine } from "../files/printable.ts";
import { interruption } from "../threads/interruption.ts";
import type { TrainingDisplay } from "./training-display.ts";

/** Returns the path of the checkpoint of a training. */
export function checkpointFile(model: string): string {
  return `${model}.checkpoint`;
}

/** The outputs of a training. */
export interface TrainingOutputs {
  readonly model: PlannedOutput;
  /** Absent: of a process of several, whose store has all that is done. */
  readonly checkpoint?: PlannedOutput | undefined;
}

/** Plans the files of a training. Throws as `planFiles`. */
export async function planTraining(
  io: Io,
  model: string,
  inputs: readonly PlannedFile[],
): Promise<Required<TrainingOutputs>> {
  const checkpoint = checkpointFile(model);
  const outputs = { "--model": model, "the checkpoint of --model": checkpoint };
  const planned = await planFiles(io, { inputs, outputs, checkpoint });
  return { model: planned["--model"], checkpoint: planned["the checkpoint of --model"] };
}

/** Reads the state to resume from. Without `resume`, a checkpoint is an error, so that none is overwritten. */
export async function loadCheckpoint(
  io: Io,
  { model, resume }: { readonly model: string; readonly resume?: boolean | undefined },
): Promise<Uint8Array | undefined> {
  const file = checkpointFile(model);
  const state = await readFile(file).catch(ignoreMissing);
  if (resume === true) {
    printLine(
      io,
      state === undefined ? `no ${file}: training starts from the beginning` : `continuing from ${file}`,
    );
    return state;
  }
  if (state === undefined) return undefined;
  throw new UsageError(`${file} already exists: add --resume to continue that training, or delete the file`);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/**
 * Runs a training that writes a model file, with a checkpoint that is removed at the end.
 *
 * @param train returns the trained model; `keep` writes the state after each epoch
 */
export async function trainInto(
  io: Io,
  outputs: TrainingOutputs,
  shown: Pick<TrainingDisplay, "line" | "stop">,
  train: (keep: ((state: Uint8Array | FilePieces) => Promise<void>) | undefined) => Promise<Uint8Array>,
): Promise<void> {
  const { checkpoint } = outputs;
  const start = performance.now();
  let writing = Promise.resolve();
  const keep =
    checkpoint &&
    ((state: Uint8Array | FilePieces): Promise<void> => {
      writing = replaceOutput(checkpoint, state);
      return writing;
    });
  try {
    // Stages train side by side: one may write when another one is interrupted.
    const model = await train(keep).finally(() => writing.catch(() => {}));
    await replaceOutput(outputs.model, model);
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
  if (checkpoint) await unlink(checkpoint.path).catch(ignoreMissing);
  shown.line(await writtenLine(outputs.model.path, start));
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
