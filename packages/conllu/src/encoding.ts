/** Byte-order marks of other encodings than UTF-8, the longer ones first. */
const MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xff, 0xfe, 0, 0], "UTF-32"],
  [[0, 0, 0xfe, 0xff], "UTF-32"],
  [[0xff, 0xfe], "UTF-16"],
  [[0xfe, 0xff], "UTF-16"],
];

/** Describes bytes that are not UTF-8, by the first bytes of their file. O(1). */
export function describeEncoding(beginning: Uint8Array): string {
  const name = MARKS.find(([mark]) => mark.every((byte, i) => beginning[i] === byte))?.[1];
  return name === undefined ? "other bytes" : `${name}, by its byte-order mark: convert it to UTF-8`;
}
