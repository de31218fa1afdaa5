import type { EncoderIdentity } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import type { EncoderContents } from "./files.ts";

/** Changes when the same files and options give other vectors. */
const VERSION = 1;
/** Digits of the digest of a file in messages. */
const PART_DIGITS = 12;

/** The identity of an encoder, and its parts for messages. */
export type Fingerprint = Required<Pick<EncoderIdentity, "fingerprint" | "parts">>;

/**
 * Returns a digest of all that vectors depend on: the bytes of the graph, its weights and its tokeniser, and some options. Each
 * of them is a part; of digests, the first digits.
 */
export async function fingerprintOf(
  { model, data, tokenizer, tokenizerConfig }: EncoderContents,
  options: Readonly<Record<string, string | number | readonly string[]>>,
): Promise<Fingerprint> {
  const files = {
    model,
    data: data?.bytes,
    tokenizer: tokenizer.bytes,
    tokenizerConfig: tokenizerConfig?.bytes,
  };
  const digests = await Promise.all(
    Object.entries(files).map(async ([name, bytes]) => [name, bytes ? await digest(bytes) : null] as const),
  );
  const all = [VERSION, ...digests.map(([, one]) => one), options];
  const parts = [
    ...Object.entries(options).map(([name, value]) => [name, [value].flat().join(" ")]),
    ...digests.flatMap(([name, one]) => (one === null ? [] : [[name, one.slice(0, PART_DIGITS)]])),
  ];
  const fingerprint = await digest(new TextEncoder().encode(JSON.stringify(all)));
  return { fingerprint, parts: Object.fromEntries(parts) };
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
