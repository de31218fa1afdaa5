import { checkOptions, defineOptions, integer, joinOptions, type OptionsOf } from "@arcwise/core/options";
import { countSentence } from "./attachment.ts";
import { checkPair, requirePairs, type TreePair } from "./pairs.ts";
import { ratio, SCORING } from "./scoring.ts";

/** The errors of one sentence. */
export interface SentenceErrors {
  /** Index of its pair. */
  readonly index: number;
  /** Words scored. */
  readonly words: number;
  /** Words with a wrong head. */
  readonly wrongHeads: number;
  /** Words with a wrong head or label. */
  readonly wrongArcs: number;
  /** `1 - wrongArcs / words`. */
  readonly las: number;
}

const WORST_SENTENCES_OPTIONS = joinOptions(
  SCORING,
  defineOptions({ count: { check: integer(0), help: "number of sentences at most", default: 10 } }),
);

/**
 * Returns the sentences with the most wrong arcs, most first; those with equally many by LAS, lowest first, then
 * in their order. Sentences without errors are left out. O(words + sentences log sentences).
 *
 * @throws ArcwiseError `invalid-argument` when the trees of a pair do not fit its words or are not trees (several roots are
 * allowed); `unknown-option`, `invalid-option`
 */
export function worstSentences(
  pairs: readonly TreePair[],
  options?: OptionsOf<typeof WORST_SENTENCES_OPTIONS>,
): SentenceErrors[] {
  requirePairs(pairs, "worstSentences");
  const { count, ...scoring } = checkOptions(WORST_SENTENCES_OPTIONS, options, "worstSentences");
  const sentences = pairs.map((pair, index): SentenceErrors => {
    checkPair(pair, index);
    const { words, heads, arcs } = countSentence(pair, scoring);
    return { index, words, wrongHeads: words - heads, wrongArcs: words - arcs, las: ratio(arcs, words) };
  });
  return sentences
    .filter(({ wrongArcs }) => wrongArcs > 0)
    .sort((a, b) => b.wrongArcs - a.wrongArcs || a.las - b.las || a.index - b.index)
    .slice(0, count);
}
