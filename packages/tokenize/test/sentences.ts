import { type ConlluSentence, parseConllu } from "@arcwise/conllu";

/**
 * Returns sentences, one a line: tokens between spaces, `|` between tokens without a space, `don't=do+n't`
 * for a multiword token, `_` for a space in a token. A line that ends in `|` has no space after it; an empty
 * line begins a paragraph.
 */
export function sentences(text: string): ConlluSentence[] {
  return text
    .trim()
    .split("\n\n")
    .flatMap((paragraph) =>
      paragraph
        .split("\n")
        .flatMap((line, i) => parseConllu(`${i === 0 ? "# newpar\n" : ""}${rowsOf(line.trim())}\n\n`)),
    );
}

function rowsOf(line: string): string {
  const rows: string[] = [];
  let id = 0;
  for (const chunk of line.split(" ")) {
    const tokens = chunk.replace(/\|$/, "").split("|");
    for (const [t, token] of tokens.entries()) {
      const isLast = t === tokens.length - 1 && !chunk.endsWith("|");
      const [form, words] = token.replaceAll("_", " ").split("=");
      const misc = isLast ? "_" : "SpaceAfter=No";
      const parts = words?.split("+") ?? [];
      if (parts.length > 0) rows.push(row(`${id + 1}-${id + parts.length}`, form!, misc));
      if (parts.length === 0) rows.push(row(`${++id}`, form!, misc));
      for (const part of parts) rows.push(row(`${++id}`, part, "_"));
    }
  }
  return rows.join("\n");
}

function row(id: string, form: string, misc: string): string {
  return [id, form, "_", "_", "_", "_", "_", "_", "_", misc].join("\t");
}

const SUBJECTS = ["The cat", "A dog", "Mr. Smith", "Ann", "My friend Bob", "She", "The U.S. team"];
const VERBS = ["sleeps", "doesn't=does+n't eat", "runs home", "saw 10_000 birds", "can't=ca+n't sing"];
const ENDS = ["|.", "|!", "|?", "|, Bob said|.", " (|today|)|."];

/** A small treebank: 175 sentences, in paragraphs of five. */
export const TREEBANK = sentences(
  SUBJECTS.flatMap((subject) => VERBS.map((verb) => ENDS.map((end) => `${subject} ${verb}${end}`).join("\n")))
    .join("\n\n")
    .replaceAll(" |", "|"),
);
