import { crc32 } from "node:zlib";
import { FORMAT_VERSION } from "@arcwise/core/container";
import { joined } from "./edits.ts";

/** The parts of a model container, valid or not. */
export interface Container {
  /** `{ kind, sections, header }`. */
  readonly json: unknown;
  /** The bytes of each section, in the order in which they are listed. */
  readonly bodies: readonly Uint8Array[];
}

/** Bytes before the header: magic, version, and the lengths of the file and of the header. */
const PREFIX = 20;

interface Listed {
  readonly sections: readonly { readonly bytes: number }[];
}

/** Splits a sound container into its parts. */
export function takeApart(file: Uint8Array): Container {
  const length = new DataView(file.buffer, file.byteOffset).getUint32(PREFIX - 4, true);
  const json = JSON.parse(new TextDecoder().decode(file.subarray(PREFIX, PREFIX + length))) as Listed;
  let offset = PREFIX + length;
  const bodies = json.sections.map(({ bytes }) => {
    offset += bytes;
    return file.subarray(offset - bytes, offset);
  });
  return { json, bodies };
}

/** Builds a container with correct lengths and checksum. */
export function putTogether({ json, bodies }: Container): Uint8Array {
  const header = new TextEncoder().encode(JSON.stringify(json) ?? "");
  const prefix = new Uint8Array(PREFIX);
  prefix.set(new TextEncoder().encode("ARCWISE\0"));
  const view = new DataView(prefix.buffer);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(16, header.length, true);
  return withChecksum(joined([prefix, header, ...bodies, new Uint8Array(4)]));
}

/** Returns a copy of a file with the correct length, and the correct checksum in its last four bytes. */
export function withChecksum(file: Uint8Array): Uint8Array {
  const copy = file.slice();
  if (copy.length < PREFIX + 4) return copy;
  const view = new DataView(copy.buffer);
  view.setUint32(12, copy.length, true);
  view.setUint32(copy.length - 4, crc32(copy.subarray(0, -4)), true);
  return copy;
}
