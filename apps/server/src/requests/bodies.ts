import type { CompleteLimits } from "../server-options.ts";
import type { Admission } from "./admission.ts";
import { limitExceeded, RequestFailure } from "./failures.ts";

/** A body in memory. */
export interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Gives its memory back. */
  drop(): void;
}

/**
 * Reads the body of a request.
 *
 * @throws RequestFailure if it is longer, or arrives later, than the limits allow, is compressed, or breaks off
 */
export async function readBody(
  request: Request,
  limits: CompleteLimits,
  admission: Admission,
): Promise<Body> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    const message = `expected a body without Content-Encoding, found ${JSON.stringify(encoding)}`;
    throw new RequestFailure({ status: 415, code: "unsupported-encoding", message });
  }
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > limits.body) throw limitExceeded("body", limits, `${announced}`);
  if (request.body === null) return { bytes: new Uint8Array(0), drop: () => {} };
  const reader = request.body.getReader();
  let held = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(limitExceeded("bodySeconds", limits)), limits.bodySeconds * 1000);
  });
  const chunks: Uint8Array[] = [];
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(brokenOff), late]);
      if (done) break;
      if (held + value.length > limits.body) throw limitExceeded("body", limits);
      admission.hold(value.length);
      held += value.length;
      chunks.push(value);
    }
  } catch (error) {
    admission.drop(held);
    void reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { bytes: joined(chunks, held), drop: () => admission.drop(held) };
}

function brokenOff(): never {
  throw new RequestFailure({ status: 400, code: "incomplete-body", message: "the body broke off" });
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

/** Returns bytes as text. Bytes that are not UTF-8 become U+FFFD; a byte-order mark is left out. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
