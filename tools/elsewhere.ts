import { type Place, resolved } from "@arcwise/jobs";

/**
 * Returns a place for several jobs, each of which is done with copies of its input and keeps nothing, as on machines.
 *
 * @param before called before each job
 */
export function elsewhere(before: (job: string) => Promise<void> | void = () => {}): Place {
  return {
    width: 4,
    async do(job, input, { onProgress, signal } = {}) {
      await before(job.name);
      signal?.throwIfAborted();
      const copy = structuredClone(await resolved(input));
      const report = (onProgress ?? (() => {})) as (progress: object) => void;
      return structuredClone(await job.run(copy, { onProgress: report, signal, keep: (_, make) => make() }));
    },
    close: async () => {},
  };
}
