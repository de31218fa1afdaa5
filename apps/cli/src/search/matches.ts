import type { ConlluSentence } from "@arcwise/conllu";
import type { SearchMatch } from "@arcwise/conllu/search";

/** The matches in a sentence, of which there is one at least. */
export interface SentenceMatches {
  /** Name of its file in messages. */
  readonly file: string;
  readonly sentence: ConlluSentence;
  /** They are found while they are read, and read once. */
  readonly matches: Iterable<SearchMatch>;
}

/** Returns the names of the words of a match by their positions, in their order; "" for those without a name. */
export function markedWords({ nodes, names }: SearchMatch): ReadonlyMap<number, string> {
  const named = new Map(Object.entries(names).map(([name, id]) => [id, name]));
  const ids = [...new Set(nodes)].filter((id) => id > 0).sort((a, b) => a - b);
  return new Map(ids.map((id) => [id, named.get(id) ?? ""]));
}
