import { hasCode } from "@arcwise/core/errors";
import type { Job, JobProgress, JobRun, Place } from "@arcwise/jobs";
import { DamagedBlob, JobBlobs, replayed, type Store } from "@arcwise/jobs/node";
import { type Order, orderOf } from "../src/order.ts";
import { OrderCarrier, type OrderOutcome } from "../src/order-jobs.ts";

/** Attempts at an order whose output or input is damaged. */
const ATTEMPTS = 5;

/** Carries out an order. */
export type Carry = (order: Order) => Promise<OrderOutcome>;

/** Returns a place whose jobs are carried out as by the workers of a queue, through a store. */
export function placeOf(store: Store, carry: Carry): Place {
  const blobs = new JobBlobs(store);
  return {
    width: Number.POSITIVE_INFINITY,
    isPlain: true,
    async do<In extends object, Out, Progress>(job: Job<In, Out>, input: In, run: JobRun<Progress> = {}) {
      for (let attempt = 1; ; attempt++) {
        run.signal?.throwIfAborted();
        const order = orderOf(await blobs.write(job, input));
        let failure: unknown;
        await carry(order).catch((error: unknown) => {
          failure = error;
        });
        const found = await blobs.output(order);
        if (found !== undefined) return replayed<Out>(found, run as JobRun<JobProgress>);
        const isDamage = failure instanceof DamagedBlob || hasCode(failure, "missing-blob");
        const isFault = failure !== undefined && !isDamage && (await blobs.hasInput(order));
        if (attempt === ATTEMPTS || isFault) throw failure ?? new Error("no output");
        blobs.forget(input);
      }
    },
    close: async () => {},
  };
}

/** Returns a function that has orders carried out by workers in turn, each of which keeps what it has read. */
export function workers(store: Store, count: number): Carry {
  const carriers = Array.from({ length: count }, () => new OrderCarrier(store));
  let turn = 0;
  return (order) => carriers[turn++ % count]!.carryOut(order);
}
