import { checkHeads, headedWords } from "./convert.ts";
import { quote } from "./error.ts";
import { universal } from "./relations.ts";
import { type Report, RowOrder } from "./rows.ts";
import type { ConlluSentence } from "./types.ts";
import { checkColumns, headColumn, rowsWithLines, textColumns, writeComments } from "./write.ts";

/** Checks the rules that readers enforce, for sentences made by a program. */
export function checkFormat(sentence: ConlluSentence, report: Report): void {
  writeComments(sentence.comments, sentence.line, report);
  const order = new RowOrder(report);
  for (const [row, at] of rowsWithLines(sentence)) {
    order.row(row, at);
    checkColumns(textColumns(row), at, report);
    if (row.kind === "word") headColumn(row.head, at, report);
  }
  order.end(sentence.line);
}

/** Checks that heads form a tree with one root: level 2. Returns whether they do. */
export function checkTree(sentence: ConlluSentence, report: Report): boolean {
  const words = headedWords(sentence);
  const second = words.filter(({ head }) => head === 0)[1];
  if (second !== undefined) report("multiple-roots", second.line, "one word with head 0", "a second one");
  // Without a cycle, heads within the sentence lead to a word with head 0.
  return checkHeads(words, report) && second === undefined;
}

/** Checks that words have the relation root if, and only if, they have head 0: level 3. */
export function checkRoot(sentence: ConlluSentence, report: Report): void {
  for (const { head, deprel, line } of headedWords(sentence)) {
    if (head < 0 || (head === 0) === (universal(deprel) === "root")) continue;
    if (head === 0) report("0-is-not-root", line, "root", quote(deprel));
    else report("root-is-not-0", line, "a relation other than root", quote(deprel));
  }
}
