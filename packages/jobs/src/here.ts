import { abortable } from "@arcwise/core/messages";
import { checkJob, type Place, resolved } from "./job.ts";
import { Kept } from "./kept.ts";

/**
 * Returns a place that does jobs in this thread, in sequence. Nothing is copied.
 *
 * @example
 * const model = await trainPipeline(treebank, { place: here() });
 */
export function here(): Place {
  const kept = new Kept();
  let last: Promise<unknown> = Promise.resolve();
  return {
    width: 1,
    async do(job, input, given = {}) {
      checkJob(job, input, given);
      const { onProgress, signal } = given;
      const report = (onProgress ?? (() => {})) as (progress: object) => void;
      const run = async () => {
        signal?.throwIfAborted();
        return job.run(await resolved(input), { onProgress: report, signal, keep: kept.for(job.name) });
      };
      const done = last.then(run);
      last = done.catch(() => {});
      return abortable(done, signal);
    },
    close: async () => {},
  };
}
