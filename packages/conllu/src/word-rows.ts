import { type Check, checkArgument } from "@arcwise/core/options";
import type { Block } from "./blocks.ts";
import { throwingFor } from "./error.ts";
import type { FieldReader } from "./fields.ts";
import { type ColumnRange, cutRow, leadingComments, parseWordId } from "./parse.ts";
import { type Report, RowOrder } from "./rows.ts";
import { sentencesCheck } from "./sentence-check.ts";
import { checkColumns, headColumn, lineAt, writeComments } from "./write.ts";

/** A sentence of a format whose rows are words. */
interface WordRows {
  readonly comments: readonly string[];
  readonly rows: readonly { readonly id: number }[];
  readonly line: number;
}

/** Calls `take` with the columns of each row that can be read. Returns the comments before the rows. */
export function readRows(
  block: Block,
  columns: ColumnRange,
  report: Report,
  reader: FieldReader,
  take: (fields: readonly string[], id: number, at: number) => void,
): string[] {
  const comments = leadingComments(block, report);
  const order = new RowOrder(report);
  let range = columns;
  for (let i = comments.length; i < block.lines.length; i++) {
    const at = block.line + i;
    if (!cutRow(block.lines[i]!, at, range, report, reader)) {
      order.lose();
      continue;
    }
    // The first row decides the number of columns.
    range = { min: reader.count, max: reader.count };
    const id = parseWordId(reader.fields[0]!, at, order, report);
    take(reader.fields.slice(0, reader.count), id, at);
  }
  order.end(block.line + block.lines.length - 1);
  return comments;
}

/** Returns columns of a row by their names; those that are numbers are heads. */
export function namedColumns<Name extends string>(
  row: Readonly<Record<Name, string | number>>,
  names: readonly Name[],
  at: number,
  report: Report,
): string[] {
  return names.map((name) => {
    const value = row[name];
    return typeof value === "string" ? value : headColumn(value, at, report);
  });
}

/** Returns the text of sentences; `columnsOf` returns the columns of a row after its ID. */
export function writeRows<S extends WordRows>(
  where: string,
  sentences: Iterable<S>,
  check: Check,
  columnsOf: (sentence: S, report: Report) => (row: S["rows"][number], at: number) => string[],
): string {
  checkArgument(sentencesCheck, sentences, `${where}: sentences`);
  let text = "";
  for (const sentence of sentences) {
    checkArgument(check, sentence, `${where}: sentence`);
    const { comments, rows, line } = sentence;
    const report = throwingFor(comments);
    const columnsIn = columnsOf(sentence, report);
    const order = new RowOrder(report);
    text += writeComments(comments, line, report);
    for (const [i, row] of rows.entries()) {
      const at = lineAt(line, comments.length + i);
      order.word(row.id, at);
      const columns = columnsIn(row, at);
      checkColumns(columns, at, report);
      text += `${row.id}\t${columns.join("\t")}\n`;
    }
    order.end(line);
    text += "\n";
  }
  return text;
}
