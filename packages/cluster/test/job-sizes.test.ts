import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderOf } from "../src/order.ts";
import { JobSizes } from "../src/queue/job-sizes.ts";

const ORDER = orderOf({ job: "parsing-shard", input: "a".repeat(64) });
const orders = (count: number) => Array.from({ length: count }, () => ({ order: ORDER }));

/** The numbers of orders of jobs, after workers have done one in a time. */
function sizes(threads: readonly number[], milliseconds: number, count = 10): number[] {
  const jobs = new JobSizes();
  for (const [k, own] of threads.entries())
    jobs.see([ORDER], { worker: `w${k}`, threads: own, milliseconds }, 0);
  return jobs.jobsOf(orders(count), 0).map((job) => job.length);
}

describe("the orders of jobs", () => {
  it.each([
    ["one each, before anything is known", [], 100, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["all, for one thread", [1], 10, [10]],
    ["as many as there are for each thread", [1, 2], 10, [4, 3, 3]],
    ["one each, where these are long", [1], 600, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["half a second, where all take longer", [1], 250, [2, 2, 2, 2, 2]],
  ] as const)("%s", (_name, threads, milliseconds, expected) => {
    expect(sizes(threads, milliseconds)).toEqual(expected);
  });

  it("are for the workers that were seen lately", () => {
    const jobs = new JobSizes();
    jobs.see([ORDER], { worker: "gone", threads: 4, milliseconds: 1 }, 0);
    jobs.see([ORDER], { worker: "here", threads: 2, milliseconds: 1 }, 100_000);
    expect(jobs.jobsOf(orders(10), 100_001)).toHaveLength(2);
    jobs.see([ORDER], "the result of another version", 100_002);
    expect(jobs.jobsOf(orders(10), 100_003)).toHaveLength(2);
  });

  it("are all orders, each once, and 16 at most", () => {
    const counts = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(counts, fc.array(fc.integer({ min: 1, max: 9 })), fc.nat(900), (count, threads, time) => {
        const found = sizes(threads, time, count);
        expect(found.reduce((sum, size) => sum + size, 0)).toBe(count);
        for (const size of found) expect(size).toBeLessThanOrEqual(16);
        for (const size of found) expect(size).toBeGreaterThan(0);
      }),
    );
  });
});
