import { parentPort, workerData } from "node:worker_threads";
import { type GraphPrunerWork, trainGraphPruner } from "../graphs/graph-pruner-training.ts";

/** What a thread answers: the weights of the pruner of a fold. */
export interface TrainedFold {
  readonly fold: number;
  readonly weights: Float32Array<ArrayBuffer>;
}

parentPort?.on("message", async (fold: number) => {
  const weights = (await trainGraphPruner(workerData as GraphPrunerWork, fold, {})).slice();
  const answer: TrainedFold = { fold, weights };
  parentPort?.postMessage(answer, [weights.buffer]);
});
