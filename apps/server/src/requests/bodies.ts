import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { abortable } from "@arcwise/core/messages";
import { limitExceeded, RequestFailure } from "../failures.ts";
import type { CompleteLimits } from "../server-options.ts";
import type { Admission } from "./admission.ts";

/** A body in memory. */
export interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Gives its memory back. */
  drop(): void;
}

/**
 * Reads the body of a request.
 *
 * @param incoming the request as Node has it, if there is one: its body costs no second request and no stream
 */
export async function readBody(
  request: Request,
  incoming: IncomingMessage | undefined,
  { limits, admission }: { readonly limits: CompleteLimits; readonly admission: Admission },
): Promise<Body> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    const message = `expected a body without Content-Encoding, found ${JSON.stringify(encoding)}`;
    throw new RequestFailure({ status: 415, code: "unsupported-encoding", message });
  }
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > limits.body) throw limitExceeded("body", limits, `${announced}`);
  let held = 0;
  const chunks: Uint8Array[] = [];
  const take = (chunk: Uint8Array) => {
    if (held + chunk.length > limits.body) throw limitExceeded("body", limits);
    admission.hold(chunk.length);
    held += chunk.length;
    chunks.push(chunk);
  };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(limitExceeded("bodySeconds", limits)), limits.bodySeconds * 1000);
  try {
    await (incoming === undefined
      ? takeStream(request.body, take, late.signal)
      : takeIncoming(incoming, take, late.signal));
  } catch (error) {
    admission.drop(held);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { bytes: joined(chunks, held), drop: () => admission.drop(held) };
}

/** Milliseconds that a body has to end before a request is refused. */
const LAST_BYTES = 1000;

/**
 * Passes over the rest of a body that was not read. The connection of a client that sends the header `Connection: close` is
 * closed after the answer: a client that is still writing would see an error in place of the answer.
 */
export async function passOver(incoming: IncomingMessage | undefined): Promise<void> {
  if (incoming === undefined || incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const end = AbortSignal.timeout(LAST_BYTES);
  await once(incoming, "close", { signal: end }).catch(() => {});
}

/** Takes the chunks of a request of Node. What arrives after a failure is passed over. */
function takeIncoming(
  incoming: IncomingMessage,
  take: (chunk: Uint8Array) => void,
  late: AbortSignal,
): Promise<void> {
  if (incoming.readableEnded) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      incoming.off("data", onData);
      incoming.resume();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onClose = () => incoming.readableEnded || fail(brokenOff());
    incoming.on("data", onData);
    incoming.once("end", resolve);
    incoming.once("error", onClose);
    incoming.once("close", onClose);
    late.addEventListener("abort", () => fail(late.reason), { once: true });
    if (incoming.destroyed) onClose();
  });
}

async function takeStream(
  body: Request["body"],
  take: (chunk: Uint8Array) => void,
  late: AbortSignal,
): Promise<void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const next = () =>
    reader.read().catch(() => {
      throw brokenOff();
    });
  try {
    for (;;) {
      const { done, value } = await abortable(next(), late);
      if (done) return;
      take(value);
    }
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error;
  }
}

function brokenOff(): RequestFailure {
  return new RequestFailure({ status: 400, code: "incomplete-body", message: "the body broke off" });
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
