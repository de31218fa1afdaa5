import type { ConlluSentence } from "@arcwise/conllu";
import { type TokenizedSentence, tokenizedSentence } from "@arcwise/tokenize";

/** A word of a request: its form, or its columns. */
type GivenWord = string | Readonly<Record<string, string>>;

const EMPTY = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };

/** Returns the sentence of given words. @param index of the sentence in the request */
export function wordSentence(words: readonly GivenWord[], index: number): ConlluSentence {
  const columns = words.map((word) => (typeof word === "string" ? { form: word } : word));
  const text = columns.map(({ form }) => form).join(" ");
  return {
    comments: [`# sent_id = ${index + 1}`, `# text = ${text}`],
    rows: columns.map((word, i) => ({
      ...({ kind: "word", id: i + 1, form: word.form!, head: -1 } as const),
      ...EMPTY,
      ...word,
    })),
    line: 0,
  };
}

/** Returns the sentences of the JSON of given words. @param from index of the first one */
export function wordSentences(json: string, from: number): ConlluSentence[] {
  return (JSON.parse(json) as GivenWord[][]).map((words, k) => wordSentence(words, from + k));
}

/** Returns the sentences of the JSON of a text that was cut. */
export function cutSentences(json: string, from: number): ConlluSentence[] {
  return (JSON.parse(json) as TokenizedSentence[]).map((one, k) => tokenizedSentence(one, from + k + 1));
}
