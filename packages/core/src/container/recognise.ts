import { ArcwiseError } from "../errors/arcwise-error.ts";
import { describeValue } from "../errors/describe.ts";

type Beginnings = readonly (readonly [RegExp, string])[];

/** Beginnings of files that stand for another file, as Latin-1 text. */
const STAND_INS: Beginnings = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the first bytes of the format
  [/^\x1f\x8b/, "gzip data: decompress it first"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the first bytes of the format
  [/^PK\x03\x04/, "a zip file: unpack it first"],
  [/^version https:\/\/git-lfs/, "a pointer of Git LFS: fetch the file itself"],
];
/** Beginnings of files that are often given instead of a model. */
const BEGINNINGS: Beginnings = [
  [/^$/, "an empty file"],
  ...STAND_INS,
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html)/i, "an HTML page: check the address that it was loaded from"],
  [/^(?:\xef\xbb\xbf)?\s*[[{]/, "JSON"],
  [/^(?:\xef\xbb\xbf)?(?:# |1\t)/, "CoNLL-U"],
  [/^[\t\n\r\x20-\x7e]*$/, "text"],
];
/** Description of bytes that are not recognised. */
export const OTHER_DATA = "other binary data";
/** Number of bytes that are looked at. */
const LOOKED_AT = 64;

/** Describes bytes that are not a container. O(1). */
export function recognise(bytes: Uint8Array): string {
  return describe(bytes, BEGINNINGS) ?? OTHER_DATA;
}

/** Describes an archive or a pointer of Git LFS, which is not the file that it stands for. O(1). */
export function recogniseStandIn(bytes: Uint8Array): string | undefined {
  return describe(bytes, STAND_INS);
}

function describe(bytes: Uint8Array, beginnings: Beginnings): string | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, LOOKED_AT));
  return beginnings.find(([pattern]) => pattern.test(beginning))?.[1];
}

/**
 * Checks that an argument is bytes.
 *
 * @param kind of the file, for messages
 */
export function checkBytes(bytes: unknown, kind: string): void {
  if (Object.prototype.toString.call(bytes) === "[object Uint8Array]") return;
  const expected = `the bytes of a ${kind} file (Uint8Array)`;
  const found = describeValue(bytes);
  const hint = hintFor(bytes);
  throw new ArcwiseError("invalid-argument", `expected ${expected}, found ${found}${hint}`, {
    expected,
    found,
  });
}

function hintFor(bytes: unknown): string {
  if (typeof bytes === "string") return ": read the file first";
  return bytes instanceof ArrayBuffer ? ": pass new Uint8Array(buffer)" : "";
}
