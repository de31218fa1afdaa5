import type { ConlluSentence, Row, WordRow } from "@arcwise/conllu";
import { withItem } from "./items.ts";

/** Writes a sentence in another way; returns undefined if the variation does not apply. O(rows). */
type Variation = (sentence: ConlluSentence) => ConlluSentence | undefined;

/** Words that headlines leave in lower case, unless they come first. */
const SMALL = new Set(["ADP", "CCONJ", "DET", "PART", "SCONJ"]);
const MAX_SMALL = 4;
/** A headline is not longer than this many words. */
const MAX_HEADLINE = 14;
const STOP = /^[.\u3002]$/u;

/** The ways of writing by name: all in capitals, all in lower case, as a headline, without the last full stop. */
export const VARIATIONS: Readonly<Record<string, Variation>> = {
  capitals: (sentence) => withForms(sentence, (form) => form.toUpperCase()),
  lowercase: (sentence) => withForms(sentence, (form) => form.toLowerCase()),
  headline: (sentence) => {
    const { rows } = sentence;
    const words = rows.filter(({ kind }) => kind === "word");
    if (words.length > MAX_HEADLINE) return undefined;
    const titled = withForms(withoutStop(sentence) ?? sentence, (form, row, isFirst) =>
      isFirst || row.kind !== "word" || !SMALL.has(row.upos) || form.length > MAX_SMALL
        ? titleCase(form)
        : form,
    );
    return titled && { ...titled, comments: ["# newpar"] };
  },
  unstopped: (sentence) => {
    const found = withoutStop(sentence);
    return found && { ...found, comments: ["# newpar"] };
  },
};

function titleCase(form: string): string {
  const [first = ""] = form;
  return first.toUpperCase() + form.slice(first.length);
}

/** Returns a sentence with other forms; undefined if all are the same, as in scripts without case. */
function withForms(
  { rows, comments, line }: ConlluSentence,
  change: (form: string, row: Row, isFirst: boolean) => string,
): ConlluSentence | undefined {
  let isChanged = false;
  const own = rows
    .filter(({ kind }) => kind !== "empty")
    .map((row, r): Row => {
      const form = change(row.form, row, r === 0);
      if (form !== row.form) isChanged = true;
      return { ...row, form };
    });
  if (!isChanged) return undefined;
  return { comments: comments.filter((comment) => /^#\s*new(?:par|doc)/.test(comment)), rows: own, line };
}

/** Returns a sentence without the full stop at its end; undefined if it does not end in one. */
function withoutStop({ rows, line }: ConlluSentence): ConlluSentence | undefined {
  const words = rows.filter(({ kind }) => kind !== "empty");
  const last = words.at(-1);
  if (words.length < 2 || last?.kind !== "word" || !STOP.test(last.form)) return undefined;
  if (words.some((row) => row.kind === "word" && row.head === last.id)) return undefined;
  if (words.some((row) => row.kind === "range" && row.last >= last.id)) return undefined;
  const end = last.id - 1;
  const isEnd = (row: Row) => (row.kind === "range" ? row.last : (row as WordRow).id) === end;
  return {
    comments: ["# newpar"],
    rows: words
      .slice(0, -1)
      .map((row) => (isEnd(row) ? { ...row, misc: withItem(row.misc, "SpaceAfter") } : row)),
    line,
  };
}
