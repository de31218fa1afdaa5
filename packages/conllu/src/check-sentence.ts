import { checkHeads } from "./convert.ts";
import { quote } from "./error.ts";
import { universal } from "./relations.ts";
import { type Report, RowOrder } from "./rows.ts";
import type { ConlluSentence } from "./types.ts";
import { checkColumns, headColumn, lineAt, writeComments } from "./write.ts";

/** Checks the rules that readers enforce, for sentences made by a program. */
export function checkFormat(sentence: ConlluSentence, report: Report): void {
  const { comments, rows, line } = sentence;
  writeComments(comments, line, report);
  const order = new RowOrder(report);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const at = lineAt(line, comments.length + i);
    const { form, lemma, upos, xpos, feats, deprel, deps, misc } = row;
    order.row(row, at);
    checkColumns([form, lemma, upos, xpos, feats, deprel, deps, misc], at, report);
    if (row.kind === "word") headColumn(row.head, at, report);
  }
  order.end(line);
}

/** Checks that heads form a tree with one root (level 2), whose relation is `root` (level 3). */
export function checkTree(sentence: ConlluSentence, level: number, report: Report): void {
  const { rows, comments, line } = sentence;
  const words = [];
  let roots = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind !== "word") continue;
    const at = lineAt(line, comments.length + i);
    words.push({ head: row.head, deprel: row.deprel, line: at });
    if (row.head === 0 && ++roots === 2) report("single-root", at, "one word with head 0", "a second one");
    if (level < 3 || row.head < 0) continue;
    if ((row.head === 0) !== (universal(row.deprel) === "root")) {
      const expected = row.head === 0 ? "root" : "a relation other than root";
      report("root-label", at, expected, quote(row.deprel));
    }
  }
  if (checkHeads(words, report) && roots === 0) report("single-root", line, "one word with head 0", "none");
}
