import { hasCode } from "@arcwise/core/errors";
import type { StoreAddresses } from "../blobs/layered-store.ts";
import type { StepOrder } from "../steps/order.ts";
import type { StepRunner } from "./runner.ts";
import { StepThreads } from "./step-threads.ts";

/** Number of threads that may be lost at one step. */
const ATTEMPTS = 3;

/**
 * Returns a runner of steps in threads of this process. A step whose thread ends early is run again, three
 * times at most.
 *
 * @param store address of the store, see `openStore`, or the addresses of `openStores`
 * @throws ArcwiseError `invalid-argument` unless `threads` is a number of threads
 */
export function threadRunner(store: string | StoreAddresses, threads: number): StepRunner {
  const pool = new StepThreads(typeof store === "string" ? { store } : store, threads);
  const attempt = async (step: StepOrder, signal: AbortSignal | undefined): Promise<void> => {
    for (let lost = 1; ; lost++) {
      try {
        await pool.run([step], signal);
        return;
      } catch (error) {
        if (!hasCode(error, "thread-lost") || lost === ATTEMPTS) throw error;
      }
    }
  };
  return {
    async run({ steps, last }, { onDone, signal } = {}) {
      const running = steps.map(async (step) => {
        await attempt(step, signal);
        onDone?.(step);
      });
      const outcomes = await Promise.allSettled(running);
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
      await attempt(last, signal);
      onDone?.(last);
    },
    close: () => pool.close(),
  };
}
