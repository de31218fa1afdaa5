import { type ConlluSentence, rawText } from "@arcwise/conllu";
import { CharacterReader, type Characters, countPoints } from "./character-reader.ts";
import { misspeltTokens, tokenLabels } from "./token-labels.ts";

/** The text of a treebank with its tokens. */
export interface TreebankText {
  readonly characters: Characters;
  /** Token t is the characters `tokens[t]` to before `tokens[t + 1]`. */
  readonly tokens: Int32Array;
  /** 1 for the last token of a sentence. */
  readonly sentenceEnd: Uint8Array;
  /**
   * Words of each multiword token; empty lists for others, and for a typing error that is written like a more
   * frequent right word: *its* for *it's* does not say how that word is cut.
   */
  readonly words: readonly (readonly string[])[];
  /** Labels of each token, as `tokenLabels` returns them. */
  readonly labels: readonly (readonly string[])[];
}

/** Reads the text of sentences, as `rawText` joins them. Tokens without characters of their own are
 * left out: tokens of spaces alone, and the rest of a grapheme cluster that a treebank cuts. O(length). */
export function treebankText(sentences: readonly ConlluSentence[]): TreebankText {
  const raw = rawText(sentences);
  const characters = new CharacterReader();
  characters.push(raw.text);
  characters.end();
  const tokens = [0];
  const sentenceEnd: number[] = [];
  const words: (readonly string[])[] = [];
  const labels: (readonly string[])[] = [];
  const misspelt: boolean[] = [];
  /** How often each form in lower case is a right word, less how often it is an error that is cut into words. */
  const surplus = new Map<string, number>();
  const forms: string[] = [];
  let [position, offset, next] = [0, 0, 0];
  for (const [s, sentence] of raw.sentences.entries()) {
    const own = tokenLabels(sentences[s]!);
    const errors = misspeltTokens(sentences[s]!);
    for (const [t, { start, end, words: parts }] of sentence.entries()) {
      offset += countPoints(raw.text.slice(position, end));
      position = end;
      while (next < characters.length && characters.offset[next]! < offset) next++;
      if (next === tokens.at(-1)!) continue;
      tokens.push(next);
      sentenceEnd.push(0);
      words.push(parts);
      labels.push(own[t]!);
      const isCut = parts.length > 0;
      misspelt.push(errors[t]! && isCut);
      const form = raw.text.slice(start, end).toLowerCase();
      forms.push(form);
      if (errors[t] === isCut) surplus.set(form, (surplus.get(form) ?? 0) + (isCut ? -1 : 1));
    }
    if (sentenceEnd.length > 0) sentenceEnd[sentenceEnd.length - 1] = 1;
  }
  return {
    characters,
    tokens: Int32Array.from(tokens),
    sentenceEnd: Uint8Array.from(sentenceEnd),
    words: words.map((own, t) => (misspelt[t] && surplus.get(forms[t]!)! > 0 ? [] : own)),
    labels,
  };
}
