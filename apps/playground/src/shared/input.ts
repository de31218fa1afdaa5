import type { ConlluSentence } from "@arcwise/conllu";
import type { RemotePipeline } from "@arcwise/pipeline";
import { hasTree, plainSentence } from "./sentences.ts";

/** What a text is: plain text; words between spaces, one sentence per line; or sentences in CoNLL-U. */
export const INPUT_KINDS = ["text", "words", "conllu"] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** A row with an ID and a form. */
const ROW = /^\d+(?:[-.]\d+)?\t[^\t\n]+\t/m;
/** Characters that are looked at. */
const LOOKED_AT = 4096;

/** Returns what a text is, by its first lines. Words cannot be told from text. */
export function inputKind(text: string): InputKind {
  return ROW.test(text.slice(0, LOOKED_AT)) ? "conllu" : "text";
}

/** How sentences are made of a text. */
export interface InputOptions {
  readonly kind: InputKind | "auto";
  /** Whether each line of a text is a sentence; undefined: the tokeniser recognises such lines. */
  readonly lines?: boolean | undefined;
  /** Called if the model does not know most words of a text. */
  readonly onMostlyUnknown?: (() => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the sentences of a text with their trees. Trees of CoNLL-U are kept; sentences without a tree are parsed.
 */
export async function sentencesOf(
  text: string,
  nlp: Omit<RemotePipeline, "stream">,
  { kind: given, ...options }: InputOptions,
): Promise<readonly ConlluSentence[]> {
  if (text.trim() === "") return [];
  const kind = given === "auto" ? inputKind(text) : given;
  if (kind === "text") return (await nlp.run(text, options)).map(plainSentence);
  if (kind === "words") return (await nlp.annotate(wordLists(text), options)).map(plainSentence);
  const { conlluSentences } = await import("./conllu-input.ts");
  const sentences = conlluSentences(text);
  if (sentences.every(hasTree)) return sentences;
  return Promise.all(sentences.map((one) => (hasTree(one) ? one : parsed(one, nlp, options.signal))));
}

/** Returns the words of each line that is not empty. */
export function wordLists(text: string): string[][] {
  return text
    .split("\n")
    .map((line) => line.split(/\s+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0);
}

/** Parses a sentence of given words, with their tags if it has tags. */
async function parsed(
  sentence: ConlluSentence,
  nlp: Omit<RemotePipeline, "stream">,
  signal: AbortSignal | undefined,
): Promise<ConlluSentence> {
  const isTagged = sentence.rows.every(({ kind, upos }) => kind !== "word" || upos !== "_");
  const tags = isTagged ? "given" : "predicted";
  return plainSentence((await nlp.annotate([sentence], { signal, tags }))[0]!);
}
