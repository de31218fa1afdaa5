import { parentPort, workerData } from "node:worker_threads";
import type { TrainingProgress } from "@arcwise/core/training";
import { type JackknifeWork, tagPart } from "../tagging/jackknife.ts";
import { JACKKNIFE_ANSWER, type JackknifeAnswer, PART } from "./jackknife-messages.ts";

/** Minimum time between two reports of progress within an epoch, in milliseconds. */
const REPORTED = 100;

const port = parentPort!;

PART.listen(port, async (part) => {
  const answer = (message: JackknifeAnswer) => port.postMessage(JACKKNIFE_ANSWER.seal(message));
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
