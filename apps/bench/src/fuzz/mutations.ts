import type { Random } from "@arcwise/core";
import { pick } from "./area.ts";

/** Fields with a special meaning in a format, and other common causes of faults. */
const FIELDS: readonly string[] = [
  ...["", " ", "=|=", "|", "1:nsubj|0:root", "0:root|0:root", "Case=Nom|Case=Acc"],
  ..."_ __proto__ constructor toString root NaN Infinity +1 1e3 01 0.1 1.1 1.1-2".split(" "),
  ..."0 -1 1 2 1-2 2-1 1-1 99999999999999999999 4294967297 2147483648-2147483649".split(" "),
  ...["\u00a0", "\u0000", "\u001b[2J", "\u202e", "\ufeff", "\ud83d\ude00", "a\u0300\u0301", "x".repeat(5000)],
];

const COMMENTS: readonly string[] = [
  "# sent_id = ",
  "# sent_id = s1",
  "# text = ",
  "# newdoc id = d",
  "# newpar",
  "#",
  "# sent_id = \u001b]0;x\u0007",
  "# parallel_id = a/b/c",
  "# global.columns = ID FORM",
];

/** Changes the lines of a text at one position. */
type LineMutation = (lines: string[], stream: Random) => void;

type FieldChange = (fields: string[], at: number) => string[];

function changeField(lines: string[], stream: Random, change: FieldChange): void {
  const at = stream.int(lines.length);
  const fields = lines[at]!.split("\t");
  lines[at] = change(fields, stream.int(fields.length)).join("\t");
}

const LINE_MUTATIONS: readonly LineMutation[] = [
  (lines, stream) => changeField(lines, stream, (fields, k) => fields.with(k, pick(stream, FIELDS))),
  (lines, stream) => changeField(lines, stream, (fields, k) => fields.with(k, pick(stream, FIELDS))),
  (lines, stream) => changeField(lines, stream, (fields, k) => fields.toSpliced(k, 1)),
  (lines, stream) => changeField(lines, stream, (fields, k) => fields.toSpliced(k, 0, "x")),
  (lines, stream) => changeField(lines, stream, (fields, k) => fields.with(0, fields[k]!)),
  // Changes a head or a number by a few.
  (lines, stream) =>
    changeField(lines, stream, (fields) => {
      const numbers = fields.flatMap((field, k) => (/^\d+$/.test(field) ? [k] : []));
      return numbers.length === 0 ? fields : fields.with(pick(stream, numbers), String(stream.int(60)));
    }),
  (lines, stream) => void lines.splice(stream.int(lines.length), 1),
  (lines, stream) => void lines.splice(stream.int(lines.length), 1 + stream.int(20)),
  (lines, stream) => void lines.splice(stream.int(lines.length), 0, lines[stream.int(lines.length)]!),
  (lines, stream) => void lines.splice(stream.int(lines.length), 0, ""),
  (lines, stream) => void lines.splice(stream.int(lines.length), 0, pick(stream, COMMENTS)),
  (lines, stream) => void lines.splice(stream.int(lines.length), 0, `1-2\tx${"\t_".repeat(8)}`),
  (lines, stream) => void lines.splice(stream.int(lines.length), 0, `1.1\tx${"\t_".repeat(8)}`),
  (lines, stream) => {
    const at = stream.int(lines.length);
    lines[at] = lines[at]!.replaceAll("\t", pick(stream, [" ", "\t\t", ",", "  "]));
  },
  (lines, stream) => {
    const at = stream.int(lines.length);
    lines[at] = lines[at]!.repeat(1 + stream.int(200));
  },
];

/** Changes bytes at one position. */
type ByteMutation = (bytes: Uint8Array, stream: Random) => Uint8Array;

const BYTE_MUTATIONS: readonly ByteMutation[] = [
  (bytes, stream) => bytes.subarray(0, stream.int(bytes.length + 1)),
  (bytes, stream) => bytes.subarray(stream.int(bytes.length + 1)),
  (bytes, stream) => withBytes(bytes, stream, (copy, at) => copy.set([copy[at]! ^ (1 << stream.int(8))], at)),
  (bytes, stream) => withBytes(bytes, stream, (copy, at) => copy.set([stream.int(256)], at)),
  (bytes, stream) => withBytes(bytes, stream, (copy, at) => void copy.fill(0, at, at + stream.int(100))),
  (bytes, stream) => withBytes(bytes, stream, (copy, at) => void copy.fill(0xff, at, at + 1 + stream.int(3))),
  (bytes, stream) => joined([Uint8Array.of(0xef, 0xbb, 0xbf), bytes].slice(stream.int(2))),
  (bytes, stream) => joined([bytes, Uint8Array.of(0xc3), bytes.subarray(0, stream.int(50))]),
  (bytes) => encode(decode(bytes).replaceAll("\n", "\r\n")),
  (bytes) => encode(decode(bytes).replaceAll("\n", "\r")),
  (bytes) => encode(decode(bytes).trimEnd()),
];

function withBytes(
  bytes: Uint8Array,
  stream: Random,
  change: (copy: Uint8Array, at: number) => void,
): Uint8Array {
  const copy = bytes.slice();
  if (copy.length > 0) change(copy, stream.int(copy.length));
  return copy;
}

/** Concatenates arrays of bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Returns a text in columns with a few mutations. */
export function mutateText(text: string, stream: Random): Uint8Array {
  const lines = text.split("\n");
  for (let count = stream.int(4); count >= 0 && lines.length > 0; count--) {
    pick(stream, LINE_MUTATIONS)(lines, stream);
  }
  const bytes = encode(lines.join("\n"));
  return stream.int(3) === 0 ? mutateBytes(bytes, stream) : bytes;
}

/** Returns bytes with one mutation. */
export function mutateBytes(bytes: Uint8Array, stream: Random): Uint8Array {
  return pick(stream, BYTE_MUTATIONS)(bytes, stream);
}

/** JSON values that checks may miss. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 2, 0.5, 1e300, -1e300, 5e-324, 1e-40, 2 ** 31, 2 ** 53],
  ...["", "x", "__proto__", "constructor", "h.upos m.upos", "h.Case", "a\tb", "a\nb", "\ud800"],
  ...[[], [1], [""], [[]], {}, { a: 1 }, { length: 3 }],
];
const KEYS: readonly string[] = ["__proto__", "constructor", "toString", "length", "more", "then", "bits"];

type Holder = Record<string, unknown>;

/**
 * Returns a copy of a JSON value with one value at any depth replaced, removed, added, moved or duplicated.
 */
export function mutateJson(value: unknown, stream: Random): unknown {
  const root: Holder = { root: structuredClone(value) };
  const holder = descend(root, stream);
  const keys = Object.keys(holder);
  const key = keys.length === 0 ? "more" : pick(stream, keys);
  const kind = stream.int(8);
  if (kind < 4) define(holder, key, structuredClone(pick(stream, VALUES)));
  else if (kind === 4) removeKey(holder, key);
  else if (kind === 5) define(holder, pick(stream, KEYS), structuredClone(pick(stream, VALUES)));
  else if (kind === 6) define(holder, key, structuredClone(holder[pick(stream, [key, ...keys])]));
  else define(holder, key, nudged(holder[key], stream));
  return root.root;
}

/** Draws an object or list within a value, preferring those near the top. */
function descend(root: Holder, stream: Random): Holder {
  let holder = root;
  for (;;) {
    const inner = Object.values(holder).filter((item) => typeof item === "object" && item !== null);
    if (inner.length === 0 || (holder !== root && stream.int(4) === 0)) return holder;
    holder = pick(stream, inner) as Holder;
  }
}

/** Defines a property of any name; an assignment would not define `__proto__`. */
function define(holder: Holder, key: string, value: unknown): void {
  if (Array.isArray(holder) && !/^\d+$/.test(key)) return;
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function removeKey(holder: Holder, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** Returns a slightly changed value. */
function nudged(value: unknown, stream: Random): unknown {
  if (typeof value === "number") return pick(stream, [value + 1, value - 1, -value, value * 1e30, value / 3]);
  if (typeof value === "string")
    return pick(stream, [`${value} ${value}`, value.slice(1), value.toUpperCase()]);
  if (Array.isArray(value)) return pick(stream, [[...value, ...value], value.toReversed(), value.slice(1)]);
  return value;
}
