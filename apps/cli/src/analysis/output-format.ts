import { type SentenceView, viewSentence, writeSentence } from "@arcwise/conllu";
import type { DrawingOptions, SentenceWriter } from "./sentence-writer.ts";

/**
 * Formats of parsed sentences: CoNLL-U; a JSON object per line, or the data of displaCy; trees in characters;
 * drawings as one SVG file or as a page.
 */
export const OUTPUT_FORMATS = ["conllu", "json", "tree", "svg", "html", "displacy"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What `--output-format` takes, for help. */
export const OUTPUT_FORMAT_HELP =
  "CoNLL-U; a line of JSON a sentence; trees in characters; drawings as SVG or as an HTML page; the data of " +
  "displaCy";

/** Returns a writer of a format. Drawings are loaded when they are asked for. */
export async function sentenceWriter(format: OutputFormat, drawing: DrawingOptions): Promise<SentenceWriter> {
  if (format === "conllu") return { sentence: writeSentence };
  if (format === "json") return { sentence: (sentence) => `${JSON.stringify(viewSentence(sentence))}\n` };
  if (format === "displacy") return { sentence: (sentence) => displacyLine(viewSentence(sentence)) };
  const { DRAWING_WRITERS } = await import("./drawing-writers.ts");
  return DRAWING_WRITERS[format](drawing);
}

/** What `displacy.render(..., manual=True)` of spaCy draws: words, and arcs from left to right. */
function displacyLine({ words }: SentenceView): string {
  const arcs = words.flatMap(({ id, head, deprel }) => {
    if (head === undefined) return [];
    const [start, end] = id < head.id ? [id - 1, head.id - 1] : [head.id - 1, id - 1];
    return [{ start, end, label: deprel ?? "_", dir: id < head.id ? "left" : "right" }];
  });
  return `${JSON.stringify({ words: words.map(({ form, upos }) => ({ text: form, tag: upos ?? "_" })), arcs })}\n`;
}
