import { sentenceWords } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { DataError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";
import { type CompanionReader, type CompanionSentence, checkForms, companionReader } from "./companion.ts";

/** The words of a sentence, with their tags. */
interface TaggedWords {
  readonly words: Sentence;
}

/** The words of a sentence from another file. Plain data, which can be sent to another thread. */
export type SentenceWords = CompanionSentence & TaggedWords;

/** Makes a reader of the words of a CoNLL-U file. */
export function wordReader(io: Io, path: string): CompanionReader<TaggedWords> {
  return companionReader(io, path, (sentence) => ({ words: sentenceWords(sentence) }));
}

/**
 * Returns the words of a sentence with UPOS, XPOS and FEATS of another file; form and lemma are their own.
 *
 * @param where the sentence in messages
 * @throws DataError when the other file does not have it, or has another sentence there
 */
export function withTagsOf(given: SentenceWords | undefined, words: Sentence, where: string): Sentence {
  if (given === undefined)
    throw new DataError(`${where}: expected the words of this sentence in --words, found none`);
  checkForms(given, words, where);
  return words.map(({ form, lemma = "" }, i) => {
    const { upos = "", xpos = "", feats = "" } = given.words[i]!;
    return { form, lemma, upos, xpos, feats };
  });
}
