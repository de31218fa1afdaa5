import { type ConlluSentence, parseConllu } from "@arcwise/conllu";
import type { RemotePipeline } from "@arcwise/pipeline";
import { plainSentence } from "../shared/sentences.ts";

/** What a text is: plain text, or sentences in CoNLL-U. */
export type InputKind = "text" | "conllu";

const ROW = /^\d+(?:[-.]\d+)?\t[^\t\n]*\t/m;

/** Returns what a text is, by its first lines. */
export function inputKind(text: string): InputKind {
  return ROW.test(text.slice(0, 4096)) ? "conllu" : "text";
}

/**
 * Returns the sentences of a text with their trees: plain text is parsed; CoNLL-U keeps the trees that it has.
 *
 * @throws ConlluError with the line, when rows are not CoNLL-U; what `run` throws
 */
export async function sentencesOf(
  text: string,
  nlp: RemotePipeline,
  signal: AbortSignal,
): Promise<readonly ConlluSentence[]> {
  if (inputKind(text) === "conllu") return parseConllu(text.endsWith("\n") ? text : `${text}\n`);
  return (await nlp.run(text, { signal })).map(plainSentence);
}
