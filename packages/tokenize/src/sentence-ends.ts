/** How tokens are cut into sentences. */
export interface SentenceCuts {
  /** A sentence ends after a token that ends one with more than this probability. */
  readonly threshold: number;
  /** Maximum number of tokens of a sentence. */
  readonly maxTokens: number;
}

/**
 * Returns the ends of sentences. A sentence that would be longer than `maxTokens` is cut at the most probable
 * end in the second half of the tokens that it may have. O(tokens).
 *
 * @param ends probability of each token that it ends a sentence; the last one does in any case
 * @returns indices after the last tokens of the sentences, ascending
 */
export function sentenceEnds(ends: Float64Array, { threshold, maxTokens }: SentenceCuts): number[] {
  const sentences: number[] = [];
  let first = 0;
  for (let t = 0; t < ends.length; t++) {
    if (t + 1 === ends.length || ends[t]! > threshold) {
      sentences.push(t + 1);
      first = t + 1;
    } else if (t + 1 - first === maxTokens) {
      first = mostProbable(ends, first + Math.floor(maxTokens / 2), t) + 1;
      sentences.push(first);
      t = first - 1;
    }
  }
  return sentences;
}

/** Returns the index of the largest of the entries `from` to `to`, the last one among equals. */
function mostProbable(values: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from; i <= to; i++) if (values[i]! >= values[best]!) best = i;
  return best;
}
