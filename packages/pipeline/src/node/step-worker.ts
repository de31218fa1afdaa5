import { parentPort, workerData } from "node:worker_threads";
import type { TrainingProgress } from "@arcwise/core/training";
import { runOrder, type TrainingOrder } from "../training-orders.ts";
import { STEP_ANSWER, type StepAnswer } from "./step-messages.ts";

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

async function train(order: TrainingOrder): Promise<void> {
  const answer = (message: StepAnswer) => parentPort?.postMessage(STEP_ANSWER.seal(message));
  let last = 0;
  const onProgress = (progress: TrainingProgress) => {
    const now = performance.now();
    if (!progress.epochDone && now - last < REPORTED) return;
    last = now;
    answer({ kind: "progress", progress });
  };
  answer({ kind: "done", result: await runOrder(order, { onProgress }) });
}

// Errors end the thread, and the one that waits for it is told.
await train(workerData as TrainingOrder);
