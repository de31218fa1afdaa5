import { messageKind } from "@arcwise/core/messages";
import { type Check, oneOf } from "@arcwise/core/options";
import type { Unfinished } from "../files/io.ts";

/** The streams that a command writes to. */
export type StreamName = "stdout" | "stderr";

/** An error of a stream as data. */
export interface StreamError {
  readonly message: string;
  readonly code: string | undefined;
}

/** A request of the thread of a command to the main thread. */
export type FromCommand =
  | { readonly kind: "read" }
  | { readonly kind: "write"; readonly stream: StreamName; readonly bytes: Uint8Array }
  | { readonly kind: "outputs"; readonly unfinished: Unfinished }
  | { readonly kind: "done"; readonly code: number };

/** An answer of the main thread, or its request to stop. */
export type ToCommand =
  | {
      readonly kind: "input";
      readonly bytes: Uint8Array | undefined;
      readonly error?: StreamError | undefined;
    }
  | { readonly kind: "written"; readonly stream: StreamName; readonly error?: StreamError | undefined }
  | { readonly kind: "stop" };

/** Accepts messages of some kinds. */
function kinds(...names: readonly string[]): Check {
  const kind = oneOf(...names);
  return (value, at) => kind((value as { readonly kind?: unknown } | null)?.kind, at);
}

export const FROM_COMMAND = messageKind<FromCommand>("command", kinds("read", "write", "outputs", "done"));
export const TO_COMMAND = messageKind<ToCommand>("streams", kinds("input", "written", "stop"));

/** The arguments and terminals of a command. */
export interface CommandData {
  readonly argv: readonly string[];
  readonly terminals: Readonly<
    Record<StreamName, { readonly isTTY: boolean; readonly columns: number | undefined }>
  >;
}

/** A copy of bytes in a buffer of their own, which can be handed to another thread. */
export function transferable(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(chunk.length);
  copy.set(chunk);
  return copy;
}

export function streamError(error: NodeJS.ErrnoException): StreamError {
  return { message: error.message, code: error.code };
}
