import { Worker } from "node:worker_threads";
import { threadFailure } from "@arcwise/core/node";
import type { OrderRun, RunOrder, TrainingOrder, Trainings } from "../training-orders.ts";
import { STEP_ANSWER } from "./step-messages.ts";

/**
 * Returns a function that carries out orders, as they come, each on a thread, `threads` of them at most.
 *
 * @throws from the function, the error of the thread, or the reason of the signal once that is aborted
 */
export function stepThreads(threads: number): RunOrder {
  const limited = atMost(threads);
  return (order, run) => limited(() => onThread(order, run));
}

/** Returns a function that calls others as they come, at most `limit` at a time. */
export function atMost(limit: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

async function onThread<Step extends keyof Trainings>(
  order: TrainingOrder<Step>,
  { onProgress, signal }: OrderRun,
): Promise<Trainings[Step]["result"]> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL("./step-worker.js", import.meta.url), { workerData: order });
  try {
    return await new Promise((resolve, reject) => {
      threadFailure(worker, `the thread of the step "${order.step}"`, signal).catch(reject);
      STEP_ANSWER.listen(worker, (answer) => {
        if (answer.kind === "done") resolve(answer.result);
        else onProgress?.(answer.progress);
      });
    });
  } finally {
    await worker.terminate();
  }
}
