import type { ConlluSentence } from "@arcwise/conllu";

/** The sentences of a genre: those to correct, and the sentences of other documents. */
export interface Genre {
  readonly name: string;
  /** The first sentences of the genre, document by document. */
  readonly corrected: readonly ConlluSentence[];
  /** The sentences of the documents from which none is corrected. */
  readonly rest: readonly ConlluSentence[];
}

/** Names a document of GUM and its genre: `# newdoc id = GUM_news_asylum`. */
const DOCUMENT = /^# newdoc id = ((?:[^_\s]+_)?([a-z]+)_\S+)/;

/**
 * Divides the sentences of a treebank by genre.
 *
 * @param most number of sentences that are corrected; genres with fewer sentences, or without another document, are left out
 */
export function genresOf(sentences: Iterable<ConlluSentence>, most: number): Genre[] {
  const documents = new Map<string, Map<string, ConlluSentence[]>>();
  let current: ConlluSentence[] | undefined;
  for (const sentence of sentences) {
    const [, id, genre] = sentence.comments.map((line) => DOCUMENT.exec(line)).find((found) => found) ?? [];
    if (id !== undefined) {
      const own = documents.get(genre!) ?? new Map<string, ConlluSentence[]>();
      documents.set(genre!, own);
      current = own.get(id) ?? [];
      own.set(id, current);
    }
    current?.push(sentence);
  }
  return [...documents]
    .map(([name, own]) => ({ name, ...divided([...own.values()], most) }))
    .filter(({ corrected, rest }) => corrected.length === most && rest.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function divided(documents: readonly ConlluSentence[][], most: number): Omit<Genre, "name"> {
  const corrected: ConlluSentence[] = [];
  let used = 0;
  while (used < documents.length && corrected.length < most) corrected.push(...documents[used++]!);
  return { corrected: corrected.slice(0, most), rest: documents.slice(used).flat() };
}
