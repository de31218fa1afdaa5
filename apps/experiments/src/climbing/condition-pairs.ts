import { arcIndex, type ParsingProblem, type Random, scoreTree } from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { mstDecoder } from "@arcwise/decode-mst";

/** Where drawn trees come from: those met on a climb from a random start, or random trees. */
export type TreeSource = "climbs" | "random";

/** A tree, and a wrong word of it whose correction is a tree. */
export interface Pair {
  readonly heads: Int32Array;
  /** The word that has its gold head in the correction. */
  readonly word: number;
  /** Score of the correction less the score of the tree. Condition (2) requires at least 1. */
  readonly gain: number;
}

/** Number of random trees drawn from a problem. */
const RANDOM_TREES = 8;

/**
 * Returns trees of a problem: all trees on one climb from a random start, or random ones, all alike
 * probable.
 */
export function drawTrees(problem: ParsingProblem, source: TreeSource, stream: Random): Int32Array[] {
  const trees: Int32Array[] = [];
  if (source === "climbs") {
    const seed = stream.int(2 ** 31);
    const onTree = (heads: Int32Array): unknown => trees.push(heads.slice());
    hillclimbDecoder({ start: "uniform", restarts: 1, seed, onTree }).decode(problem);
    return trees;
  }
  for (const heads of randomTrees(problem, stream)) {
    trees.push(heads);
    if (trees.length === RANDOM_TREES) return trees;
  }
  return trees;
}

/** Yields random trees over the candidate arcs, all alike probable. */
export function randomTrees({ arcs }: ParsingProblem, stream: Random): Iterable<Int32Array> {
  return mstDecoder().sample({ arcs, arcScores: new Float64Array(arcs.head.length), parts: [] }, stream);
}

/** Returns a tree with another head of one word. */
export function withHead(heads: Int32Array, word: number, head: number): Int32Array {
  const changed = heads.slice();
  changed[word] = head;
  return changed;
}

/** Whether position h is word m or below it. O(depth). */
export function isBelow(heads: Int32Array, h: number, m: number): boolean {
  for (let at = h; at > 0; at = heads[at]!) if (at === m) return true;
  return false;
}

/** Returns the number of root words of a tree. */
export function rootsOf(heads: Int32Array): number {
  return heads.reduce((count, head) => count + (head === 0 ? 1 : 0), 0);
}

/**
 * Returns the wrong words of a tree whose corrections are among the trees of condition (2): trees over the
 * candidate arcs with one or two root words.
 */
export function correctable({ arcs }: ParsingProblem, heads: Int32Array, gold: Int32Array): number[] {
  const words: number[] = [];
  const roots = rootsOf(heads);
  for (let m = 1; m <= arcs.n; m++) {
    const head = gold[m]!;
    if (heads[m] === head || isBelow(heads, head, m) || arcIndex(arcs, head, m) < 0) continue;
    if (head === 0 && roots > 1) continue;
    words.push(m);
  }
  return words;
}

/** Returns the score of a tree with another head of one word, less the score of the tree. */
export function gainOf(problem: ParsingProblem, heads: Int32Array, word: number, head: number): number {
  return scoreTree(problem, withHead(heads, word, head)) - scoreTree(problem, heads);
}

/** Draws one correctable word of each tree of a source, and returns the pairs with their gains. */
export function drawPairs(
  problem: ParsingProblem,
  gold: Int32Array,
  source: TreeSource,
  stream: Random,
): Pair[] {
  const pairs: Pair[] = [];
  for (const heads of drawTrees(problem, source, stream)) {
    const words = correctable(problem, heads, gold);
    if (words.length === 0) continue;
    const word = words[stream.int(words.length)]!;
    pairs.push({ heads, word, gain: gainOf(problem, heads, word, gold[word]!) });
  }
  return pairs;
}
