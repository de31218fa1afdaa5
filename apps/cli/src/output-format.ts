import { readConllu, type SentenceView } from "@arcwise/conllu";

/** Formats of parsed sentences: CoNLL-U, a JSON object per line, the data of displaCy (an object per line). */
export const OUTPUT_FORMATS = ["conllu", "json", "displacy"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Converts sentences in CoNLL-U to a format: the bytes of a block to those of its lines. */
export function formatter(format: OutputFormat): (bytes: Uint8Array) => Uint8Array | string {
  if (format === "conllu") return (bytes) => bytes;
  return (bytes) => {
    let lines = "";
    for (const sentence of readConllu(bytes))
      lines += `${JSON.stringify(format === "json" ? sentence : displacyData(sentence))}\n`;
    return lines;
  };
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
