import type { Sentence, Word } from "@arcwise/core";
import type { GivenColumns, NetworkColumn, Parser } from "@arcwise/parser";
import { applyLemmaRule, lemmaRule, lemmaRuleParts, type TaggerColumn } from "@arcwise/sequence";

/**
 * How much more the network believes in a label that the tagger gave, by column: the best of 1, 2, 3, 4 and 6
 * on the development sets of Hungarian and Gothic.
 */
const TRUST: Readonly<Record<TaggerColumn, number>> = { upos: 2, xpos: 2, feats: 3, lemma: 6 };

/** The label of a word in a column: lemmas are rules that derive them from the form. */
function labelOf(column: TaggerColumn, word: Word): string {
  return column === "lemma" ? lemmaRule(word.form, word.lemma || word.form) : (word[column] ?? "");
}

/**
 * Returns the columns that the network of a parser learns to predict from the words of a treebank, and from
 * the tags of a tagger.
 */
export function networkColumns(
  sentences: readonly Sentence[],
  columns: readonly TaggerColumn[],
): NetworkColumn[] {
  return columns.map((name) => ({
    name,
    labels: sentences.map((sentence) => sentence.map((word) => labelOf(name, word))),
    ...(name === "feats" && { parts: (label: string) => label.split("|") }),
    ...(name === "lemma" && { parts: lemmaRuleParts }),
  }));
}

/**
 * Returns the words of a tagger with the columns that the network of a parser predicts, which sees the whole
 * sentence and the tagger's choice. Other columns stay as they are.
 */
export function refineTags(
  parser: Pick<Parser, "columns">,
  tagged: readonly Word[],
  names: readonly TaggerColumn[],
): Word[] {
  const given: GivenColumns = Object.fromEntries(
    names.map((name) => [name, { labels: tagged.map((word) => labelOf(name, word)), trust: TRUST[name] }]),
  );
  const found = parser.columns(tagged, given);
  return tagged.map((word, i) => {
    const own: Partial<Record<TaggerColumn, string>> = {};
    for (const name of names) {
      const label = found[name]?.[i];
      if (label === undefined) continue;
      own[name] = name === "lemma" ? applyLemmaRule(word.form, label) : label;
    }
    return { ...word, ...own };
  });
}
