import { ModelError } from "@arcwise/core/container";
import { unpack } from "../shared/unpack.ts";

/** Size of a header, and of the unit of contents, of an archive. */
const BLOCK = 512;
/** Maximum size of an unpacked archive in bytes, about ten times the largest model of Universal Dependencies. */
const MAX_UNPACKED = 512 * 2 ** 20;
const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Returns the bytes of a model that a file holds: the file itself, a gzipped model, or the model in a package of npm
 * (`npm pack`). Undefined for texts. O(size).
 *
 * @throws ModelError when an archive is damaged, is too large, or does not hold a model
 */
export async function modelFile(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (isGzip(bytes)) return modelOfArchive(await gunzip(bytes));
  return isText(bytes) ? undefined : bytes;
}

/** Bytes that are looked at to tell texts from models. */
const LOOKED_AT = 4096;

function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, LOOKED_AT).includes(0);
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  let unpacked: Uint8Array | undefined;
  try {
    unpacked = await unpack(bytes, "gzip", MAX_UNPACKED);
  } catch (cause) {
    throw new ModelError("damaged gzip data: it cannot be decompressed", { cause });
  }
  if (unpacked === undefined)
    throw new ModelError(`expected a model of at most ${MAX_UNPACKED / 2 ** 20} MB unpacked, found more`);
  return unpacked;
}

/** Returns the model of an archive in the format of tar; bytes of another format as they are. */
function modelOfArchive(bytes: Uint8Array): Uint8Array {
  const text = (from: number, length: number) =>
    new TextDecoder("latin1").decode(bytes.subarray(from, from + length)).split("\0", 1)[0]!;
  if (text(257, 5) !== "ustar") return bytes;
  const names: string[] = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const name = text(at, 100);
    const digits = text(at + 124, 12).trim();
    const content = at + BLOCK;
    const end = content + (/^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN);
    if (!(end <= bytes.length))
      throw new ModelError(
        `damaged archive: expected the size of ${name} in octal digits, at most the ${bytes.length - content} bytes that follow, found "${digits}"`,
      );
    if (name.endsWith(".model")) return bytes.slice(content, end);
    names.push(name);
    at = content + BLOCK * Math.ceil((end - content) / BLOCK);
  }
  throw new ModelError(
    `expected a package with a file *.model, found ${names.join(", ") || "an empty archive"}`,
  );
}
