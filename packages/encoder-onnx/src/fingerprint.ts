import { ArcwiseError } from "@arcwise/core/errors";
import type { EncoderContents } from "./files.ts";

/** Changes when the same files and options give other vectors. */
const VERSION = 1;

/**
 * Returns a digest of all that vectors depend on: the bytes of the graph, its weights and its tokeniser, and options.
 *
 * @param options the options that change vectors, as values of JSON
 * @throws ArcwiseError `insecure-context` in a page that was not opened by https or from localhost
 */
export async function fingerprintOf(
  { model, data, tokenizer, tokenizerConfig }: EncoderContents,
  options: object,
): Promise<string> {
  const files = [model, data?.bytes, tokenizer.bytes, tokenizerConfig?.bytes];
  const digests = await Promise.all(files.map((bytes) => bytes && digest(bytes)));
  const all = [VERSION, ...digests.map((one) => one ?? null), options];
  return digest(new TextEncoder().encode(JSON.stringify(all)));
}

/** Returns the SHA-256 of bytes in hexadecimal digits. */
async function digest(bytes: Uint8Array): Promise<string> {
  const { subtle } = globalThis.crypto;
  if (subtle === undefined) {
    const message = "onnxEncoder: this page cannot compute SHA-256: open it by https, or from localhost";
    throw new ArcwiseError("insecure-context", message);
  }
  const hash = await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
