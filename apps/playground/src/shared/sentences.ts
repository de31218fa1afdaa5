import { type ConlluSentence, sentenceText, type WordRow, withTree, writeSentence } from "@arcwise/conllu";
import type { DependencyTree } from "@arcwise/core";

/** Returns a sentence as plain data, which messages to a worker can carry. */
export function plainSentence({ comments, rows, line }: ConlluSentence): ConlluSentence {
  return { comments, rows, line };
}

/**
 * Returns sentences in which equal sentences of before are the same objects, so that their drawings stay. O(rows).
 */
export function withSame(
  found: readonly ConlluSentence[],
  before: readonly ConlluSentence[],
): readonly ConlluSentence[] {
  const known = new Map(before.map((one) => [writeSentence(one), one]));
  return found.map((one) => known.get(writeSentence(one)) ?? one);
}

/** Returns the words of a sentence. */
export function wordsOf({ rows }: ConlluSentence): WordRow[] {
  return rows.filter((row): row is WordRow => row.kind === "word");
}

/** Returns the form of the word at a position; `ROOT` for 0. */
export function formAt(sentence: ConlluSentence, position: number): string {
  return position === 0 ? "ROOT" : (wordsOf(sentence)[position - 1]?.form ?? "");
}

/** Returns the form of the word at a position, with its number if another word has the same form. */
export function distinctForm(sentence: ConlluSentence, position: number): string {
  const form = formAt(sentence, position);
  const same = wordsOf(sentence).filter((word) => word.form === form);
  return same.length > 1 ? `${form} (${position})` : form;
}

/** Returns the text of a sentence; its forms, if it has no comment with its text. */
export function textOf(sentence: ConlluSentence): string {
  return (
    sentenceText(sentence) ??
    wordsOf(sentence)
      .map(({ form }) => form)
      .join(" ")
  );
}

/** Returns a sentence with another tree. */
export function withPlainTree(sentence: ConlluSentence, { heads, labels }: DependencyTree): ConlluSentence {
  return plainSentence(withTree(sentence, { heads, labels }));
}

/** Whether every word of a sentence has a head. */
export function hasTree(sentence: ConlluSentence): boolean {
  return wordsOf(sentence).every(({ head }) => head >= 0);
}

/** Whether a sentence has a graph in DEPS. */
export function hasGraph({ rows }: ConlluSentence): boolean {
  return rows.some(({ deps }) => deps !== "_");
}
