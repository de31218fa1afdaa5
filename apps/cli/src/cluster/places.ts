import { here, type Place } from "@arcwise/jobs";
import { amongProcesses, onThreads, type ProcessOf, stored } from "@arcwise/jobs/node";
import { type QueueArguments, queueOptions, requireStore, type StoreArguments } from "../command/options.ts";
import { UsageError } from "../errors.ts";
import { type Io, printLine } from "../files/io.ts";
import { loadCluster, loadQueue } from "../modules/packages.ts";

/** The flags of commands whose work other processes share. */
export interface PlaceArguments extends QueueArguments, StoreArguments {}

/** Returns whether a command has a store. */
export function hasStore({ queue, store }: PlaceArguments): boolean {
  if (queue === undefined && store === undefined) return false;
  requireStore({ store });
  return true;
}

/** Opens the place of a command: this thread or threads of this process, and with the flags a store, or the workers of a queue. */
export async function openPlace(io: Io, options: PlaceArguments, threads: number): Promise<Place> {
  if (!hasStore(options)) return threads === 1 ? here() : threadsOf(io, threads);
  const process = processOf(options);
  const { openStores } = await loadCluster();
  const store = await openStores(requireStore(options));
  if (options.queue !== undefined && process === undefined)
    return (await loadQueue()).onQueue({ ...queueOptions(io, options), store, signal: io.signal });
  const pool = threadsOf(io, threads);
  return process === undefined ? stored(pool, store) : amongProcesses(pool, store, process);
}

/**
 * Returns which of several processes that run the same command this one is, by `--queue K/N`; undefined for a queue of
 * a server.
 */
export function processOf({ queue = "" }: QueueArguments): ProcessOf | undefined {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(queue) ?? [];
  if (index === undefined) return undefined;
  if (Number(index) < Number(count)) return { index: Number(index), count: Number(count) };
  throw new UsageError(`--queue ${queue}: expected K/N, such as 0/4: process K, from 0, of N processes`);
}

function threadsOf(io: Io, threads: number): Place {
  return onThreads(threads, {
    onLost: ({ job, error }) =>
      printLine(io, `a thread ended early (${error.message}): the job ${job} is done again`),
  });
}
