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
export interface SentenceWriter<Sentence = ConlluSentence> {
  /** The text before the first sentence. */
  readonly start?: string | undefined;
  sentence(sentence: Sentence): string;
  /** Returns the text after the last sentence. */
  end?(): string;
}
