import { checkArgument, integer, shaped } from "@arcwise/core/options";
import type { Job, JobRun, Place } from "../../job.ts";
import { type Hash, hashOf } from "./hash.ts";
import { foundOutput, writeOutput } from "./sealed.ts";
import { readBlob, type Store } from "./store.ts";
import { outputOf, stored } from "./stored.ts";

/** One of several processes that do the same training. */
export interface ProcessOf {
  /** From 0. */
  readonly index: number;
  /** Number of processes. */
  readonly count: number;
}

/** Milliseconds that a process waits for the output of another one: a week. */
const PATIENCE = 7 * 24 * 3600_000;

/**
 * Returns the place of one of several processes that do the same training with one store: each job is done by the
 * first process that is free, and the others wait for its output. For schedulers that start the processes, such as an
 * array of Slurm. A process that ended early must be started again with its index: the others wait for its jobs.
 *
 * @throws from `do`, as `stored`
 */
export function amongProcesses(place: Place, store: Store, own: ProcessOf): Place {
  const shape = shaped<ProcessOf>("a process: its index and their count", {
    index: integer(0),
    count: integer(1),
  });
  checkArgument(shape, own, "amongProcesses: own");
  const { index, count } = own;
  const keeping = stored(place, store);
  const turns = new Turns(place.width);
  return {
    width: Number.POSITIVE_INFINITY,
    isPlain: true,
    async do<In extends object, Out, Progress>(job: Job<In, Out>, input: In, run: JobRun<Progress> = {}) {
      const name = outputOf(job, input);
      const claim = hashOf(`${name} by one of ${count}`);
      for (;;) {
        const turn = await turns.next();
        try {
          run.signal?.throwIfAborted();
          if ((await store.has(name)) || (await isOwn(store, claim, index)))
            return await keeping.do(job, input, run);
        } finally {
          turn();
        }
        const what = `the output of ${job.name}, which another process makes`;
        await readBlob(store, { name, what, patience: PATIENCE, signal: run.signal, decode: () => true });
      }
    },
    close: () => place.close(),
  };
}

/** Claims a job, unless another process has; returns whether this process has it. */
async function isOwn(store: Store, claim: Hash, index: number): Promise<boolean> {
  const claimed = async () => (await foundOutput(store, claim)) as { readonly index: number } | undefined;
  if ((await claimed()) === undefined) await writeOutput(store, claim, { index }, { isDurable: false });
  // The first claim is kept.
  const owner = (await claimed())?.index;
  return owner === undefined || owner === index;
}

/** Lets a number of callers go on at a time, in the order of their calls. */
class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  /** Resolves when the caller may go on, with a function that it calls in the end. */
  async next(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
