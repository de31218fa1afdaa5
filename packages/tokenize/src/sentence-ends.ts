/** How tokens are cut into sentences. */
export interface SentenceCuts {
  /** The cost of a sentence, as a probability: a larger cost gives fewer sentences. */
  readonly cost: number;
  /** Maximum number of tokens of a sentence. */
  readonly maxTokens: number;
}

/** Sentences that are less probable than this have no part in the sum. */
const MIN_PROBABILITY = 1e-4;

/**
 * Returns the ends of the sentences whose probabilities, less the cost of each, have the highest sum. The
 * probability of a sentence is that both of its ends are, and that no other one is between them. With half of
 * F1 as the cost, it is the expected F1 of sentences that is maximised (Lewis 1995).
 *
 * A sentence that would be longer than `maxTokens` is cut at the most probable end in the second half of the
 * tokens that it may have. O(tokens · length of sentences).
 *
 * @param ends probability of each token that it ends a sentence; the last one does in any case
 * @returns indices after the last tokens of the sentences, ascending
 */
export function sentenceEnds(ends: Float64Array, { cost, maxTokens }: SentenceCuts): number[] {
  const before = bestStarts(ends, cost, maxTokens);
  const cuts: number[] = [];
  for (let end = ends.length; end > 0; end = before[end]!) cuts.push(end);
  const sentences: number[] = [];
  let first = 0;
  for (const end of cuts.reverse()) {
    while (end - first > maxTokens) {
      first = mostProbable(ends, first + Math.floor(maxTokens / 2), first + maxTokens - 1) + 1;
      sentences.push(first);
    }
    sentences.push(end);
    first = end;
  }
  return sentences;
}

/** Returns, for each number of tokens, the start of the last one of their best sentences. */
function bestStarts(ends: Float64Array, cost: number, maxTokens: number): Int32Array {
  const before = new Int32Array(ends.length + 1);
  const sums = new Float64Array(ends.length + 1);
  // The best start of a sentence of any length, whose probability is not counted.
  let best = 0;
  for (let end = 1; end <= ends.length; end++) {
    let highest = sums[best]!;
    before[end] = best;
    let probability = end === ends.length ? 1 : ends[end - 1]!;
    const limit = Math.max(0, end - maxTokens);
    for (let start = end - 1; start >= limit && probability > MIN_PROBABILITY; start--) {
      const own = start === 0 ? 1 : ends[start - 1]!;
      const sum = sums[start]! + probability * own;
      if (sum > highest) {
        highest = sum;
        before[end] = start;
      }
      probability *= 1 - own;
    }
    sums[end] = highest - cost;
    if (sums[end]! > sums[best]!) best = end;
  }
  return before;
}

/** Returns the index of the largest of the entries `from` to `to`, the last one among equals. */
function mostProbable(values: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from; i <= to; i++) if (values[i]! >= values[best]!) best = i;
  return best;
}
