import type { ErrorData } from "@arcwise/core/errors";
import { errorData, messageKind } from "@arcwise/core/messages";
import { anything, flag, integer, bytes as isBytes, list, optional, record } from "@arcwise/core/options";
import type { TrainingProgress } from "@arcwise/pipeline";
import type { Learned, Lesson } from "./learning.ts";

/** A lesson, without bytes: of the model of English. */
export type LearnRequest = Omit<Lesson, "bytes"> & { readonly bytes?: Uint8Array | undefined };

/** The first message to a worker that learns. */
export const LESSON = messageKind<LearnRequest>(
  "playground lesson",
  record<LearnRequest>({
    bytes: optional(isBytes),
    sentences: list(anything),
    epochs: integer(1),
    holdsOut: flag,
  }),
);

/** Reports of such a worker. */
export interface LearnAnswer {
  readonly progress?: TrainingProgress | undefined;
  readonly learned?: Learned | undefined;
  readonly error?: ErrorData | undefined;
}

/** The messages of a worker that learns. */
export const REPLY = messageKind<LearnAnswer>(
  "playground learned",
  record<LearnAnswer>({
    progress: optional(anything),
    learned: optional(anything),
    error: optional(errorData),
  }),
);
