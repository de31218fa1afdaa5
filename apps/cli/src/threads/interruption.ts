import { stat } from "node:fs/promises";
import { Interrupted } from "../command/errors.ts";
import type { Io } from "../files/io.ts";

/**
 * Returns a line on the files that a stopped command leaves behind.
 *
 * @param checkpoint where a training keeps its state; undefined: the command does not train
 */
export async function interruption(checkpoint: string | undefined): Promise<string> {
  if (checkpoint === undefined) return "stopped";
  const kept = await stat(checkpoint).then(
    () => true,
    () => false,
  );
  return kept
    ? `stopped; ${checkpoint} is kept: the same command with --resume continues from it`
    : "stopped before the first checkpoint: nothing is kept";
}

/** @throws Interrupted when the user asked to stop */
export function checkInterrupt(io: Io): void {
  if (io.signal.aborted) throw new Interrupted("stopped");
}
