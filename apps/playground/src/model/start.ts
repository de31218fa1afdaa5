import { messageKind } from "@arcwise/core/messages";
import { bytes as isBytes, optional, record } from "@arcwise/core/options";

/** The first message to a worker: the bytes of its model; the model of English if it has none. */
export const START = messageKind<{ readonly bytes?: Uint8Array | undefined }>(
  "playground start",
  record<{ bytes: unknown }>({ bytes: optional(isBytes) }),
);
