import { checkPair, requirePairs, type TreePair } from "./pairs.ts";
import { judge, ratio, type ScoringOptions } from "./scoring.ts";

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

/** Options of `worstSentences`. */
export interface WorstSentencesOptions extends ScoringOptions {
  /** Number of sentences at most; 10 by default. */
  readonly count?: number | undefined;
}

/**
 * Returns the sentences with the most wrong arcs, most first; those with equally many by LAS, lowest first, then
 * in their order. Sentences without errors are left out. O(words + sentences log sentences).
 *
 * @throws RangeError when the heads of a pair do not fit its words or do not form trees (several roots are allowed)
 */
export function worstSentences(
  pairs: readonly TreePair[],
  { count = 10, ...options }: WorstSentencesOptions = {},
): SentenceErrors[] {
  requirePairs(pairs, "worstSentences");
  const sentences = pairs.map((pair, index): SentenceErrors => {
    checkPair(pair, index);
    const { scored, head, label } = judge(pair, options);
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
