import { type ConlluSentence, partialTree } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { contentOf, type EditSentence } from "../correct/document.ts";
import { type EditHistory, undo } from "../correct/history.ts";

/** The smallest number of sentences of which some are held out. */
export const MIN_HELD_OUT = 10;

/** The sentences of the view Correct that can be learned from: all, and those that were changed since the file was opened. */
export interface Corrections {
  readonly all: readonly ConlluSentence[];
  readonly changed: readonly ConlluSentence[];
}

/** Returns the sentences of a document. O(sentences · steps). */
export function correctionsOf(history: EditHistory | undefined): Corrections {
  if (history === undefined) return { all: [], changed: [] };
  let first = history;
  while (first.past.length > 0) first = undo(first);
  const before = new Map(first.document.sentences.map(({ key, text }) => [key, text]));
  const { sentences } = history.document;
  return {
    all: readable(sentences),
    changed: readable(sentences.filter(({ key, text }) => before.get(key) !== text)),
  };
}

function readable(sentences: readonly EditSentence[]): ConlluSentence[] {
  return sentences.flatMap((one) => contentOf(one).sentence ?? []).filter(isLearnable);
}

/** Returns whether a sentence has a head, and its heads are part of a tree. */
function isLearnable(sentence: ConlluSentence): boolean {
  try {
    return partialTree(sentence).heads.some((head, m) => m > 0 && head >= 0);
  } catch (error) {
    if (hasCode(error, "malformed-conllu")) return false;
    throw error;
  }
}
