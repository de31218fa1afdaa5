import { checkOptions, defineOptions, integer, joinOptions, type OptionsOf } from "@arcwise/core/options";
import { checkPair, requirePairs, type TreePair } from "./pairs.ts";
import { judge, ratio, SCORING } from "./scoring.ts";

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
    const { scored, head, label } = judge(pair, scoring);
    let [words, wrongHeads, wrongArcs] = [0, 0, 0];
    for (let m = 1; m < scored.length; m++) {
      if (scored[m] === 0) continue;
      words++;
      wrongHeads += 1 - head[m]!;
      wrongArcs += 1 - (head[m]! & label[m]!);
    }
    return { index, words, wrongHeads, wrongArcs, las: ratio(words - wrongArcs, words) };
  });
  return sentences
    .filter(({ wrongArcs }) => wrongArcs > 0)
    .sort((a, b) => b.wrongArcs - a.wrongArcs || a.las - b.las || a.index - b.index)
    .slice(0, count);
}
