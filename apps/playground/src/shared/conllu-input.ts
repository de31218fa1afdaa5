import { type ConlluSentence, parseConllu } from "@arcwise/conllu";

/** Returns the sentences of CoNLL-U that may lack its last blank line. */
export function conlluSentences(text: string): readonly ConlluSentence[] {
  return parseConllu(`${text.trimEnd()}\n\n`);
}
