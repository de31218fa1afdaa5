import { availableParallelism } from "node:os";
import { Option } from "commander";
import { integer } from "../command/options.ts";
import type { Io } from "../files/io.ts";

/** Options of commands that run on several threads. */
export interface ThreadArguments {
  readonly threads: number;
  readonly forceThreads?: boolean | undefined;
}

/**
 * Declares `--threads N`. @param description what the threads do, and what does not depend on their number
 */
export function threadsOption(description: string): Option {
  return new Option("--threads <n>", description).argParser(integer(1, 1024)).default(1);
}

/** `--force-threads`: the number of threads is not limited by the number of cores. */
export function forceThreadsOption(): Option {
  return new Option("--force-threads", "use as many threads as --threads says, whatever the number of cores");
}

/**
 * Returns the number of threads to use: as many as were asked for, at most one per core unless that is forced.
 * Says so when it is fewer.
 *
 * @param doing what the threads do: `parsing`
 */
export function threadsToUse(
  io: Io,
  { threads, forceThreads = false }: ThreadArguments,
  doing: string,
): number {
  const cores = availableParallelism();
  if (forceThreads || threads <= cores) return threads;
  io.stderr.write(
    `this machine has ${cores} cores: ${doing} on ${cores} threads, not ${threads} (--force-threads)\n`,
  );
  return cores;
}
