import type { Sentence } from "@arcwise/core";
import { messageKind } from "@arcwise/core/messages";
import { anyOf, integer, list, oneOf, record, withMembers } from "@arcwise/core/options";
import type { TrainingProgress } from "@arcwise/core/training";

/** What a thread answers about a part. */
export type JackknifeAnswer =
  | { readonly kind: "progress"; readonly part: number; readonly progress: TrainingProgress }
  | { readonly kind: "tagged"; readonly part: number; readonly sentences: readonly Sentence[] };

const part = integer(1);

/** The number of the part that a thread is to tag, from 1. */
export const PART = messageKind<number>("jackknife part", part);
export const JACKKNIFE_ANSWER = messageKind<JackknifeAnswer>(
  "jackknife answer",
  anyOf(
    record<{ kind: string; part: number; progress: object }>({
      kind: oneOf("progress"),
      part,
      progress: withMembers("progress", "epoch"),
    }),
    record<{ kind: string; part: number; sentences: object }>({
      kind: oneOf("tagged"),
      part,
      sentences: list(withMembers("words")),
    }),
  ),
);
