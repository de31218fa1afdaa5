/** F1 of spans in percent, by their ends: a span begins where the one before it ends. O(spans). */
export function spanScore(gold: ArrayLike<number>, found: ArrayLike<number>): number {
  let [g, f, goldStart, foundStart, right] = [0, 0, 0, 0, 0];
  while (g < gold.length && f < found.length) {
    const [goldEnd, foundEnd] = [gold[g]!, found[f]!];
    if (goldEnd === foundEnd && goldStart === foundStart) right++;
    if (goldEnd <= foundEnd) {
      goldStart = goldEnd;
      g++;
    }
    if (foundEnd <= goldEnd) {
      foundStart = foundEnd;
      f++;
    }
  }
  const all = gold.length + found.length;
  return all === 0 ? 100 : (200 * right) / all;
}

/** A token with its words, as one string a word: equal strings are equal words of equal tokens. */
export interface WordToken {
  readonly from: number;
  readonly end: number;
  /** Words of a multiword token; empty for a single word. */
  readonly words: readonly string[];
}

/**
 * F1 of words in percent: the words of equal tokens are right if their forms agree, ignoring case.
 * O(words).
 */
export function wordScore(gold: readonly WordToken[], found: readonly WordToken[]): number {
  const count = (tokens: readonly WordToken[]) =>
    tokens.reduce((sum, { words }) => sum + Math.max(1, words.length), 0);
  const byStart = new Map(gold.map((token) => [token.from, token]));
  let right = 0;
  for (const token of found) {
    const other = byStart.get(token.from);
    if (other?.end === token.end) right += sharedWords(other.words, token.words);
  }
  const all = count(gold) + count(found);
  return all === 0 ? 100 : (200 * right) / all;
}

function sharedWords(gold: readonly string[], found: readonly string[]): number {
  if (gold.length === 0 && found.length === 0) return 1;
  return gold.filter((word, w) => word.toLowerCase() === found[w]?.toLowerCase()).length;
}
