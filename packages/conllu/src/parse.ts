import type { Block } from "./blocks.ts";
import { quote } from "./error.ts";
import type { FieldReader } from "./fields.ts";
import { plusColumns } from "./plus.ts";
import { headOf, number, type Report, RowOrder } from "./rows.ts";
import type { ConlluSentence, Row, WordRow } from "./types.ts";
import { isWhiteSpace } from "./white-space.ts";

/** Reads one sentence of a format; reports and leaves out malformed rows. */
export type ParseBlock<S> = (block: Block, report: Report, reader: FieldReader) => S;

/** How many columns a row may have. */
export interface ColumnRange {
  readonly min: number;
  readonly max: number;
}

const COLUMNS: ColumnRange = { min: 10, max: 10 };
const HASH = 35;
const CONTROL = /[\0\r]/;

/** Returns the sentence of a block of CoNLL-U lines. O(length). */
export function parseBlock(block: Block, report: Report, reader: FieldReader): ConlluSentence {
  const { lines } = block;
  let comments = leadingComments(block, report);
  const count = comments.length;
  // The columns of a file stand in its first comment.
  if (comments[0]?.includes("global.columns")) {
    reader.plus = plusColumns(comments);
    if (reader.plus?.hasWords === false)
      report("number-of-columns", block.line, "the columns ID and FORM of CoNLL-U Plus", quote(comments[0]));
    if (reader.plus?.repeated !== undefined)
      report(
        "number-of-columns",
        block.line,
        "different columns of CoNLL-U Plus",
        `${reader.plus.repeated} twice`,
      );
    // Sentences have the columns of CoNLL-U from here on.
    if (reader.plus !== undefined) comments = comments.slice(1);
  }
  const order = new RowOrder(report);
  const rows: Row[] = [];
  for (let i = count; i < lines.length; i++) {
    const at = block.line + i;
    const row = parseRow(lines[i]!, at, report, reader);
    if (row === undefined) order.lose();
    else {
      order.row(row, at);
      rows.push(row);
    }
  }
  const last = block.line + lines.length - 1;
  if (reader.plus !== undefined || lines.some(startsWithDigit)) order.end(last);
  else report("empty-sentence", last, "a word", "the end of the sentence");
  return { comments, rows, line: block.line + count - comments.length };
}

function parseRow(line: string, at: number, report: Report, reader: FieldReader): Row | undefined {
  const { plus } = reader;
  const columns = plus === undefined ? COLUMNS : { min: plus.count, max: plus.count };
  if (!cutRow(line, at, columns, report, reader)) return undefined;
  const fields = plus === undefined ? reader.fields : plus.fields(reader.fields);
  const id = number(fields[0]!);
  return id > 0 ? wordRow(fields, id, at, report) : otherRow(fields, at, report);
}

/** Returns the comment lines at the start of a block. */
export function leadingComments(block: Block, report: Report): string[] {
  const { lines } = block;
  let count = 0;
  while (count < lines.length && lines[count]!.charCodeAt(0) === HASH) {
    const line = lines[count]!;
    if (CONTROL.test(line)) reportControl(line, block.line + count, report);
    count++;
  }
  return lines.slice(0, count);
}

/** Splits a row into `reader.fields`. Reports a row without `columns` non-empty columns and returns false. */
export function cutRow(
  line: string,
  at: number,
  columns: ColumnRange,
  report: Report,
  reader: FieldReader,
): boolean {
  if (CONTROL.test(line)) {
    reportControl(line, at, report);
    return false;
  }
  if (isWhiteSpace(line)) {
    report("pseudo-empty-line", at, "an empty line", quote(line));
    return false;
  }
  reader.cut(line);
  const { fields, count } = reader;
  if (count < columns.min || count > columns.max) {
    reportColumns(line, at, columns, count, report);
    return false;
  }
  for (let i = 0; i < count; i++) {
    if (fields[i] !== "") continue;
    report("empty-column", at, "text or _", `nothing in column ${i + 1}`);
    return false;
  }
  return true;
}

/** The fewest parts between spaces that are taken for columns which have lost their tabs. */
const MIN_SPACED = 6;

function reportColumns(
  line: string,
  at: number,
  { min, max }: ColumnRange,
  count: number,
  report: Report,
): void {
  if (line.charCodeAt(0) === HASH) report("misplaced-comment", at, "a row", quote(line));
  else {
    const expected = min === max ? `${min} tab-separated columns` : `at least ${min} tab-separated columns`;
    const spaced = line.trim().split(/ +/).length;
    const isSpaced = count === 1 && spaced >= MIN_SPACED;
    report(
      startsWithDigit(line) ? "number-of-columns" : "invalid-line",
      at,
      expected,
      `${isSpaced ? `${spaced} separated by spaces` : count} in ${quote(line)}`,
    );
  }
}

function startsWithDigit(line: string): boolean {
  return line >= "0" && line < ":";
}

function reportControl(line: string, at: number, report: Report): void {
  const found = line.includes("\0") ? "NUL (is the file UTF-8?)" : "a carriage return";
  report("control-character", at, "text", `${found} in ${quote(line)}`);
}

/** Parses a HEAD column; -1 for `_`. */
export function parseHead(field: string, at: number, report: Report): number {
  const head = headOf(field);
  if (head >= -1) return head;
  report("invalid-head", at, "a number or _", quote(field));
  return -1;
}

/** Returns the ID of a row in a format whose rows are words. */
export function parseWordId(field: string, at: number, order: RowOrder, report: Report): number {
  const id = number(field);
  if (id > 0) order.word(id, at);
  else {
    report("invalid-word-id", at, "a word number", quote(field));
    order.lose();
  }
  return id;
}

function wordRow(fields: readonly string[], id: number, at: number, report: Report): WordRow {
  return {
    kind: "word",
    id,
    form: fields[1]!,
    lemma: fields[2]!,
    upos: fields[3]!,
    xpos: fields[4]!,
    feats: fields[5]!,
    head: parseHead(fields[6]!, at, report),
    deprel: fields[7]!,
    deps: fields[8]!,
    misc: fields[9]!,
  };
}

function otherRow(fields: readonly string[], at: number, report: Report): Row | undefined {
  const id = fields[0]!;
  const separator = id.search(/[-.]/);
  const left = number(id, 0, separator);
  const right = number(id, separator + 1);
  const isRange = id[separator] === "-";
  if (left < (isRange ? 1 : 0) || right < 1) {
    const rule = id.startsWith("#")
      ? "misplaced-comment"
      : startsWithDigit(id)
        ? "invalid-word-id"
        : "invalid-line";
    report(rule, at, "a word (1), a range (1-2) or an empty node (1.1)", quote(id));
    return undefined;
  }
  if (fields[6] !== "_")
    report(isRange ? "mwt-nonempty-field" : "empty-node-nonempty-field", at, "_ as HEAD", quote(fields[6]!));
  const columns = {
    form: fields[1]!,
    lemma: fields[2]!,
    upos: fields[3]!,
    xpos: fields[4]!,
    feats: fields[5]!,
    deprel: fields[7]!,
    deps: fields[8]!,
    misc: fields[9]!,
  };
  if (isRange) return { kind: "range", first: left, last: right, ...columns };
  return { kind: "empty", after: left, index: right, ...columns };
}
