import { messageKind } from "@arcwise/core/messages";
import { anyOf, oneOf, record, withMembers } from "@arcwise/core/options";
import type { TrainingProgress } from "@arcwise/core/training";
import type { Trainings } from "../training-orders.ts";

/** What a thread that carries out an order answers. */
export type StepAnswer =
  | { readonly kind: "progress"; readonly progress: TrainingProgress }
  | { readonly kind: "done"; readonly result: Trainings[keyof Trainings]["result"] };

export const STEP_ANSWER = messageKind<StepAnswer>(
  "training",
  anyOf(
    record<{ kind: string; progress: object }>({
      kind: oneOf("progress"),
      progress: withMembers("progress", "epoch"),
    }),
    record<{ kind: string; result: object }>({ kind: oneOf("done"), result: withMembers("a result") }),
  ),
);
