import { checkArgument } from "@arcwise/core/options";
import { quote, throwingFor } from "./error.ts";
import { MOST, type Report, RowOrder } from "./rows.ts";
import { requireSentence, sentencesCheck } from "./sentence-check.ts";
import type { ConlluSentence, Row } from "./types.ts";

/**
 * Returns the CoNLL-U text of sentences, each followed by a blank line.
 *
 * Cost: linear in the length of the text.
 *
 * @throws ConlluError as `writeSentence` does
 *
 * @example
 * await writeFile("parsed.conllu", writeConllu(nlp.run("Dogs bark. Cats sleep.")));
 */
export function writeConllu(sentences: Iterable<ConlluSentence>): string {
  checkArgument(sentencesCheck, sentences, "writeConllu: sentences");
  let text = "";
  for (const sentence of sentences) text += sentenceText(sentence, "writeConllu");
  return text;
}

/**
 * Returns the CoNLL-U lines of a sentence and a blank line. Reading them returns an equal sentence, except
 * for `line`.
 *
 * @throws ConlluError when the text could not be read back: a column or comment is empty or contains a tab,
 * line end or NUL, IDs are out of order, a HEAD is not a number
 *
 * @example
 * const [sentence] = nlp.run("Dogs bark.");
 * process.stdout.write(writeSentence(sentence!));
 */
export function writeSentence(sentence: ConlluSentence): string {
  return sentenceText(sentence, "writeSentence");
}

/** @param caller the function that was called, for messages */
function sentenceText(sentence: ConlluSentence, caller: string): string {
  requireSentence(sentence, caller);
  const { comments, rows } = sentence;
  const report = throwingFor(comments);
  const start = sentence.line;
  let text = writeComments(comments, start, report);
  const order = new RowOrder(report);
  for (let i = 0; i < rows.length; i++)
    text += writeRow(rows[i]!, lineAt(start, comments.length + i), order, report);
  order.end(start);
  return `${text}\n`;
}

/**
 * Returns the number of line `offset` of a sentence that starts at line `start`; 0 when it comes from no
 * file.
 */
export function lineAt(start: number, offset: number): number {
  return start > 0 ? start + offset : 0;
}

/** Yields the rows of a sentence with the number of their line; 0 when it comes from no file. */
export function* rowsWithLines({
  rows,
  comments,
  line,
}: ConlluSentence): Generator<readonly [row: Row, line: number]> {
  for (let i = 0; i < rows.length; i++) yield [rows[i]!, lineAt(line, comments.length + i)];
}

/** Returns the columns of a row that are text in all kinds of rows: all but ID and HEAD. */
export function textColumns({ form, lemma, upos, xpos, feats, deprel, deps, misc }: Row): string[] {
  return [form, lemma, upos, xpos, feats, deprel, deps, misc];
}

/** Returns the ID column of a row. */
export function rowId(row: Row): string {
  if (row.kind === "word") return `${row.id}`;
  return row.kind === "range" ? `${row.first}-${row.last}` : `${row.after}.${row.index}`;
}

const LINE_END = /[\n\r\0]/;
const COLUMN = /^[^\t\n\r\0]+$/;
/** Matches ten columns and a line feed. */
const ROW = /^[^\t\n\r\0]+(?:\t[^\t\n\r\0]+){9}\n$/;

/** Returns the lines of comments. */
export function writeComments(comments: readonly string[], start: number, report: Report): string {
  let text = "";
  for (let i = 0; i < comments.length; i++) {
    const comment = comments[i]!;
    const line = lineAt(start, i);
    if (!comment.startsWith("#"))
      report("misplaced-comment", line, "a line that starts with #", quote(comment));
    if (LINE_END.test(comment)) report("control-character", line, "one line of text", quote(comment));
    text += `${comment}\n`;
  }
  return text;
}

/** Reports columns that cannot be written. */
export function checkColumns(columns: readonly string[], line: number, report: Report): void {
  for (const column of columns) {
    if (COLUMN.test(column)) continue;
    if (column === "") report("empty-column", line, "text or _", "an empty column");
    else report("control-character", line, "no tab, line end or NUL in a column", quote(column));
  }
}

/** Returns the HEAD column. */
export function headColumn(head: number, line: number, report: Report): string {
  if (head === -1) return "_";
  if (!(Number.isInteger(head) && head >= 0 && head <= MOST)) {
    report("invalid-head", line, `an integer from -1 to ${MOST}`, `${head}`);
  }
  return `${head}`;
}

function writeRow(row: Row, line: number, order: RowOrder, report: Report): string {
  order.row(row, line);
  const head = row.kind === "word" ? headColumn(row.head, line, report) : "_";
  const { form, lemma, upos, xpos, feats, deprel, deps, misc } = row;
  const columns = `${form}\t${lemma}\t${upos}\t${xpos}\t${feats}\t${head}\t${deprel}\t${deps}\t${misc}`;
  const text = `${rowId(row)}\t${columns}\n`;
  // One match of the whole row is several times faster than a match per column.
  if (!ROW.test(text)) checkColumns(textColumns(row), line, report);
  return text;
}
