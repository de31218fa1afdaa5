import fc from "fast-check";

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Concatenates arrays of bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Fields with a special meaning in a format, and other common causes of faults. */
const FIELDS: readonly string[] = [
  ...["", " ", "=|=", "|", "1:nsubj|0:root", "0:root|0:root", "Case=Nom|Case=Acc"],
  ..."_ __proto__ constructor toString root NaN Infinity +1 1e3 01 0.1 1.1 1.1-2".split(" "),
  ..."0 -1 1 2 1-2 2-1 1-1 99999999999999999999 4294967297 2147483648-2147483649".split(" "),
  ...["\u00a0", "\u0000", "\u001b[2J", "\u202e", "\ufeff", "\ud83d\ude00", "a\u0300\u0301", "x".repeat(5000)],
];

const COMMENTS: readonly string[] = [
  ...["# sent_id = ", "# sent_id = s1", "# text = ", "# newdoc id = d", "# newpar", "#"],
  ...["# sent_id = \u001b]0;x\u0007", "# parallel_id = a/b/c", "# global.columns = ID FORM"],
];

/** Drawn numbers of an edit, of which each kind uses some. */
interface Draw {
  readonly at: number;
  readonly field: number;
  readonly count: number;
  readonly value: string;
}

type LineEdit = (lines: string[], at: number, draw: Draw) => void;

/** Replaces the columns of a line. */
function columns(change: (fields: string[], at: number, draw: Draw) => string[]): LineEdit {
  return (lines, at, draw) => {
    const fields = lines[at]!.split("\t");
    lines[at] = change(fields, draw.field % fields.length, draw).join("\t");
  };
}

const LINE_EDITS: Readonly<Record<string, LineEdit>> = {
  field: columns((fields, k, { value }) => fields.with(k, value)),
  id: columns((fields, k) => fields.with(0, fields[k]!)),
  number: columns((fields, k, { count }) => {
    const numbers = fields.flatMap((field, at) => (/^\d+$/.test(field) ? [at] : []));
    return numbers.length === 0 ? fields : fields.with(numbers[k % numbers.length]!, String(count));
  }),
  drop: (lines, at) => void lines.splice(at, 1),
  cut: (lines, at, { count }) => void lines.splice(at, 1 + (count % 20)),
  again: (lines, at, { count }) => void lines.splice(at, 0, lines[count % lines.length]!),
  blank: (lines, at) => void lines.splice(at, 0, ""),
  comment: (lines, at, { count }) => void lines.splice(at, 0, COMMENTS[count % COMMENTS.length]!),
  range: (lines, at) => void lines.splice(at, 0, `1-2\tx${"\t_".repeat(8)}`),
  empty: (lines, at) => void lines.splice(at, 0, `1.1\tx${"\t_".repeat(8)}`),
  separator: (lines, at, { count }) => {
    lines[at] = lines[at]!.replaceAll("\t", [" ", "\t\t", ",", "  "][count % 4]!);
  },
  repeat: (lines, at, { count }) => {
    lines[at] = lines[at]!.repeat(1 + 3 * count);
  },
};

type ByteEdit = (bytes: Uint8Array, at: number, draw: Draw) => Uint8Array;

/** Overwrites bytes from an offset. */
function overwrite(change: (copy: Uint8Array, at: number, draw: Draw) => void): ByteEdit {
  return (bytes, at, draw) => {
    const copy = bytes.slice();
    if (copy.length > 0) change(copy, Math.min(at, copy.length - 1), draw);
    return copy;
  };
}

const BYTE_EDITS: Readonly<Record<string, ByteEdit>> = {
  end: (bytes, at) => bytes.subarray(0, at),
  start: (bytes, at) => bytes.subarray(at),
  bit: overwrite((copy, at, { count }) => copy.set([copy[at]! ^ (1 << (count % 8))], at)),
  byte: overwrite((copy, at, { field }) => copy.set([field % 256], at)),
  zeros: overwrite((copy, at, { count }) => void copy.fill(0, at, at + 2 * count)),
  ones: overwrite((copy, at, { count }) => void copy.fill(0xff, at, at + 1 + (count % 3))),
  mark: (bytes) => joined([Uint8Array.of(0xef, 0xbb, 0xbf), bytes]),
  tail: (bytes, _, { count }) => joined([bytes, Uint8Array.of(0xc3), bytes.subarray(0, count)]),
  windows: (bytes) => encode(decode(bytes).replaceAll("\n", "\r\n")),
  returns: (bytes) => encode(decode(bytes).replaceAll("\n", "\r")),
  trimmed: (bytes) => encode(decode(bytes).trimEnd()),
};

/** Edits of a text, and then of its bytes. */
export interface TextEdits {
  readonly lines: readonly (readonly [string, Draw])[];
  readonly bytes: readonly (readonly [string, Draw])[];
}

function edits(table: Readonly<Record<string, unknown>>) {
  const value = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FIELDS) }, fc.string({ unit: "binary" }));
  const draw = fc.record({ at: fc.nat(1e6), field: fc.nat(1e6), count: fc.nat(59), value });
  return fc.tuple(fc.constantFrom(...Object.keys(table)), draw);
}

export const byteEdits = fc.array(edits(BYTE_EDITS), { maxLength: 1 });
export const lineEdits = fc.array(edits(LINE_EDITS), { maxLength: 4 });
export const textEdits: fc.Arbitrary<TextEdits> = fc.record({
  lines: lineEdits,
  bytes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, byteEdits),
});

export function editBytes(bytes: Uint8Array, list: TextEdits["bytes"]): Uint8Array {
  return list.reduce((all, [kind, draw]) => BYTE_EDITS[kind]!(all, draw.at % (all.length + 1), draw), bytes);
}

export function editText(text: string, { lines: list, bytes }: TextEdits): Uint8Array {
  const lines = text.split("\n");
  for (const [kind, draw] of list)
    if (lines.length > 0) LINE_EDITS[kind]!(lines, draw.at % lines.length, draw);
  return editBytes(encode(lines.join("\n")), bytes);
}
