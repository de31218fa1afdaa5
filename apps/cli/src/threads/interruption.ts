import { checkpointFolder } from "@arcwise/core/node";
import { Interrupted } from "../command/errors.ts";
import type { Io } from "../files/io.ts";

/**
 * Returns a line on the files that a stopped command leaves behind.
 *
 * @param path the folder where a training keeps its states; undefined: the command does not train
 */
export async function interruption(path: string | undefined): Promise<string> {
  if (path === undefined) return "stopped";
  const checkpoint = checkpointFolder(path);
  await checkpoint.tidy();
  return (await checkpoint.names()).length > 0
    ? `stopped; ${path} is kept: the same command with --resume continues from it`
    : "stopped before the first checkpoint: nothing is kept";
}

/** @throws Interrupted when the user asked to stop */
export function checkInterrupt(io: Io): void {
  if (io.signal.aborted) throw new Interrupted("stopped");
}
