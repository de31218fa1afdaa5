import type { Store } from "../blobs/store.ts";
import { StepExecutor } from "../steps/executor.ts";
import type { StepRunner } from "./runner.ts";

/** Returns a runner of steps in this thread, one after the other, of all flows that run. */
export function localRunner(store: Store): StepRunner {
  const executor = new StepExecutor(store);
  let before: Promise<unknown> = Promise.resolve();
  return {
    async run({ steps, last }, { onDone, signal } = {}) {
      for (const step of [...steps, last]) {
        const run = async () => {
          signal?.throwIfAborted();
          await executor.run(step, { signal });
        };
        const done = before.then(run);
        before = done.catch(() => {});
        await done;
        onDone?.(step);
      }
    },
    close: async () => {},
  };
}
