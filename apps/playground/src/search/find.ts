import { type ConlluSentence, type SentenceView, viewSentence } from "@arcwise/conllu";
import { compilePattern, type SearchMatch, searchVocabulary } from "@arcwise/conllu/search";
import { counted } from "@arcwise/core/errors";
import { pauses } from "../shared/pauses.ts";

/** A sentence that a pattern matches. */
export interface Hit {
  /** Index of the sentence, from 0. */
  readonly index: number;
  readonly sentence: SentenceView;
  readonly matches: readonly SearchMatch[];
}

/** The results of a search so far. */
export interface Findings {
  readonly hits: readonly Hit[];
  readonly matches: number;
  /** Number of sentences that were searched. */
  readonly searched: number;
  readonly isDone: boolean;
  /** Values of the pattern that no word has, with what there is instead; empty until the search is done. */
  readonly notes: readonly string[];
}

/** Number of matches after which a search ends: all are kept, to be counted by any field. */
const MAX_MATCHES = 300_000;

/**
 * Searches sentences for a pattern, and yields what it has found after each pause for input. Sentences that are undefined, since they cannot be read, are passed over.
 */
export async function* find(
  sentences: readonly (ConlluSentence | undefined)[],
  source: string,
): AsyncGenerator<Findings> {
  const pattern = compilePattern(source);
  const vocabulary = searchVocabulary(pattern);
  const hits: Hit[] = [];
  let matches = 0;
  let searched = 0;
  const pause = pauses();
  for (const [index, sentence] of sentences.entries()) {
    searched = index + 1;
    if (sentence !== undefined) {
      vocabulary.add(sentence);
      const found = [...pattern.matches(sentence)];
      if (found.length > 0) hits.push({ index, sentence: viewSentence(sentence), matches: found });
      matches += found.length;
    }
    if (matches > MAX_MATCHES) break;
    if (await pause()) yield { hits: [...hits], matches, searched, isDone: false, notes: [] };
  }
  const notes = [...vocabulary.notes()];
  if (searched < sentences.length)
    notes.push(
      `The search ended after ${searched} of ${counted(sentences.length, "sentence")}, at ${matches} matches`,
    );
  yield { hits, matches, searched, isDone: true, notes };
}
