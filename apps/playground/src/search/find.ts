import type { ConlluSentence } from "@arcwise/conllu";
import { compilePattern, searchVocabulary } from "@arcwise/conllu/search";

/** A sentence that a pattern matches. */
export interface Hit {
  /** Index of the sentence, from 0. */
  readonly index: number;
  readonly sentence: ConlluSentence;
  /** Positions of the words of all matches, ascending, and the number of matches. */
  readonly words: readonly number[];
  readonly matches: number;
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

/** Milliseconds of work between two reports. */
const SLICE = 12;

/**
 * Searches sentences for a pattern, and yields what it has found about every 12 milliseconds, so that the page stays
 * responsive. Sentences that are undefined, since they cannot be read, are passed over.
 *
 * @throws ArcwiseError `invalid-argument` at the first character of the pattern that is wrong
 */
export function* find(
  sentences: readonly (ConlluSentence | undefined)[],
  source: string,
): Generator<Findings> {
  const pattern = compilePattern(source);
  const vocabulary = searchVocabulary(pattern);
  const hits: Hit[] = [];
  let matches = 0;
  let until = performance.now() + SLICE;
  for (const [index, sentence] of sentences.entries()) {
    if (sentence !== undefined) {
      vocabulary.add(sentence);
      const found = [...pattern.matches(sentence)];
      const nodes = found.flatMap(({ nodes }) => nodes.filter((word) => word > 0));
      const words = [...new Set(nodes)].sort((a, b) => a - b);
      if (found.length > 0) hits.push({ index, sentence, words, matches: found.length });
      matches += found.length;
    }
    if (performance.now() < until) continue;
    yield { hits: [...hits], matches, searched: index + 1, isDone: false, notes: [] };
    until = performance.now() + SLICE;
  }
  const notes = vocabulary.missing().map(({ column, name, value, elsewhere, similar }) => {
    const what = name === undefined ? column : `${column}.${name}`;
    const hint =
      elsewhere !== undefined
        ? `; ${elsewhere} has it`
        : similar !== undefined
          ? `; did you mean ${similar}?`
          : "";
    return `No word has ${what} ${value}${hint}`;
  });
  yield { hits, matches, searched: sentences.length, isDone: true, notes };
}
