import { parentPort, workerData } from "node:worker_threads";
import { type GraphPrunerWork, trainGraphPruner } from "../graphs/graph-pruner-training.ts";
import { FOLD, TRAINED_FOLD } from "./thread-messages.ts";

const port = parentPort!;

FOLD.listen(port, async (fold) => {
  const weights = (await trainGraphPruner(workerData as GraphPrunerWork, fold, {})).slice();
  port.postMessage(TRAINED_FOLD.seal({ fold, weights }), [weights.buffer]);
});
