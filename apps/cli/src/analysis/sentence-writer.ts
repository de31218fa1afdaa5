import type { ConlluSentence } from "@arcwise/conllu";
import type { Layout } from "@arcwise/draw";

/** How sentences are drawn. */
export interface DrawingOptions {
  /** The graph to draw: of HEAD and DEPREL, or of DEPS. By default DEPS only of sentences without any HEAD. */
  readonly graph?: "basic" | "enhanced" | undefined;
  /** Arcs above the words by default, or words below their heads: in SVG and on pages. */
  readonly layout?: Layout["kind"] | undefined;
  /** Whether trees in characters are coloured by the escape sequences of terminals. */
  readonly hasColour: boolean;
  /** The title of a page. */
  readonly title?: string | undefined;
}

/** Writes the sentences of one output, or what was found in them, in their order, each once. */
export interface SentenceWriter<Sentence = ConlluSentence, Text = string> {
  /** The text before the first sentence. */
  readonly start?: string | undefined;
  sentence(sentence: Sentence): Text;
  /** Returns the text after the last sentence. */
  end?(): string;
}

/** Texts around and between the values of a file: a list that is valid JSON, a value per line; or lines alone. */
const LAYOUTS = {
  json: { start: "[", before: ["\n", ",\n"], after: "", end: "\n]\n" },
  jsonl: { start: "", before: ["", ""], after: "\n", end: "" },
} as const;

/**
 * Returns a writer of one list in JSON, or of a line of JSON for each value.
 *
 * @param valuesOf returns the values of a sentence
 */
export function jsonWriter<Sentence>(
  format: keyof typeof LAYOUTS,
  valuesOf: (sentence: Sentence) => readonly unknown[],
): SentenceWriter<Sentence> {
  const { start, before, after, end } = LAYOUTS[format];
  let count = 0;
  const textOf = (value: unknown) => `${before[count++ === 0 ? 0 : 1]}${JSON.stringify(value)}${after}`;
  return { start, sentence: (sentence) => valuesOf(sentence).map(textOf).join(""), end: () => end };
}
