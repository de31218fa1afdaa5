import { type ConlluSentence, rawText, sentenceText, sentenceWords } from "@arcwise/conllu";
import { DataError } from "../errors.ts";

/** The columns that a tagger learns. */
const COLUMNS = ["upos", "xpos", "feats", "lemma"] as const;
const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/**
 * Checks that a treebank has what a tagger and a tokeniser learn. O(length).
 *
 * @param file its name, for messages
 * @returns a warning when it does not say where the text has no spaces
 */
export function checkTextTreebank(sentences: readonly ConlluSentence[], file: string): string | undefined {
  const isTagged = sentences.some((sentence) =>
    sentenceWords(sentence).some((word) => COLUMNS.some((name) => (word[name] ?? "") !== "")),
  );
  if (!isTagged) {
    throw new DataError(
      `${file}: expected words with tags, features or lemmas for a tagger to learn, found none; for a ` +
        "parser without a tagger, give --for tagged",
    );
  }
  if (sentences.some(saysSpaces) || !sentences.some(hasPunctuation)) return undefined;
  return (
    `${file}: no word has SpaceAfter=No in MISC, so that the tokeniser learns that punctuation has spaces ` +
    "on both sides; add it where the text has no space, or give --for tagged, which needs no text"
  );
}

/** Returns whether MISC says what is between tokens, or `# text` that spaces are. */
function saysSpaces(sentence: ConlluSentence): boolean {
  if (sentence.rows.some(({ misc }) => /(?:^|\|)Spaces?(?:After|Before)=/.test(misc))) return true;
  if (!hasPunctuation(sentence)) return false;
  return sentenceText(sentence) === rawText([sentence]).text.trim();
}

function hasPunctuation({ rows }: ConlluSentence): boolean {
  return rows.length > 1 && rows.some(({ form }) => PUNCTUATION.test(form));
}
