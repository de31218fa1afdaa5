import type { ConlluSentence, Row, WordRow } from "@arcwise/conllu";

/** A token of a sentence: its row, and the rows of its words. */
interface SentenceToken {
  readonly row: Row;
  readonly words: WordRow[];
}

/** Returns the tokens of a sentence: multiword tokens, and words outside of them. O(rows). */
export function tokensOf({ rows }: Pick<ConlluSentence, "rows">): SentenceToken[] {
  const tokens: SentenceToken[] = [];
  let covered = 0;
  for (const row of rows) {
    if (row.kind === "range") {
      covered = row.last;
      tokens.push({ row, words: [] });
    } else if (row.kind === "word") {
      if (row.id > covered) tokens.push({ row, words: [row] });
      else tokens.at(-1)!.words.push(row);
    }
  }
  return tokens;
}

/**
 * Returns for each token of a sentence whether it has a typing error: `Typo=Yes` in FEATS, or `CorrectForm` in MISC,
 * of the token or one of its words. O(rows).
 */
export function misspeltTokens(sentence: ConlluSentence): boolean[] {
  const isError = ({ feats, misc }: Row) =>
    /(?:^|\|)Typo=Yes/.test(feats) || /(?:^|\|)CorrectForm=/.test(misc);
  return tokensOf(sentence).map(({ row, words }) => isError(row) || words.some(isError));
}

/** Kinds of labels that `tokenLabels` returns. */
export const LABEL_KINDS = 2;

/** The features that are part of a tag: those that show where clauses begin. */
const FEATURES = /^(?:VerbForm|Mood|Case|PronType)=/;

/**
 * Returns what a treebank says of the tokens of a sentence, for each token two labels: tags and features of
 * its words, and the relation and direction of the head of its first word. O(rows).
 */
export function tokenLabels(sentence: ConlluSentence): string[][] {
  return tokensOf(sentence).map(({ words }) => {
    const tags = words.map(({ upos, feats }) =>
      [upos, ...feats.split("|").filter((feature) => FEATURES.test(feature))].join("|"),
    );
    const { id, head, deprel } = words[0]!;
    return [tags.join("+"), deprel === "_" ? deprel : `${deprel} ${head > id ? "right" : "left"}`];
  });
}
