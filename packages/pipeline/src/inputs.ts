import type { ConlluSentence, Row } from "@arcwise/conllu";
import type { Word } from "@arcwise/core";
import { checkArgument, satisfying } from "@arcwise/core/options";
import { type TokenizedSentence, tokenizedSentence } from "@arcwise/tokenize";

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
  checkArgument(isSentence, input, `sentence ${index + 1}`);
  if ("rows" in input) return input;
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

export const isText = satisfying("a text", isString);
/** What `run` takes. */
export const isTextToRun = satisfying("a text (lists of words go to annotate)", isString);
export const isIterable = satisfying(
  "sentences",
  (value) => isObject(value) && Symbol.iterator in value && !(value instanceof Uint8Array),
);
export const isStreamable = satisfying(
  "chunks of text, or sentences",
  (value) =>
    isObject(value) &&
    !(value instanceof Uint8Array) &&
    (Symbol.asyncIterator in value || Symbol.iterator in value),
);
const isSentence = satisfying(
  "words, or a sentence of CoNLL-U",
  (value) => Array.isArray(value) || (isObject(value) && "rows" in value),
);
