import type { Store } from "../blobs/store.ts";
import { StepExecutor } from "../steps/executor.ts";
import type { StepRunner } from "./runner.ts";

/** Returns a runner of steps in this thread, one after the other. */
export function localRunner(store: Store): StepRunner {
  const executor = new StepExecutor(store);
  return {
    async run({ steps, last }, { onDone, signal } = {}) {
      for (const step of [...steps, last]) {
        signal?.throwIfAborted();
        await executor.run(step, { signal });
        onDone?.(step);
      }
    },
    close: async () => {},
  };
}
