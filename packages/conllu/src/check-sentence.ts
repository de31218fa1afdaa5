import { universal } from "./check-fields.ts";
import { commentValues } from "./comments.ts";
import { checkHeads } from "./convert.ts";
import { quote } from "./error.ts";
import { type Report, RowOrder } from "./rows.ts";
import type { ConlluSentence, Row } from "./types.ts";
import { checkColumns, headColumn, lineAt, writeComments } from "./write.ts";

/** Checks the rules that readers enforce, for sentences made by a program. Returns whether they hold. */
export function checkFormat(sentence: ConlluSentence, report: Report): boolean {
  let sound = true;
  const note: Report = (...complaint) => {
    sound = false;
    report(...complaint);
  };
  const { comments, rows, line } = sentence;
  writeComments(comments, line, note);
  const order = new RowOrder(note);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const at = lineAt(line, comments.length + i);
    const { form, lemma, upos, xpos, feats, deprel, deps, misc } = row;
    order.row(row, at);
    checkColumns([form, lemma, upos, xpos, feats, deprel, deps, misc], at, note);
    if (row.kind === "word") headColumn(row.head, at, note);
  }
  order.end(line);
  return sound;
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

/** Checks the comments `sent_id` and `text`, and the text against the forms: level 2. */
export function checkComments(sentence: ConlluSentence, seen: Set<string>, report: Report): void {
  const { comments, line } = sentence;
  const ids = commentValues(comments, "sent_id");
  const first = ids[0];
  if (ids.length !== 1) report("sentence-id", line, "one # sent_id", `${ids.length}`);
  if (first !== undefined) {
    const at = lineAt(line, first.index);
    if (!/^[^\s/]+$/u.test(first.value)) {
      report("sentence-id", at, "an ID without spaces or slashes", quote(first.value));
    }
    if (seen.has(first.value)) report("sentence-id-unique", at, "a unique ID", quote(first.value));
    seen.add(first.value);
  }
  const texts = commentValues(comments, "text");
  if (texts.length !== 1) report("text-comment", line, "one # text", `${texts.length}`);
  if (texts[0] !== undefined) checkSpelling(sentence, texts[0].value, lineAt(line, texts[0].index), report);
}

/** Compares a text with the tokens that it should consist of; reports the first difference. */
function checkSpelling(sentence: ConlluSentence, text: string, textLine: number, report: Report): void {
  const { rows, comments, line } = sentence;
  let at = 0;
  let covered = 0;
  let spaced = false;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind === "empty" || (row.kind === "word" && row.id <= covered)) continue;
    if (row.kind === "range") covered = row.last;
    const rowLine = lineAt(line, comments.length + i);
    if (spaced) {
      if (!/\s/u.test(text.charAt(at))) {
        report("text-match", rowLine, `a space before ${quote(row.form)}`, quote(text.slice(at, at + 20)));
        return;
      }
      at++;
    }
    if (!text.startsWith(row.form, at)) {
      report("text-match", rowLine, quote(row.form), quote(text.slice(at, at + row.form.length + 10)));
      return;
    }
    at += row.form.length;
    spaced = !hasNoSpaceAfter(row);
  }
  if (at < text.length) report("text-match", textLine, "the end of the text", quote(text.slice(at)));
}

function hasNoSpaceAfter(row: Row): boolean {
  return row.misc !== "_" && row.misc.split("|").includes("SpaceAfter=No");
}

/** Reports SpaceAfter at words inside ranges, which are not tokens of the text: level 2. */
export function checkSpaces(sentence: ConlluSentence, report: Report): void {
  const { rows, comments, line } = sentence;
  let covered = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind === "range") covered = row.last;
    if (row.kind !== "word" || row.id > covered || !hasNoSpaceAfter(row)) continue;
    const found = quote(row.misc);
    report("space-after", lineAt(line, comments.length + i), "SpaceAfter=No at the range", found);
  }
}
