import { parentPort, workerData } from "node:worker_threads";
import { type ErrorData, errorToData } from "@arcwise/core/errors";
import { openStore } from "../blobs/open-store.ts";
import { StepExecutor, type StepOutcome } from "../steps/executor.ts";
import type { StepOrder } from "../steps/order.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** Address of the store. */
  readonly store: string;
}

/** What a thread answers to orders. */
export interface ThreadAnswer {
  readonly outcomes?: readonly StepOutcome[] | undefined;
  readonly error?: ErrorData | undefined;
}

const executor = openStore((workerData as ThreadData).store).then((store) => new StepExecutor(store));
// Each order meets the error of a store that cannot be opened.
executor.catch(() => {});

async function answer(orders: readonly StepOrder[]): Promise<ThreadAnswer> {
  try {
    const outcomes: StepOutcome[] = [];
    for (const order of orders) outcomes.push(await (await executor).run(order));
    return { outcomes };
  } catch (error) {
    return { error: errorToData(error) };
  }
}

parentPort?.on("message", async (orders: readonly StepOrder[]) =>
  parentPort?.postMessage(await answer(orders)),
);
