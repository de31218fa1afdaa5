import { commentValues } from "./comments.ts";
import { quote } from "./error.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence, Row } from "./types.ts";
import { endOfSpaces, trimmedEnd } from "./white-space.ts";
import { lineAt } from "./write.ts";

/** A row that is a token of the text: a range, or a word outside of ranges. */
export interface Token {
  readonly row: Row;
  /** Line of the source; 0 without a source. */
  readonly line: number;
}

/** Returns the tokens of the text. O(rows). */
export function tokens({ rows, comments, line }: ConlluSentence): Token[] {
  const found: Token[] = [];
  let covered = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind === "empty" || (row.kind === "word" && row.id <= covered)) continue;
    if (row.kind === "range") covered = row.last;
    found.push({ row, line: lineAt(line, comments.length + i) });
  }
  return found;
}

/** Checks that there is one comment `# text = ...`, and that the tokens spell it: level 2. */
export function checkTextComment(sentence: ConlluSentence, report: Report): void {
  const { comments, line } = sentence;
  const texts = commentValues(comments, "text");
  if (texts.length !== 1) report("text-comment", line, "one # text", `${texts.length}`);
  if (texts[0] !== undefined) checkSpelling(sentence, texts[0].value, lineAt(line, texts[0].index), report);
}

/**
 * Compares a text with its tokens; reports the first difference. Any number of spaces may follow a token
 * without SpaceAfter=No, and at least one must.
 */
function checkSpelling(sentence: ConlluSentence, text: string, textLine: number, report: Report): void {
  let at = 0;
  for (const { row, line } of tokens(sentence)) {
    if (!text.startsWith(row.form, at)) {
      report("text-match", line, quote(row.form), quote(text.slice(at, at + row.form.length + 10)));
      return;
    }
    at += row.form.length;
    if (hasNoSpaceAfter(row)) continue;
    const next = endOfSpaces(text, at);
    if (next === at && at < text.length) {
      report("text-match", line, `a space after ${quote(row.form)}`, quote(text.slice(at, at + 20)));
      return;
    }
    at = next;
  }
  const end = trimmedEnd(text).length;
  if (at < end || end < text.length)
    report("text-match", textLine, "the end of the text", quote(text.slice(Math.min(at, end))));
}

/** Returns whether MISC says that no space follows. */
export function hasNoSpaceAfter(row: Row): boolean {
  return row.misc !== "_" && row.misc.split("|").includes("SpaceAfter=No");
}

/** Checks where MISC says SpaceAfter=No, and that it says so in this way: level 2. */
export function checkSpaces(sentence: ConlluSentence, report: Report): void {
  const { rows, comments, line } = sentence;
  let covered = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind === "range") covered = row.last;
    if (row.misc === "_" || !row.misc.includes("SpaceAfter=")) continue;
    const complain = (expected: string) =>
      report("space-after", lineAt(line, comments.length + i), expected, quote(row.misc));
    if (row.misc.includes("NoSpaceAfter=Yes")) complain("SpaceAfter=No");
    if (row.misc.split("|").some((item) => item.startsWith("SpaceAfter=") && item !== "SpaceAfter=No"))
      complain("SpaceAfter=No");
    if (!row.misc.includes("SpaceAfter=No")) continue;
    if (row.kind === "empty") complain("no SpaceAfter at an empty node");
    if (row.kind === "word" && row.id <= covered) complain("SpaceAfter=No at the range");
  }
}
