/**
 * Several files in one: a container whose header lists the parts, followed by the parts, each of which is a
 * container that can be read by itself.
 */
import { MAGIC_LENGTH, readContainer, writeContainer } from "./container.ts";
import { ModelError } from "./model-error.ts";
import { joinPieces } from "./pieces.ts";
import { checkBytes } from "./recognise.ts";
import { type Check, integer, list, record, refuse, shaped, string } from "./schema.ts";

/** The contents of a bundle. */
export interface Bundle {
  /** The kind of file, such as "pipeline". */
  readonly kind: string;
  /** Any JSON object. */
  readonly header: unknown;
  /** Containers by name, in their order. */
  readonly parts: Readonly<Record<string, Uint8Array>>;
}

interface Part {
  readonly name: string;
  readonly bytes: number;
}

interface BundleHeader {
  readonly header: unknown;
  readonly parts: readonly Part[];
}

/** The input of `writeBundle`. */
interface BundleContent extends Pick<Bundle, "kind" | "header"> {
  /** Undefined parts are left out. */
  readonly parts: Readonly<Record<string, Uint8Array | undefined>>;
}

/** Writes a bundle. O(bytes). */
export function writeBundle({ kind, header, parts }: BundleContent): Uint8Array {
  const contents = Object.entries(parts).flatMap(([name, part]) => (part ? { name, part } : []));
  const listed: BundleHeader = {
    header,
    parts: contents.map(({ name, part }) => ({ name, bytes: part.length })),
  };
  const pieces = [writeContainer({ kind, header: listed, vectors: {} }), ...contents.map(({ part }) => part)];
  return joinPieces({ bytes: pieces.reduce((sum, { length }) => sum + length, 0), pieces: () => pieces });
}

const HEADER = record<BundleHeader>({
  header: shaped("an object", {}),
  parts: list(record<Part>({ name: string, bytes: integer(0, 2 ** 32 - 1) }), { max: 1000 }),
});

/**
 * Reads a bundle of a kind. The parts are views of the bytes; they are not read.
 *
 * @param check checks the header
 * @throws ModelError when the bytes are not such a file, are damaged, cut short, or of a newer version
 */
export function readBundle(bytes: Uint8Array, kind: string, check: Check): Bundle {
  checkBytes(bytes, kind);
  const at = `damaged ${kind} file: header`;
  const container = readContainer(firstContainer(bytes), kind, (value) => {
    HEADER(value, at);
    return {};
  });
  const { header, parts } = container.header as BundleHeader;
  check(header, `${at}.header`);
  const views: Record<string, Uint8Array> = Object.create(null);
  let end = firstContainer(bytes).length;
  for (const { name, bytes: length } of parts) {
    if (Object.hasOwn(views, name)) refuse(`${at}.parts`, "each name once", name);
    views[name] = bytes.subarray(end, end + length);
    end += length;
  }
  if (end !== bytes.length) {
    throw new ModelError(
      `${kind} file is cut short or damaged: expected ${end} bytes, found ${bytes.length}`,
    );
  }
  return { kind, header, parts: views };
}

/** Returns the first container of a file: the list of parts of a bundle, the whole file of others. O(1). */
export function firstContainer(bytes: Uint8Array): Uint8Array {
  checkBytes(bytes, "model");
  if (bytes.length < MAGIC_LENGTH + 8) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(MAGIC_LENGTH + 4, true);
  return length < bytes.length ? bytes.subarray(0, length) : bytes;
}
