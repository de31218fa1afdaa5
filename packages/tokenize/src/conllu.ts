import type { Columns, ConlluSentence, Row } from "@arcwise/conllu";
import type { Token, TokenizedSentence } from "./tokenizer.ts";

/**
 * Returns a sentence in CoNLL-U: forms, ranges of multiword tokens, `SpaceAfter=No` and `TokenRange` in MISC;
 * `# newpar`, `# sent_id` and `# text` as comments. Other columns are `_`. O(tokens).
 *
 * @param id the number of the sentence
 */
export function tokenizedSentence(
  { tokens, startsParagraph, start }: TokenizedSentence,
  id: number,
): ConlluSentence {
  const rows: Row[] = [];
  let text = "";
  let words = 0;
  for (const [t, token] of tokens.entries()) {
    const misc = miscOf(token);
    text += token.form + (token.spaceAfter && t + 1 < tokens.length ? " " : "");
    if (token.words.length === 0) {
      rows.push({ kind: "word", id: ++words, head: -1, ...columns(token.form, misc) });
      continue;
    }
    const [first, last] = [words + 1, words + token.words.length];
    rows.push({ kind: "range", first, last, ...columns(token.form, misc) });
    for (const form of token.words) rows.push({ kind: "word", id: ++words, head: -1, ...columns(form, "_") });
  }
  const comments = [`# sent_id = ${id}`, `# text = ${text}`];
  return { comments: startsParagraph ? ["# newpar", ...comments] : comments, rows, line: 0, start };
}

function miscOf({ spaceAfter, start, end }: Token): string {
  const range = `TokenRange=${start}:${end}`;
  return spaceAfter ? range : `SpaceAfter=No|${range}`;
}

function columns(form: string, misc: string): Columns {
  return { form, lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc };
}
