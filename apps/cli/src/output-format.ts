import {
  type ConlluSentence,
  parseConllu,
  type Row,
  sentenceId,
  sentenceText,
  type WordRow,
} from "@arcwise/conllu";

/** Formats of parsed sentences: CoNLL-U, a JSON object a line, the data of displaCy (an object a line). */
export const OUTPUT_FORMATS = ["conllu", "json", "displacy"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Converts sentences in CoNLL-U to a format: the bytes of a block to those of its lines. */
export function formatter(format: OutputFormat): (bytes: Uint8Array) => Uint8Array | string {
  if (format === "conllu") return (bytes) => bytes;
  const convert = format === "json" ? sentenceJson : displacyData;
  return (bytes) =>
    parseConllu(new TextDecoder().decode(bytes))
      .map((sentence) => `${JSON.stringify(convert(sentence))}\n`)
      .join("");
}

/** A sentence as plain data: `tokens` of the text, and `words` with their columns; `_` is left out. */
function sentenceJson(sentence: ConlluSentence): object {
  return {
    id: sentenceId(sentence),
    text: sentenceText(sentence),
    tokens: tokensOf(sentence.rows),
    words: wordsOf(sentence).map(({ id, form, lemma, upos, xpos, feats, head, deprel }) => ({
      id,
      form,
      ...present({ lemma, upos, xpos, feats, deprel }),
      ...(head >= 0 && { head }),
    })),
  };
}

function wordsOf({ rows }: ConlluSentence): WordRow[] {
  return rows.filter((row): row is WordRow => row.kind === "word");
}

function present(columns: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== "_"));
}

/** Tokens with the IDs of their words, offsets, and whether no space follows. */
function tokensOf(rows: readonly Row[]): object[] {
  const tokens: object[] = [];
  let covered = 0;
  for (const row of rows) {
    if (row.kind === "empty" || (row.kind === "word" && row.id <= covered)) continue;
    const [first, last] = row.kind === "word" ? [row.id, row.id] : [row.first, row.last];
    covered = last;
    const range = /(?:^|\|)TokenRange=(\d+):(\d+)/.exec(row.misc);
    tokens.push({
      form: row.form,
      words: [first, last],
      ...(range && { start: Number(range[1]), end: Number(range[2]) }),
      spaceAfter: !/(?:^|\|)SpaceAfter=No(?:\||$)/.test(row.misc),
    });
  }
  return tokens;
}

/** What `displacy.render(..., manual=True)` of spaCy draws: words, and arcs from left to right. */
function displacyData(sentence: ConlluSentence): object {
  const words = wordsOf(sentence);
  const arcs = words.flatMap(({ id, head, deprel }) => {
    if (head <= 0) return [];
    const [start, end] = id < head ? [id - 1, head - 1] : [head - 1, id - 1];
    return [{ start, end, label: deprel, dir: id < head ? "left" : "right" }];
  });
  return { words: words.map(({ form, upos }) => ({ text: form, tag: upos })), arcs };
}
