import type { Block } from "./blocks.ts";
import { quote } from "./error.ts";
import { headOf, number, type Report, RowOrder } from "./rows.ts";
import type { ConlluSentence, Row } from "./types.ts";

const COLUMNS = 10;
const HASH = 35;
const CONTROL = /[\0\r]/;

/**
 * The sentence that a block of CoNLL-U lines spells. What cannot be read is reported and left out. O(length).
 */
export function parseBlock(block: Block, report: Report): ConlluSentence {
  const { lines } = block;
  const comments = leadingComments(block, report);
  const order = new RowOrder(report);
  const rows: Row[] = [];
  for (let i = comments.length; i < lines.length; i++) {
    const line = lines[i]!;
    const at = block.line + i;
    if (line.charCodeAt(0) === HASH) {
      report("comment-place", at, "a row", quote(line));
      continue;
    }
    const fields = splitRow(line, at, COLUMNS, report);
    if (fields === undefined) continue;
    const row = parseRow(fields, at, order, report);
    if (row !== undefined) rows.push(row);
  }
  order.end(block.line + lines.length - 1);
  return { comments, rows, line: block.line };
}

/** The comment lines at the start of a block. */
export function leadingComments(block: Block, report: Report): string[] {
  const { lines } = block;
  let count = 0;
  while (count < lines.length && lines[count]!.charCodeAt(0) === HASH) {
    if (CONTROL.test(lines[count]!)) refuseControl(lines[count]!, block.line + count, report);
    count++;
  }
  return lines.slice(0, count);
}

/** The columns of a row, or undefined when there are fewer than `least` or more than `most`, or one is empty. */
export function splitRow(
  line: string,
  at: number,
  least: number,
  report: Report,
  most: number = least,
): string[] | undefined {
  if (CONTROL.test(line)) {
    refuseControl(line, at, report);
    return undefined;
  }
  const fields = line.split("\t");
  if (fields.length < least || fields.length > most) {
    if (line.trim() === "") report("whitespace-line", at, "an empty line", quote(line));
    else report("columns", at, `${least} columns`, `${fields.length} in ${quote(line)}`);
    return undefined;
  }
  const empty = fields.indexOf("");
  if (empty < 0) return fields;
  report("empty-field", at, "text or _", `nothing in column ${empty + 1}`);
  return undefined;
}

function refuseControl(line: string, at: number, report: Report): void {
  const found = line.includes("\0") ? "NUL (is the file UTF-8?)" : "a carriage return";
  report("control-character", at, "text", `${found} in ${quote(line)}`);
}

function parseRow(fields: string[], at: number, order: RowOrder, report: Report): Row | undefined {
  const id = number(fields[0]!);
  if (id > 0) {
    order.word(id, at);
    const head = headOf(fields[6]!);
    if (head < -1) report("head-syntax", at, "a number or _", quote(fields[6]!));
    return {
      kind: "word",
      id,
      form: fields[1]!,
      lemma: fields[2]!,
      upos: fields[3]!,
      xpos: fields[4]!,
      feats: fields[5]!,
      head: head < 0 ? -1 : head,
      deprel: fields[7]!,
      deps: fields[8]!,
      misc: fields[9]!,
    };
  }
  return parseOtherRow(fields, at, order, report);
}

function parseOtherRow(fields: string[], at: number, order: RowOrder, report: Report): Row | undefined {
  const id = fields[0]!;
  const separator = id.search(/[-.]/);
  const left = number(id, 0, separator);
  const right = number(id, separator + 1);
  const isRange = id[separator] === "-" && left > 0;
  if (separator < 0 || left < 0 || right < 1 || !(isRange || id[separator] === ".")) {
    report("id-syntax", at, "a word (1), a range (1-2) or an empty node (1.1)", quote(id));
    return undefined;
  }
  if (fields[6] !== "_") report("head-syntax", at, "_", quote(fields[6]!));
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
  if (isRange) {
    order.range(left, right, at);
    return { kind: "range", first: left, last: right, ...columns };
  }
  order.empty(left, right, at);
  return { kind: "empty", after: left, index: right, ...columns };
}
