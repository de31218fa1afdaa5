import { type ConlluSentence, rawText } from "@arcwise/conllu";
import { isSpace } from "./characters.ts";
import { GlyphReader, type Glyphs } from "./glyphs.ts";
import { tokenLabels } from "./token-labels.ts";

/** The text of a treebank with its tokens. */
export interface TreebankGlyphs {
  readonly glyphs: Glyphs;
  /** Token t is the characters `tokens[t]` to before `tokens[t + 1]`. */
  readonly tokens: Int32Array;
  /** 1 for the last token of a sentence. */
  readonly sentenceEnd: Uint8Array;
  /** Words of each multiword token; empty lists for others. */
  readonly words: readonly (readonly string[])[];
  /** Labels of each token, as `tokenLabels` returns them. */
  readonly labels: readonly (readonly string[])[];
}

/** Reads the text of sentences, as `rawText` joins them. Tokens of spaces alone are left out. O(length). */
export function treebankGlyphs(sentences: readonly ConlluSentence[]): TreebankGlyphs {
  const raw = rawText(sentences);
  const glyphs = new GlyphReader();
  glyphs.push(raw.text);
  glyphs.end();
  const tokens = [0];
  const sentenceEnd: number[] = [];
  const words: (readonly string[])[] = [];
  const labels: (readonly string[])[] = [];
  for (const [s, sentence] of raw.sentences.entries()) {
    const own = tokenLabels(sentences[s]!);
    for (const [t, { start, end, words: parts }] of sentence.entries()) {
      const length = countGlyphs(raw.text.slice(start, end));
      if (length === 0) continue;
      tokens.push(tokens.at(-1)! + length);
      sentenceEnd.push(0);
      words.push(parts);
      labels.push(own[t]!);
    }
    if (sentenceEnd.length > 0) sentenceEnd[sentenceEnd.length - 1] = 1;
  }
  return {
    glyphs,
    tokens: Int32Array.from(tokens),
    sentenceEnd: Uint8Array.from(sentenceEnd),
    words,
    labels,
  };
}

function countGlyphs(form: string): number {
  let count = 0;
  for (const character of form) if (!isSpace(character.codePointAt(0)!)) count++;
  return count;
}
