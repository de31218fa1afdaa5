import type { Columns, ConlluSentence, Row, WordRow } from "@arcwise/conllu";
import { checkArgument, integer, list, shaped, string } from "@arcwise/core/options";
import type { Token, TokenizedSentence } from "./tokenizer.ts";

const SENTENCE = shaped<TokenizedSentence>("a sentence of tokens", {
  tokens: list(shaped<Token>("a token", { form: string, words: list(string) })),
});

/**
 * Returns a sentence in CoNLL-U: forms, ranges of multiword tokens, `SpaceAfter=No` and `TokenRange` in MISC;
 * `# newpar`, `# sent_id` and `# text` as comments. Other columns are `_`. O(tokens).
 *
 * @param id the number of the sentence
 */
export function tokenizedSentence(sentence: TokenizedSentence, id: number): ConlluSentence {
  checkArgument(SENTENCE, sentence, "tokenizedSentence: sentence");
  checkArgument(integer(0), id, "tokenizedSentence: id");
  const { tokens, startsParagraph, start } = sentence;
  const rows: Row[] = [];
  let text = "";
  let words = 0;
  for (let t = 0; t < tokens.length; t++) {
    const token = tokens[t]!;
    const misc = miscOf(token);
    text += token.form + (token.spaceAfter && t + 1 < tokens.length ? " " : "");
    if (token.words.length === 0) {
      rows.push(wordRow(++words, token.form, misc));
      continue;
    }
    const [first, last] = [words + 1, words + token.words.length];
    rows.push({ kind: "range", first, last, ...columns(token.form, misc) });
    for (const form of token.words) rows.push(wordRow(++words, form, "_"));
  }
  const comments = [`# sent_id = ${id}`, `# text = ${text}`];
  return { comments: startsParagraph ? ["# newpar", ...comments] : comments, rows, line: 0, start };
}

function miscOf({ spaceAfter, start, end }: Token): string {
  const range = `TokenRange=${start}:${end}`;
  return spaceAfter ? range : `SpaceAfter=No|${range}`;
}

function wordRow(id: number, form: string, misc: string): WordRow {
  // Written out: a row is made for each word of a text.
  return {
    kind: "word",
    id,
    head: -1,
    form,
    lemma: "_",
    upos: "_",
    xpos: "_",
    feats: "_",
    deprel: "_",
    deps: "_",
    misc,
  };
}

function columns(form: string, misc: string): Columns {
  return { form, lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc };
}
