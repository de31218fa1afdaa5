import type { NetworkEpoch, RunNetworkOrder } from "@arcwise/parser/node";
import type { RunOrder, TrainingOrder } from "@arcwise/pipeline";
import { abortable } from "./abortable.ts";
import { writeData } from "./blobs/plain-data.ts";
import type { Store } from "./blobs/store.ts";
import type { StepRunner } from "./runners/runner.ts";
import { stepOrder } from "./steps/order.ts";
import { networkName, readNetwork } from "./steps/train-network.ts";
import { partName, readPart, writeOrder } from "./steps/train-part.ts";

/** A store, and what runs the steps whose outputs are in it. */
export interface Workplace {
  readonly store: Store;
  readonly runner: StepRunner;
}

/**
 * Returns a function that has the trainings of a pipeline done by a runner of steps, each in one step. The progress is
 * reported when a step is done.
 *
 * @throws from the function, as `runner.run`
 */
export function ordersBy({ store, runner }: Workplace): RunOrder {
  return async (order, { onProgress, signal }) => {
    signal?.throwIfAborted();
    const settings = await writeOrder(store, order as TrainingOrder);
    const id = `t${partName(settings).slice(0, 24)}`;
    await runner.run({ id, steps: [], last: stepOrder("train-part", settings) }, { signal });
    const { result, reports } = await readPart<typeof order.step>(store, settings, { signal });
    for (const report of reports) onProgress?.(report);
    return result;
  };
}

/**
 * Returns a function that has networks trained by a runner of steps, an epoch a step.
 *
 * @throws from the function, as `runner.run`
 */
export function networksBy({ store, runner }: Workplace): RunNetworkOrder {
  return async (given, { onProgress, onEpoch, signal }) => {
    signal?.throwIfAborted();
    const { resume, epochs, work } = given;
    const order = await writeData(store, given);
    let last: NetworkEpoch["state"] | undefined = resume && { ...resume, memory: undefined };
    for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
      const settings = { order, epoch };
      const id = `n${networkName(settings).slice(0, 24)}`;
      await runner.run({ id, steps: [], last: stepOrder("train-network", settings) }, { signal });
      const { state, loss } = await readNetwork(store, settings, { signal });
      onProgress?.({ epoch, done: work.sentences.length, loss });
      // All members wait here for the slowest one, which may have been stopped.
      await abortable(Promise.resolve(onEpoch?.(state)), signal);
      last = state;
    }
    return last!;
  };
}
