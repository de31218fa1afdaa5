/**
 * The binary container of models and checkpoints:
 *
 *     8 bytes   magic, "ARCWISE" and a zero
 *     u32       format version
 *     u32       length of the whole file in bytes
 *     u32       length of the header in bytes
 *     header    JSON in UTF-8: whatever the writer wants to keep, and the list of sections
 *     sections  in sequence, without gaps
 *     u32       CRC-32 of everything before it
 *
 * Numbers are little-endian. A section is a vector, coded as its entry of the list says (`codings.ts`); in
 * files of version 1 all are sparse, in files of version 2 none has runs. Floats are finite. Nothing in a file is ever executed, and nothing is
 * allocated before the checksum, the header and all sizes have been checked.
 */
import { decodeVector, encodeVector } from "./codings.ts";
import { ModelError } from "./model-error.ts";
import { type FilePieces, joinPieces } from "./pieces.ts";
import { checkBytes, recognise } from "./recognise.ts";
import { plain } from "./schema.ts";
import {
  CODINGS,
  checkSections,
  type ListedSections,
  placeOf,
  type Section,
  type SectionRows,
  sectionsByName,
  VECTORS,
  type Vector,
} from "./sections.ts";

const MAGIC = Uint8Array.from("ARCWISE\0", (character) => character.charCodeAt(0));
/** The version of the container, which its first bytes state. */
export const FORMAT_VERSION = 3;
/** The earliest version that is read. */
const MIN_VERSION = 1;
/** Number of bytes before the format version. */
export const MAGIC_LENGTH = MAGIC.length;
const PREFIX = MAGIC.length + 12;
const CHECKSUM = 4;
/** Maximum number of entries of a vector of a file. */
const MAX_ENTRIES = 2 ** 28;

/** The contents of a file. */
export interface Container {
  /** The kind of file, such as "model" or "checkpoint". */
  readonly kind: string;
  /** Any JSON value. */
  readonly header: unknown;
  readonly vectors: Readonly<Record<string, Vector>>;
}

/**
 * Checks a header, and returns the table of the sections that follow from it.
 *
 * @throws ModelError when the header is not as expected
 */
export type ContentCheck = (header: unknown, listed: ListedSections) => SectionRows;

/** Accepts any header and any sections. */
const anyContent: ContentCheck = (_, listed) =>
  Object.fromEntries(Array.from(listed, ([name, { type }]) => [name, { type }]));

/** The input of `writeContainer`. */
export interface ContainerContent extends Pick<Container, "kind" | "header"> {
  /** Undefined vectors are left out. */
  readonly vectors: Readonly<Record<string, Vector | undefined>>;
}

/** Writes a container. O(entries). */
export function writeContainer(content: ContainerContent): Uint8Array {
  return joinPieces(containerPieces(content));
}

/**
 * Returns a container in pieces of at most some kilobytes, for files that do not fit into memory in addition to
 * their vectors. The vectors must not change until the last piece has been requested. O(entries).
 */
export function containerPieces({ kind, header, vectors }: ContainerContent): FilePieces {
  const encoded = Object.entries(vectors).flatMap(([name, vector]) => {
    if (vector === undefined) return [];
    return { name, ...encodeVector(vector) };
  });
  const sections: Section[] = encoded.map(({ pieces: _, ...section }) => section);
  const json = new TextEncoder().encode(JSON.stringify({ kind, sections, header }));
  const bytes = PREFIX + json.length + encoded.reduce((sum, section) => sum + section.bytes, 0) + CHECKSUM;
  const first = new Uint8Array(PREFIX + json.length);
  const view = new DataView(first.buffer);
  first.set(MAGIC);
  view.setUint32(MAGIC.length, FORMAT_VERSION, true);
  view.setUint32(MAGIC.length + 4, bytes, true);
  view.setUint32(MAGIC.length + 8, json.length, true);
  first.set(json, PREFIX);
  function* body(): Generator<Uint8Array> {
    yield first;
    for (const { pieces } of encoded) yield* pieces();
  }
  return { bytes, pieces: () => withChecksum(body()) };
}

/** Yields pieces, and then their CRC-32. */
function* withChecksum(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let crc = CRC_START;
  for (const piece of pieces) {
    crc = addToCrc(crc, piece, piece.length);
    yield piece;
  }
  const last = new Uint8Array(CHECKSUM);
  new DataView(last.buffer).setUint32(0, crcOf(crc), true);
  yield last;
}

/**
 * Reads a container of a kind.
 *
 * @param check called with the header and the sections before any vector is allocated
 * @throws ModelError when the bytes are not such a file, are damaged, cut short, or of a newer version
 * @throws ArcwiseError `invalid-argument` when they are not bytes
 */
export function readContainer(bytes: Uint8Array, kind: string, check: ContentCheck = anyContent): Container {
  checkBytes(bytes, kind);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { kind: found, sections, header, bodyStart } = readHeader(bytes, view, kind);
  if (found !== kind) throw mismatch(`a ${kind} file`, `a ${found} file`);
  const listed = sectionsByName(sections, kind);
  const rows = check(header, listed);
  checkSections(listed, rows, kind);
  const vectors: Record<string, Vector> = Object.create(null);
  let offset = bodyStart;
  for (const section of sections) {
    const { name, entries } = section;
    const row = rows[name]!;
    const body = bytes.subarray(offset, offset + section.bytes);
    const vector = decodeVector(body, section, kind, row.allocate?.(entries));
    row.check?.(vector, placeOf(name, kind));
    vectors[name] = vector;
    offset += section.bytes;
  }
  return { kind, header, vectors };
}

/** A container of any kind, without its vectors. */
export interface ContainerHeader {
  readonly kind: string;
  readonly header: unknown;
  readonly sections: readonly Section[];
}

/**
 * Reads the header of a container of any kind, without its vectors.
 *
 * @throws ModelError as `readContainer`
 */
export function readContainerHeader(bytes: Uint8Array): ContainerHeader {
  checkBytes(bytes, "model");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { kind, header, sections } = readHeader(bytes, view, "model");
  return { kind, header, sections };
}

/**
 * Returns the header when the file is complete and its sections fill it. `kind` names the file in messages.
 */
function readHeader(
  bytes: Uint8Array,
  view: DataView,
  kind: string,
): ContainerHeader & { readonly bodyStart: number } {
  checkFrame(bytes, view, kind);
  const headerLength = view.getUint32(MAGIC.length + 8, true);
  const bodyStart = PREFIX + headerLength;
  if (bodyStart + CHECKSUM > bytes.length)
    throw new ModelError(`damaged ${kind} file: its header is longer than the file`);
  const parsed = parseHeader(bytes.subarray(PREFIX, bodyStart), kind);
  const bodyBytes = parsed.sections.reduce((sum, section) => sum + section.bytes, 0);
  if (bodyStart + bodyBytes + CHECKSUM !== bytes.length) {
    throw new ModelError(`damaged ${kind} file: its sections do not fill it`);
  }
  return { ...parsed, bodyStart };
}

/** Returns whether bytes begin as a container does. O(1). */
export function beginsContainer(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC.length && MAGIC.every((value, index) => bytes[index] === value);
}

function checkFrame(bytes: Uint8Array, view: DataView, kind: string): void {
  if (!beginsContainer(bytes)) throw mismatch(`an Arcwise ${kind} file`, recognise(bytes));
  if (bytes.length < PREFIX + CHECKSUM)
    throw new ModelError(`${kind} file is cut short: ${bytes.length} bytes`);
  const version = view.getUint32(MAGIC.length, true);
  const size = view.getUint32(MAGIC.length + 4, true);
  const sound =
    size === bytes.length &&
    view.getUint32(size - CHECKSUM, true) === crcOf(addToCrc(CRC_START, bytes, size - CHECKSUM));
  if (version > FORMAT_VERSION && (sound || size !== bytes.length)) {
    throw new ModelError(
      `${kind} file has format version ${version}; this version of Arcwise reads up to ${FORMAT_VERSION}`,
    );
  }
  if (size !== bytes.length) {
    const found = bundleKind(bytes, size);
    if (found !== undefined && found !== kind)
      throw mismatch(`a ${kind} file`, `a ${found} file`, found === "pipeline" ? PIPELINE_HINT : "");
    throw new ModelError(
      `${kind} file is cut short or damaged: expected ${size} bytes, found ${bytes.length}`,
    );
  }
  if (!sound) throw new ModelError(`${kind} file is damaged: its checksum does not match its contents`);
  if (version < MIN_VERSION || version > FORMAT_VERSION)
    throw new ModelError(`${kind} file has unknown format version ${version}`);
}

/** The functions that read a file of several parts. */
const PIPELINE_HINT =
  ": read it with loadPipeline of @arcwise/pipeline, or openPipeline of @arcwise/pipeline/node";

function mismatch(expected: string, found: string, hint = ""): ModelError {
  return new ModelError(`expected ${expected}, found ${found}${hint}`, { expected, found });
}

/** Returns the kind of a bundle: of the container of `size` bytes that it begins with, if that is sound. */
function bundleKind(bytes: Uint8Array, size: number): string | undefined {
  if (size > bytes.length) return undefined;
  try {
    return readContainerHeader(bytes.subarray(0, size)).kind;
  } catch {
    return undefined;
  }
}

function parseHeader(json: Uint8Array, kind: string): { kind: string; sections: Section[]; header: unknown } {
  let value: { kind?: unknown; sections?: unknown; header?: unknown };
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch {
    throw new ModelError(`damaged ${kind} file: its header is not JSON`);
  }
  plain(value, `damaged ${kind} file: its header`);
  if (typeof value?.kind !== "string" || !Array.isArray(value.sections) || !value.sections.every(isSection)) {
    throw new ModelError(`damaged ${kind} file: its header does not list its sections`);
  }
  return { kind: value.kind, sections: value.sections, header: value.header };
}

function isSection(value: unknown): value is Section {
  const { name, type, entries, bytes, coding = "sparse" } = (value ?? {}) as Partial<Section>;
  const size = (number: unknown, max: number) =>
    Number.isInteger(number) && (number as number) >= 0 && (number as number) <= max;
  return (
    typeof name === "string" &&
    typeof type === "string" &&
    Object.hasOwn(VECTORS, type) &&
    CODINGS[type].includes(coding) &&
    size(entries, MAX_ENTRIES) &&
    size(bytes, 2 ** 32)
  );
}

/**
 * Tables of the CRC-32: entry `256 k + b` is the change by a byte b that k bytes follow, so that eight bytes
 * are taken at a time (Kounavis and Berry 2005).
 */
const CRC_TABLES = crcTables();

function crcTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    tables[byte] = value;
  }
  for (let entry = 256; entry < tables.length; entry++) {
    const before = tables[entry - 256];
    tables[entry] = tables[before & 255] ^ (before >>> 8);
  }
  return tables;
}

/** The state of a CRC-32 (IEEE 802.3) before the first byte. */
const CRC_START = 0xffffffff;

/** Returns the state of a CRC-32 after the first `length` of further bytes. */
function addToCrc(before: number, bytes: Uint8Array, length: number): number {
  const tables = CRC_TABLES;
  let crc = before | 0;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc =
      tables[0x700 | (crc & 255)] ^
      tables[0x600 | ((crc >>> 8) & 255)] ^
      tables[0x500 | ((crc >>> 16) & 255)] ^
      tables[0x400 | (crc >>> 24)] ^
      tables[0x300 | bytes[i + 4]] ^
      tables[0x200 | bytes[i + 5]] ^
      tables[0x100 | bytes[i + 6]] ^
      tables[bytes[i + 7]];
  }
  for (; i < length; i++) crc = tables[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return crc;
}

/** Returns the CRC-32 of a state. */
function crcOf(state: number): number {
  return (state ^ 0xffffffff) >>> 0;
}
