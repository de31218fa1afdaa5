import type { ConlluSentence } from "@arcwise/conllu";
import { compilePattern, type SearchMatch } from "@arcwise/conllu/search";
import type { Job } from "@arcwise/jobs";

/** A pattern, and sentences to search. */
export interface SearchTask {
  readonly pattern: string;
  readonly unique: boolean;
  readonly sentences: readonly ConlluSentence[];
  /** Maximum number of matches. */
  readonly limit: number;
}

/** A match in one of several sentences. */
export interface FoundMatch extends Pick<SearchMatch, "nodes" | "names" | "relations"> {
  /** Index of the sentence. */
  readonly sentence: number;
}

/** Searches sentences: at a place, since a pattern may take any time. */
export const searchJob: Job<SearchTask, FoundMatch[]> = {
  name: "server-search",
  module: import.meta.url,
  run({ pattern: source, unique, sentences, limit }) {
    const pattern = compilePattern(source, { unique });
    const found: FoundMatch[] = [];
    for (const [sentence, one] of sentences.entries()) {
      for (const { nodes, names, relations } of pattern.matches(one)) {
        if (found.length >= limit) return found;
        found.push({ sentence, nodes, names, relations });
      }
    }
    return found;
  },
};
