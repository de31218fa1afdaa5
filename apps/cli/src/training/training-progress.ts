import type { TrainingProgress } from "@arcwise/parser";
import type { Progress } from "../command/progress.ts";

/** The unit of progress in each stage. */
const STAGES = { prune: "pruner", network: "network", learn: "epoch", label: "labeller" } as const;

/** Shows the progress of training: a line an epoch, and updates in between. */
export function showTraining(shown: Progress, at: TrainingProgress): void {
  const { stage, epoch, epochs, dev } = at;
  const name = `${STAGES[stage]} ${epoch}/${epochs}`;
  const facts: string[] = [];
  if (stage === "learn") facts.push(`training error ${(100 * at.trainingError).toFixed(2)} %`);
  if (at.loss !== undefined) facts.push(`loss ${at.loss.toFixed(3)}`);
  if (dev !== undefined) facts.push(`dev UAS ${dev.uas.toFixed(2)} LAS ${dev.las.toFixed(2)}`);
  if (at.epochDone) shown.line(`${name}: ${facts.join(", ") || "done"}`);
  else shown.update(name, at.done, at.total, facts.join(", "));
}
