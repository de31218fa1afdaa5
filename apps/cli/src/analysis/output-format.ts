import { type ConlluSentence, type SentenceView, viewSentence, writeSentence } from "@arcwise/conllu";

/** Formats of parsed sentences: CoNLL-U, a JSON object per line, the data of displaCy (an object per line). */
export const OUTPUT_FORMATS = ["conllu", "json", "displacy"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Writes one sentence. */
type Write = (sentence: ConlluSentence) => string;

const WRITERS: Readonly<Record<OutputFormat, Write>> = {
  conllu: writeSentence,
  json: (sentence) => `${JSON.stringify(viewSentence(sentence))}\n`,
  displacy: (sentence) => `${JSON.stringify(displacyData(viewSentence(sentence)))}\n`,
};

/** Returns what writes a sentence in a format. */
export function formatter(format: OutputFormat): Write {
  return WRITERS[format];
}

/** What `displacy.render(..., manual=True)` of spaCy draws: words, and arcs from left to right. */
function displacyData({ words }: SentenceView): object {
  const arcs = words.flatMap(({ id, head, deprel }) => {
    if (head === undefined) return [];
    const [start, end] = id < head.id ? [id - 1, head.id - 1] : [head.id - 1, id - 1];
    return [{ start, end, label: deprel ?? "_", dir: id < head.id ? "left" : "right" }];
  });
  return { words: words.map(({ form, upos }) => ({ text: form, tag: upos ?? "_" })), arcs };
}
