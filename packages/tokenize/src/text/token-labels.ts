import type { ConlluSentence, WordRow } from "@arcwise/conllu";

/** Kinds of labels that `tokenLabels` returns. */
export const LABEL_KINDS = 2;

/** The features that are part of a tag: those that show where clauses begin. */
const FEATURES = /^(?:VerbForm|Mood|Case|PronType)=/;

/**
 * Returns what a treebank says of the tokens of a sentence, for each token two labels: tags and features of
 * its words, and the relation and direction of the head of its first word. O(rows).
 */
export function tokenLabels({ rows }: ConlluSentence): string[][] {
  const words = rows.filter((row): row is WordRow => row.kind === "word");
  const labels: string[][] = [];
  let covered = 0;
  for (const row of rows) {
    if (row.kind === "range") {
      covered = row.last;
      labels.push(labelsOf(words.slice(row.first - 1, row.last)));
    } else if (row.kind === "word" && row.id > covered) labels.push(labelsOf([row]));
  }
  return labels;
}

function labelsOf(words: readonly WordRow[]): string[] {
  const tags = words.map(({ upos, feats }) => [upos, ...feats.split("|").filter(isKept)].join("|"));
  const { id, head, deprel } = words[0]!;
  return [tags.join("+"), deprel === "_" ? deprel : `${deprel} ${head > id ? "right" : "left"}`];
}

function isKept(feature: string): boolean {
  return FEATURES.test(feature);
}
