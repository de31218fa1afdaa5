import { commentValues } from "./comments.ts";
import { quote } from "./error.ts";
import type { Report } from "./rows.ts";
import type { RuleName } from "./rules.ts";
import type { ConlluSentence, Row } from "./types.ts";
import { endOfSpaces, trimmedEnd } from "./white-space.ts";
import { lineAt, rowsWithLines } from "./write.ts";

/** A row that is a token of the text: a range, or a word outside of ranges. */
export interface Token {
  readonly row: Row;
  /** Line of the source; 0 without a source. */
  readonly line: number;
}

/** Returns the tokens of the text. O(rows). */
export function tokens(sentence: ConlluSentence): Token[] {
  const found: Token[] = [];
  let covered = 0;
  for (const [row, line] of rowsWithLines(sentence)) {
    if (row.kind === "empty" || (row.kind === "word" && row.id <= covered)) continue;
    if (row.kind === "range") covered = row.last;
    found.push({ row, line });
  }
  return found;
}

/** Checks that there is one comment `# text = ...`, that the tokens spell it, and SpaceAfter: level 2. */
export function checkTextComment(sentence: ConlluSentence, report: Report): void {
  const { comments, line } = sentence;
  const texts = commentValues(comments, "text");
  if (texts.length > 1)
    report("multiple-text", lineAt(line, texts[1]!.index), "one # text", `${texts.length}`);
  else if (texts[0] === undefined) report("missing-text", line, "# text", "none");
  else checkSpelling(sentence, texts[0].value, lineAt(line, texts[0].index), report);
  checkSpaces(sentence, report);
}

/**
 * Compares a text with its tokens. Any number of spaces may follow a token without SpaceAfter=No, and at least
 * one must. After a token that the text does not go on with, the text is compared with the next token.
 */
function checkSpelling(sentence: ConlluSentence, text: string, textLine: number, report: Report): void {
  const end = trimmedEnd(text).length;
  if (text === "") report("empty-text", textLine, "a text", "none");
  else if (end < text.length)
    report("text-trailing-whitespace", textLine, "the end of the text", quote(text.slice(end)));
  let at = 0;
  let isSpelled = true;
  for (const { row, line } of tokens(sentence)) {
    if (!text.startsWith(row.form, at)) {
      if (isSpelled)
        report("text-form-mismatch", line, quote(row.form), quote(text.slice(at, at + row.form.length + 10)));
      isSpelled = false;
      continue;
    }
    at += row.form.length;
    if (hasNoSpaceAfter(row)) continue;
    const next = endOfSpaces(text, at);
    if (next === at && at < text.length)
      report("missing-spaceafter", line, `a space after ${quote(row.form)}`, quote(text.slice(at, at + 20)));
    at = next;
  }
  if (at < text.length) report("text-extra-chars", textLine, "the end of the text", quote(text.slice(at)));
}

/** Returns whether MISC says that no space follows. */
export function hasNoSpaceAfter(row: Row): boolean {
  return row.misc !== "_" && row.misc.split("|").includes("SpaceAfter=No");
}

/** Checks where MISC says SpaceAfter=No, and that it says so in this way. */
function checkSpaces(sentence: ConlluSentence, report: Report): void {
  let covered = 0;
  for (const [row, line] of rowsWithLines(sentence)) {
    if (row.kind === "range") covered = row.last;
    if (row.misc === "_" || !row.misc.includes("SpaceAfter=")) continue;
    const complain = (rule: RuleName, expected: string) => report(rule, line, expected, quote(row.misc));
    if (row.misc.includes("NoSpaceAfter=Yes")) complain("nospaceafter-yes", "SpaceAfter=No");
    if (row.misc.split("|").some((item) => item.startsWith("SpaceAfter=") && item !== "SpaceAfter=No"))
      complain("spaceafter-value", "SpaceAfter=No");
    if (!row.misc.includes("SpaceAfter=No")) continue;
    if (row.kind === "empty") complain("spaceafter-empty-node", "no SpaceAfter at an empty node");
    if (row.kind === "word" && row.id <= covered)
      complain("spaceafter-mwt-node", "SpaceAfter=No at the range");
  }
}
