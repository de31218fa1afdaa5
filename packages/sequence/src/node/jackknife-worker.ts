import { parentPort, workerData } from "node:worker_threads";
import type { Sentence } from "@arcwise/core";
import type { TrainingProgress } from "@arcwise/core/training";
import { type JackknifeWork, tagPart } from "../tagging/jackknife.ts";

/** What a thread answers about a part. */
export type JackknifeAnswer =
  | { readonly kind: "progress"; readonly part: number; readonly progress: TrainingProgress }
  | { readonly kind: "tagged"; readonly part: number; readonly sentences: readonly Sentence[] };

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

parentPort?.on("message", async (part: number) => {
  const answer = (message: JackknifeAnswer) => parentPort?.postMessage(message);
  let last = 0;
  const onProgress = (progress: TrainingProgress) => {
    const now = performance.now();
    if (now - last < REPORTED && !progress.epochDone) return;
    last = now;
    answer({ kind: "progress", part, progress });
  };
  const sentences = await tagPart(workerData as JackknifeWork, part, { onProgress });
  answer({ kind: "tagged", part, sentences });
});
