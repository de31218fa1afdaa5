import { type ConlluSentence, type Row, sentenceCheck } from "@arcwise/conllu";
import type { Word } from "@arcwise/core";
import { type Check, checkArgument, refuse, satisfying, word } from "@arcwise/core/options";
import { type TokenizedSentence, tokenizedSentence } from "@arcwise/tokenize";

/** Number of sentences that the parser reads together. */
export const BATCH = 64;

/** UTF-16 code units of a text that a pipeline elsewhere cuts and analyses by one request: about one batch. */
export const SHORT_TEXT = 4096;

/**
 * A sentence of given words: forms, words with columns, or a sentence of CoNLL-U, such as a view.
 *
 * @example
 * const inputs: SentenceInput[] = [["Dogs", "bark"], [{ form: "Cats", upos: "NOUN" }, { form: "sleep" }]];
 * const sentences = nlp.annotate(inputs);
 */
export type SentenceInput = readonly (string | Word)[] | ConlluSentence;

/** Returns a sentence in CoNLL-U. @param index of the sentence among the sentences of the call */
export function sentenceOf(input: SentenceInput, index: number): ConlluSentence {
  const where = `sentence ${index + 1}`;
  if (isObject(input) && "rows" in input) {
    checkArgument(sentenceCheck, input, where);
    return input;
  }
  checkArgument(isWords, input, where);
  const words = input.map((word): Word => (typeof word === "string" ? { form: word } : word));
  const rows = words.map(
    ({ form, lemma, upos, xpos, feats }, i): Row => ({
      kind: "word",
      id: i + 1,
      form,
      lemma: lemma || "_",
      upos: upos || "_",
      xpos: xpos || "_",
      feats: feats || "_",
      head: -1,
      deprel: "_",
      deps: "_",
      misc: "_",
    }),
  );
  const text = words.map(({ form }) => form).join(" ");
  return { comments: [`# sent_id = ${index + 1}`, `# text = ${text}`], rows, line: 0 };
}

/** Returns a sentence that a tokeniser found. @param index of the sentence in its text */
export function tokenized(sentence: TokenizedSentence, index: number): ConlluSentence {
  return tokenizedSentence(sentence, index + 1);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isString = (value: unknown) => typeof value === "string";

/** Accepts the input of `run`. */
export const isTextToRun = satisfying("a text (lists of words go to annotate)", isString);
const areSentences = (value: unknown) =>
  isObject(value) && Symbol.iterator in value && !(value instanceof Uint8Array);
export const isIterable = satisfying("sentences", areSentences);
/** Accepts the input of `read`. */
export const isReadable = satisfying(
  "a text or sentences",
  (value) => isString(value) || areSentences(value),
);
export const isStreamable = satisfying(
  "chunks of text, or sentences",
  (value) =>
    isObject(value) &&
    !(value instanceof Uint8Array) &&
    (Symbol.asyncIterator in value || Symbol.iterator in value),
);
const isWords: Check = (value, at) => {
  if (!Array.isArray(value)) refuse(at, "words, or a sentence of CoNLL-U", value);
  for (let i = 0; i < value.length; i++)
    if (typeof value[i] !== "string") word(value[i], `${at === "" ? "word" : at}[${i}]`);
};
