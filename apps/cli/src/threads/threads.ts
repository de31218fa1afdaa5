import { availableParallelism } from "node:os";
import { counted } from "@arcwise/core/errors";
import { Option } from "commander";
import { integer } from "../command/options.ts";
import type { Io } from "../files/io.ts";

/** Options of commands that parse on several threads. */
export interface ThreadArguments {
  readonly threads?: number | undefined;
  readonly forceThreads?: boolean | undefined;
}

/** Bytes of input for which a thread more is worth the time that it takes to load a model. */
const BYTES_A_THREAD = 200_000;

/**
 * Declares `--threads N`.
 *
 * @param description what the threads do, and what does not depend on their number
 * @param byDefault their number; undefined: it depends on the input
 */
export function threadsOption(description: string, byDefault?: number): Option {
  const shown = byDefault === undefined ? "one for every 200 kB of input, at most one per core" : undefined;
  return new Option("--threads <n>", description).argParser(integer(1, 1024)).default(byDefault, shown);
}

/** `--force-threads`: the number of threads is not limited by the number of cores. */
export function forceThreadsOption(): Option {
  return new Option("--force-threads", "use as many threads as --threads says, whatever the number of cores");
}

/**
 * Returns the number of threads that parse: as many as were asked for, at most one per core unless that is forced. Says
 * so when it is fewer. Without a number, as many as the length of the input, in bytes, is worth.
 */
export function threadsToUse(
  io: Io,
  { threads, forceThreads = false }: ThreadArguments,
  length: number,
): number {
  const cores = availableParallelism();
  if (threads === undefined) {
    if (io.responsive !== true) return 1;
    return Math.max(1, Math.min(cores, Math.floor(length / BYTES_A_THREAD)));
  }
  if (forceThreads || threads <= cores) return threads;
  io.stderr.write(
    `this machine has ${counted(cores, "core")}: parsing on ${counted(cores, "thread")}, not ${threads} (--force-threads)\n`,
  );
  return cores;
}
