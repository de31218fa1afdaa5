import { paragraphsOf, sequencesOf } from "../analysis.ts";
import { glyphKeys, tokenKeys } from "../features.ts";
import type { FeatureKeys } from "../network/feature-index.ts";
import type { Span } from "../network/windows.ts";
import { LABEL_KINDS } from "../text/token-labels.ts";
import type { TreebankGlyphs } from "../text/treebank-glyphs.ts";

/** Positions of the text of a treebank with the classes that a network learns. */
export interface LabelledPositions {
  readonly keys: FeatureKeys;
  /** Class of each position, -1 for those that do not count. */
  readonly targets: Int32Array;
  /** Auxiliary labels of each kind, one for each position. */
  readonly labels: readonly (readonly string[])[];
  readonly sequences: readonly Span[];
}

/** Characters: 1 where a token ends. The last one of a paragraph does not count, since a token ends there. */
export function glyphPositions({ glyphs, tokens }: TreebankGlyphs): LabelledPositions {
  const targets = new Int32Array(glyphs.length);
  for (let t = 1; t < tokens.length; t++) targets[tokens[t]! - 1] = 1;
  const sequences = paragraphsOf(glyphs);
  for (const { end } of sequences) targets[end - 1] = -1;
  return { keys: glyphKeys(glyphs), targets, labels: [], sequences };
}

/** Tokens: 1 where a sentence ends, and 2 more for a multiword token. */
export function tokenPositions({
  glyphs,
  tokens,
  sentenceEnd,
  words,
  labels,
}: TreebankGlyphs): LabelledPositions {
  const ends = tokens.subarray(1);
  const targets = Int32Array.from(sentenceEnd, (isEnd, t) => isEnd + (words[t]!.length > 0 ? 2 : 0));
  return {
    keys: tokenKeys(glyphs, ends),
    targets,
    labels: Array.from({ length: LABEL_KINDS }, (_, k) => labels.map((own) => own[k]!)),
    sequences: sequencesOf(paragraphsOf(glyphs), ends),
  };
}
