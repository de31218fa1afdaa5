import type { ConlluSentence, Row } from "@arcwise/conllu";
import { tokensOf } from "../text/token-labels.ts";

/** Punctuation that ordinary text attaches to the word before it, and to the word after it. */
const CLOSING = /^(?:[.,;:!?%\u2026\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f]+|\p{Pe}|\p{Pf})$/u;
const OPENING = /^(?:\p{Ps}|\p{Pi})$/u;
const STRAIGHT_QUOTE = '"';
/** A treebank with at least this many closing marks, of which this share follows a space, was split at spaces. */
const MIN_MARKS = 20;
const SPACED = 0.95;
const NO_SPACE = "SpaceAfter=No";

/**
 * Returns the sentences of a treebank. If its text has spaces before nearly all punctuation, as text has that programs
 * split into tokens, every other sentence has its punctuation attached to words, as people write it. A tokeniser would
 * never learn to cut `word.` otherwise. O(rows).
 */
export function withAttachedMarks(sentences: readonly ConlluSentence[]): readonly ConlluSentence[] {
  let [closing, spaced] = [0, 0];
  for (const { rows } of sentences) {
    const tokens = tokensOf({ rows });
    for (const [t, { row }] of tokens.entries()) {
      if (t === 0 || !CLOSING.test(row.form)) continue;
      closing++;
      if (!tokens[t - 1]!.row.misc.split("|").includes(NO_SPACE)) spaced++;
    }
  }
  if (closing < MIN_MARKS || spaced < SPACED * closing) return sentences;
  return sentences.map((sentence, s) => (s % 2 === 0 ? sentence : attachMarks(sentence)));
}

/** Returns a sentence with its punctuation attached; of straight quotes, every other one opens. */
function attachMarks(sentence: ConlluSentence): ConlluSentence {
  const tokens = tokensOf(sentence).map(({ row }) => row);
  const attached = new Set<Row>();
  let isOpen = false;
  for (const [t, row] of tokens.entries()) {
    const isQuote = row.form === STRAIGHT_QUOTE;
    if (isQuote) isOpen = !isOpen;
    if (OPENING.test(row.form) || (isQuote && isOpen)) attached.add(row);
    else if (t > 0 && (CLOSING.test(row.form) || isQuote)) attached.add(tokens[t - 1]!);
  }
  const last = tokens.at(-1);
  const rows = sentence.rows.map((row) => (attached.has(row) && row !== last ? withoutSpace(row) : row));
  return { ...sentence, rows };
}

/** Returns a row without the spaces after it that MISC states. */
function withoutSpace(row: Row): Row {
  const others = row.misc.split("|").filter((item) => item !== "_" && !/^Spaces?After=/.test(item));
  return { ...row, misc: [...others, NO_SPACE].join("|") };
}
