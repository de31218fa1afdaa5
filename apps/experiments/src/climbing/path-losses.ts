import { type ParsingProblem, type Random, scoreTree } from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { correctable, randomTrees, withHead } from "./condition-pairs.ts";

/**
 * Trees from which paths of corrections lead to the gold tree.
 *
 * - `violated`: the tree of the largest loss (1o) that hill climbing finds on scores with costs
 * - `best`: the best tree that hill climbing finds
 * - `random`: a random tree, all alike probable
 */
export const PATH_STARTS = ["violated", "best", "random"] as const;
export type PathStart = (typeof PATH_STARTS)[number];

/**
 * Orders of corrections, of the words whose correction is a tree at the time.
 *
 * - `bottom-up`: the deepest word of the first tree, as in a round of hill climbing
 * - `top-down`: the word highest in the gold tree
 * - `random`: any
 */
export const PATH_ORDERS = ["bottom-up", "top-down", "random"] as const;
export type PathOrder = (typeof PATH_ORDERS)[number];

/** The losses of both conditions along a path of corrections. */
export interface PathLosses {
  /** Number of corrections: the wrong heads of the first tree. */
  readonly steps: number;
  /** (1o) of the first tree: its wrong heads, plus its score, less the gold tree's score; 0 if below. */
  readonly usual: number;
  /** Sum of (2o) over the corrections: 1 less the gain of each; 0 if below. */
  readonly sum: number;
}

/** Returns a tree of the kind, over the candidate arcs. */
export function pathStart(
  problem: ParsingProblem,
  gold: Int32Array,
  start: PathStart,
  stream: Random,
): Int32Array {
  const { arcs, arcScores } = problem;
  if (start === "random") for (const heads of randomTrees(problem, stream)) return heads;
  const seed = stream.int(2 ** 31);
  const decoder = hillclimbDecoder({ restarts: 20, seed });
  if (start === "best") return decoder.decode(problem).heads;
  const costs = arcScores.map((score, a) => (gold[arcs.modifier[a]!] === arcs.head[a] ? score : score + 1));
  return decoder.decode({ ...problem, arcScores: costs }).heads;
}

/**
 * Follows a path of corrections from a tree to the gold tree, through trees with one or two root words, and
 * adds up the losses. Returns undefined where pruning has dropped gold arcs, so that no path leads to gold.
 *
 * O(steps · n · depth), and two scores of trees for each step.
 */
export function pathLosses(
  problem: ParsingProblem,
  gold: Int32Array,
  start: Int32Array,
  order: PathOrder,
  stream: Random,
): PathLosses | undefined {
  const rank = order === "top-down" ? depths(gold) : depths(start).map((depth) => -depth);
  const first = scoreTree(problem, start);
  let [heads, score, steps, sum] = [start, first, 0, 0];
  for (let words = correctable(problem, heads, gold); words.length > 0; steps++) {
    const word =
      order === "random"
        ? words[stream.int(words.length)]!
        : words.reduce((a, b) => (rank[b]! < rank[a]! ? b : a));
    heads = withHead(heads, word, gold[word]!);
    const corrected = scoreTree(problem, heads);
    sum += Math.max(0, 1 + score - corrected);
    score = corrected;
    words = correctable(problem, heads, gold);
  }
  if (heads.some((head, m) => head !== gold[m])) return undefined;
  return { steps, usual: Math.max(0, steps + first - score), sum };
}

/** Number of arcs from each word up to the root. */
function depths(heads: Int32Array): Int32Array {
  return heads.map((_, m) => {
    let depth = 0;
    for (let at = m; at > 0; at = heads[at]!) depth++;
    return depth;
  });
}

/** The losses of many paths. */
export interface PathSummary {
  readonly start: PathStart;
  readonly order: PathOrder;
  /** Number of paths, of trees with a wrong head. */
  readonly paths: number;
  readonly steps: number;
  /** Means over the paths. */
  readonly usual: number;
  readonly sum: number;
  /** Share of the paths in percent whose sum of (2o) is (1o). */
  readonly equal: number;
  /** Share in percent with a loss (2o), but none of (1o). */
  readonly hidden: number;
}

/** Returns means and shares of paths. Paths without a correction do not count. */
export function summary(start: PathStart, order: PathOrder, all: readonly PathLosses[]): PathSummary {
  const paths = all.filter(({ steps }) => steps > 0);
  const count = Math.max(1, paths.length);
  const mean = (value: (path: PathLosses) => number) => paths.reduce((sum, p) => sum + value(p), 0) / count;
  const isEqual = ({ usual, sum }: PathLosses) => sum - usual <= 1e-9 * (1 + sum);
  return {
    start,
    order,
    paths: paths.length,
    steps: mean(({ steps }) => steps),
    usual: mean(({ usual }) => usual),
    sum: mean(({ sum }) => sum),
    equal: 100 * mean((path) => (isEqual(path) ? 1 : 0)),
    hidden: 100 * mean(({ usual, sum }) => (usual === 0 && sum > 0 ? 1 : 0)),
  };
}
