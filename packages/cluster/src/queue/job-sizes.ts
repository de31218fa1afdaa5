import { integer, isReceived, record, string } from "@arcwise/core/options";
import type { StepOrder } from "../steps/order.ts";
import type { JobResult } from "./classes.ts";

/** Milliseconds up to which steps make one job: the queue takes some milliseconds for each. */
const JOB_TIME = 500;
/** Most steps of a job. */
const MAX_STEPS = 16;
const RESULT = record<JobResult>({ worker: string, threads: integer(1, 2 ** 16) });
/** Flows after which a worker that has run nothing counts as gone. */
const GONE = 3;

/**
 * Decides how many steps make a job: one as long as steps take long, so that workers of any speed share them; of short
 * steps, as many as there are for each thread of the workers that have been seen.
 */
export class JobSizes {
  readonly #workers = new Map<string, { readonly threads: number; readonly flow: number }>();
  #flow = 0;
  /** Milliseconds of a step, by the last flow. */
  #stepTime = Number.POSITIVE_INFINITY;

  /** Takes note of who has run a job. Results that do not come from a worker of Arcwise are ignored. */
  see(result: unknown): void {
    if (!isReceived<JobResult>(RESULT, result)) return;
    this.#workers.set(result.worker, { threads: result.threads, flow: this.#flow });
  }

  /** Takes note of the time of a whole flow. */
  time(steps: number, milliseconds: number): void {
    if (steps > 0) this.#stepTime = (milliseconds * this.#slots()) / steps;
    this.#flow++;
  }

  /** Distributes steps over jobs. */
  jobsOf(steps: readonly StepOrder[]): readonly (readonly StepOrder[])[] {
    const slots = this.#slots();
    const most = Math.min(MAX_STEPS, Math.floor(JOB_TIME / this.#stepTime), Math.ceil(steps.length / slots));
    const jobs = Math.ceil(steps.length / Math.max(1, slots === 0 ? 1 : most));
    return Array.from({ length: jobs }, (_, job) => steps.filter((_step, k) => k % jobs === job));
  }

  /** Returns the number of jobs that run at a time; 0 when no worker has been seen. */
  #slots(): number {
    let slots = 0;
    for (const [worker, { threads, flow }] of this.#workers)
      if (this.#flow - flow > GONE) this.#workers.delete(worker);
      else slots += threads;
    return slots;
  }
}
