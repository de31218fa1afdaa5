import { bytes, checkArgument } from "@arcwise/core/options";

/** Byte-order marks of other encodings than UTF-8, the longer ones first. */
const MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe, 0, 0], "UTF-32"],
  [[0, 0, 0xfe, 0xff], "UTF-32"],
  [[0xff, 0xfe], "UTF-16"],
  [[0xfe, 0xff], "UTF-16"],
];
/** Bytes that are looked at, and how many of them must be zero, to find UTF-16 by its zeros. */
const BEGINNING = 256;
const MIN_ZEROS = 2;
/** Minimum share of the zeros of UTF-16 among the bytes at even, or at odd, positions: of ASCII characters. */
const MIN_SHARE = 0.1;

/** Describes bytes that are not UTF-8, by the first bytes of their file. O(1). */
export function describeEncoding(beginning: Uint8Array): string {
  checkArgument(bytes, beginning, "describeEncoding: beginning");
  const name = MARKS.find(([mark]) => mark.every((byte, i) => beginning[i] === byte))?.[1];
  if (name !== undefined) return `${name}, by its byte-order mark: convert it to UTF-8`;
  const order = wideOrder(beginning);
  return order === undefined ? "other bytes" : `${order}, by its zero bytes: ${conversion(order)}`;
}

/** How `iconv` converts a file of an encoding. */
function conversion(encoding: string): string {
  return `convert it to UTF-8, as by iconv -f ${encoding} -t UTF-8`;
}

/**
 * Returns UTF-16 or UTF-32 with its byte order where the first bytes of a file without a byte-order mark show it. The
 * zero bytes of ASCII characters, such as spaces and line ends, are all at odd, or all at even, positions in UTF-16.
 * In UTF-32 every fourth byte is zero, and most of its neighbours are. Text in UTF-8 has no zero bytes. O(1).
 */
export function wideOrder(
  beginning: Uint8Array,
): "UTF-16LE" | "UTF-16BE" | "UTF-32LE" | "UTF-32BE" | undefined {
  checkArgument(bytes, beginning, "wideOrder: beginning");
  const length = Math.min(BEGINNING, beginning.length);
  const zeros: [number, number, number, number] = [0, 0, 0, 0];
  for (let i = 0; i < length; i++) if (beginning[i] === 0) zeros[i % 4]!++;
  const [first, second, third, fourth] = zeros;
  const quarter = length >> 2;
  const isFourByte = (highest: number, higher: number, lowest: number) =>
    quarter > 0 && highest >= quarter && 2 * higher > quarter && 2 * lowest < quarter;
  if (isFourByte(fourth, third, first)) return "UTF-32LE";
  if (isFourByte(first, second, fourth)) return "UTF-32BE";
  const [even, odd] = [first + third, second + fourth];
  const most = Math.max(even, odd);
  if (Math.min(even, odd) > 0 || most < MIN_ZEROS || 2 * most < MIN_SHARE * length) return undefined;
  return odd > 0 ? "UTF-16LE" : "UTF-16BE";
}
