import { anything, callback, checkArgument, list, optional, shaped } from "@arcwise/core/options";
import { checkJob, isPlace, type Job, type JobProgress, type JobRun, type Place } from "../../job.ts";
import { type Hash, hashOf } from "./hash.ts";
import { foundOutput, writeOutput } from "./sealed.ts";
import { encodedInput, outputName } from "./shared-blobs.ts";
import { isStore, type Store } from "./store.ts";

/** Milliseconds of work from which an output is forced to the disk, which takes some of them. */
const DURABLE = 1000;

/** The contents of an output in a store. */
export interface StoredOutput {
  readonly output?: unknown;
  /** The reports of the ends of epochs. */
  readonly reports: readonly JobProgress[];
}

/**
 * Returns a place that keeps the outputs of its jobs in a store: an output that is there is returned, and its job is
 * not done again. A training that was interrupted continues if it is started again. A damaged output is set aside and
 * made again.
 *
 * Inputs and outputs are plain data: what JSON can represent, and typed arrays.
 *
 * @throws from `do`, RangeError unless input and output are plain data; ArcwiseError `invalid-data` if the store cannot
 *   be read or written
 *
 * @example
 * const place = stored(onThreads(4), await folderStore("english.steps"));
 * const model = await trainPipeline(treebank, { place });
 */
export function stored(place: Place, store: Store): Place {
  checkArgument(isPlace, place, "stored: place");
  checkArgument(isStore, store, "stored: store");
  return {
    width: place.width,
    isPlain: true,
    async do<In extends object, Out, Progress>(job: Job<In, Out>, input: In, run: JobRun<Progress> = {}) {
      const name = outputOf(job, input);
      const found = (await foundOutput(store, name)) as StoredOutput | undefined;
      if (found !== undefined) return replayed<Out>(found, run as JobRun<JobProgress>);
      return done(place, store, { name, job, input, run });
    },
    close: () => place.close(),
  };
}

/** Returns the name of the output of a job. */
export function outputOf<In extends object, Out>(job: Job<In, Out>, input: In): Hash {
  checkJob(job, input);
  return outputName(job.name, hashOf(encodedInput(input)));
}

/** Reports what a job reported; returns its output. */
export function replayed<Out>(found: StoredOutput, run: JobRun<JobProgress>): Out {
  checkArgument(shaped("the output of a job", { reports: list(anything) }), found, "replayed: found");
  checkArgument(shaped("callbacks", { onProgress: optional(callback) }), run, "replayed: run");
  const { output, reports } = found;
  const { onProgress } = run;
  for (const report of reports) onProgress?.(report);
  return output as Out;
}

interface KeptJob<In extends object, Out, Progress> {
  readonly name: string;
  readonly job: Job<In, Out>;
  readonly input: In;
  readonly run: JobRun<Progress>;
}

/** Does a job, and writes its output. */
async function done<In extends object, Out, Progress>(
  place: Place,
  store: Store,
  { name, job, input, run }: KeptJob<In, Out, Progress>,
): Promise<Out> {
  const reports: JobProgress[] = [];
  const { onProgress, signal } = run as JobRun<JobProgress>;
  const report = (progress: JobProgress) => {
    if (progress.epochDone === true) reports.push(progress);
    onProgress?.(progress);
  };
  const start = performance.now();
  const output = await place.do<In, Out, JobProgress>(job, input, { signal, onProgress: report });
  const contents: StoredOutput = { output, reports };
  await writeOutput(store, name, contents, { isDurable: performance.now() - start > DURABLE });
  return output;
}
