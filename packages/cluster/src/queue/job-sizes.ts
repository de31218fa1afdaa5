import { integer, isReceived, number, record, string } from "@arcwise/core/options";
import type { Order } from "../order.ts";
import type { JobResult } from "./classes.ts";

/** Milliseconds up to which orders make one job of the queue, which takes some milliseconds for each. */
const JOB_TIME = 500;
/** Maximum number of orders of a job. */
const MAX_ORDERS = 16;
const RESULT = record<JobResult>({
  worker: string,
  threads: integer(1, 2 ** 16),
  milliseconds: number(0),
});
/** Milliseconds after which a worker that has done nothing counts as gone. */
const GONE = 60_000;

/**
 * Decides how many orders make a job of the queue: one as long as they take long, so that workers of any speed share
 * them; of short ones, as many as there are for each thread of the workers that have been seen.
 */
export class JobSizes {
  readonly #workers = new Map<string, { readonly threads: number; readonly seen: number }>();
  /** Milliseconds per order, by the last job. */
  readonly #times = new Map<string, number>();

  /** Takes note of who has done orders, and their time. Results that do not come from a worker are ignored. */
  see(orders: readonly Order[], result: unknown, now: number = performance.now()): void {
    if (!isReceived<JobResult>(RESULT, result)) return;
    const { worker, threads, milliseconds } = result;
    this.#workers.set(worker, { threads, seen: now });
    this.#times.set(orders[0]!.job, milliseconds / orders.length);
  }

  /** Distributes orders of one job over jobs of the queue. */
  jobsOf<Given extends { readonly order: Order }>(
    orders: readonly Given[],
    now: number = performance.now(),
  ): readonly (readonly Given[])[] {
    const slots = this.#slots(now);
    const time = this.#times.get(orders[0]!.order.job) ?? Number.POSITIVE_INFINITY;
    const most = Math.min(MAX_ORDERS, Math.floor(JOB_TIME / time), Math.ceil(orders.length / slots));
    const jobs = Math.ceil(orders.length / Math.max(1, slots === 0 ? 1 : most));
    return Array.from({ length: jobs }, (_, job) => orders.filter((_order, k) => k % jobs === job));
  }

  /** Returns the number of jobs that workers do at a time; 0 when no worker has been seen. */
  #slots(now: number): number {
    let slots = 0;
    for (const [worker, { threads, seen }] of this.#workers)
      if (now - seen > GONE) this.#workers.delete(worker);
      else slots += threads;
    return slots;
  }
}
