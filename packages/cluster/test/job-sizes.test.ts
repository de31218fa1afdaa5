import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JobSizes } from "../src/queue/job-sizes.ts";
import { stepOrder } from "../src/steps/order.ts";

const steps = (count: number) =>
  Array.from({ length: count }, (_, shard) => stepOrder("train-shard", { run: "r", round: 0, shard }));

/** The numbers of steps of jobs after a flow of 10 steps by some workers. */
function sizes(threads: readonly number[], milliseconds: number, count = 10): number[] {
  const jobs = new JobSizes();
  for (const [k, own] of threads.entries()) jobs.see({ worker: `w${k}`, threads: own });
  jobs.time(10, milliseconds);
  return jobs.jobsOf(steps(count)).map((job) => job.length);
}

describe("the steps of jobs", () => {
  it.each([
    ["one each, before anything is known", [], 100, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["all, for one thread", [1], 100, [10]],
    ["as many as there are for each thread", [1, 2], 100, [4, 3, 3]],
    ["one each, where these are long", [1], 6000, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["half a second, where all take longer", [1], 2500, [2, 2, 2, 2, 2]],
  ] as const)("%s", (_name, threads, milliseconds, expected) => {
    expect(sizes(threads, milliseconds)).toEqual(expected);
  });

  it("are for the workers that were seen lately", () => {
    const jobs = new JobSizes();
    jobs.see({ worker: "gone", threads: 4 });
    for (let flow = 0; flow < 5; flow++) {
      jobs.see({ worker: "here", threads: 2 });
      jobs.time(10, 50);
    }
    expect(jobs.jobsOf(steps(10))).toHaveLength(2);
    jobs.see("the result of another version");
    expect(jobs.jobsOf(steps(10))).toHaveLength(2);
  });

  it("are all steps, each once, and 16 at most", () => {
    const counts = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(counts, fc.array(fc.integer({ min: 1, max: 9 })), fc.nat(9000), (count, threads, time) => {
        const found = sizes(threads, time, count);
        expect(found.reduce((sum, size) => sum + size, 0)).toBe(count);
        for (const size of found) expect(size).toBeLessThanOrEqual(16);
        for (const size of found) expect(size).toBeGreaterThan(0);
      }),
    );
  });
});
