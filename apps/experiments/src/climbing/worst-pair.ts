import type { ParsingProblem, Random } from "@arcwise/core";
import {
  correctable,
  drawPairs,
  drawTrees,
  gainOf,
  isBelow,
  type Pair,
  rootsOf,
  type TreeSource,
} from "./condition-pairs.ts";

/** Where pairs come from: drawn trees with a word drawn of each, or a search for the least gain. */
export type PairSource = TreeSource | "search";

/** Returns pairs of a source. */
export function pairsOf(
  problem: ParsingProblem,
  gold: Int32Array,
  source: PairSource,
  stream: Random,
): Pair[] {
  return source === "search" ? searchPairs(problem, gold, stream) : drawPairs(problem, gold, source, stream);
}

/** Starts of the search: random trees. */
const STARTS = 2;
/** Passes over the words of a tree. */
const ROUNDS = 4;
/** Gains that differ less are equal. */
const CLOSE = 1e-9;

/**
 * Searches for pairs of a tree and its correction with the least gain, by hill climbing from random trees: in
 * random order each word takes the head that lowers the gain of the pair most, as long as the correction is a
 * tree; after each round the word of the least gain in the tree is the corrected one. A search ends after a round
 * that changes nothing. The gains found are upper bounds of the least gain of all pairs.
 *
 * O(arcs) scores of trees per round.
 */
export function searchPairs(problem: ParsingProblem, gold: Int32Array, stream: Random): Pair[] {
  const pairs: Pair[] = [];
  for (const start of drawTrees(problem, "random", stream).slice(0, STARTS)) {
    let pair = worstWord(problem, gold, start);
    for (let round = 0; pair !== undefined && round < ROUNDS; round++) {
      const lower: Pair | undefined = worstWord(problem, gold, climb(problem, gold, pair, stream).heads);
      if (lower === undefined || lower.gain >= pair.gain - CLOSE) break;
      pair = lower;
    }
    if (pair !== undefined) pairs.push(pair);
  }
  return pairs;
}

/** Returns the pair of a tree and its correction with the least gain; undefined without a correction. */
function worstWord(problem: ParsingProblem, gold: Int32Array, heads: Int32Array): Pair | undefined {
  let worst: Pair | undefined;
  for (const word of correctable(problem, heads, gold)) {
    const gain = gainOf(problem, heads, word, gold[word]!);
    if (worst === undefined || gain < worst.gain) worst = { heads, word, gain };
  }
  return worst;
}

/** One round over all words: returns the pair of the same word after changes of heads that lower the gain. */
function climb(problem: ParsingProblem, gold: Int32Array, { heads, word, gain }: Pair, stream: Random): Pair {
  const { arcs } = problem;
  const head = gold[word]!;
  const tree = heads.slice();
  let least = gain;
  const order = stream.shuffle(Array.from({ length: arcs.n }, (_, i) => i + 1));
  for (const m of order) {
    let best = tree[m]!;
    const before = tree[m]!;
    for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
      const h = arcs.head[a]!;
      if (h === before || (m === word && h === head) || isBelow(tree, h, m)) continue;
      tree[m] = h;
      const roots = rootsOf(tree);
      const corrected = head === 0 ? roots + 1 : roots;
      if (corrected <= 2 && roots <= 2 && !isBelow(tree, head, word)) {
        const lower = gainOf(problem, tree, word, head);
        if (lower < least - CLOSE) [least, best] = [lower, h];
      }
      tree[m] = before;
    }
    tree[m] = best;
  }
  return { heads: tree, word, gain: least };
}
