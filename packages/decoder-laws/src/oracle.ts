import {
  type ArcPair,
  type Arcs,
  activeParts,
  arcIndex,
  completeArcs,
  type Decoder,
  NoTree,
  PART_KINDS,
  type ParsingProblem,
  requireHandled,
  type Scored,
  scoreTree,
  type TreeConstraint,
  type TreeMarginals,
  validateProblem,
} from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";

/** A set of trees: projective or all, with a single root or any number. */
export interface TreeFamily {
  /** Only projective trees; false by default. */
  readonly projective?: boolean | undefined;
  /** Only trees with one root word; true by default. */
  readonly singleRoot?: boolean | undefined;
}

/** A tree of highest score. */
export interface BestTree {
  readonly heads: Int32Array;
  readonly score: number;
}

/**
 * Returns all trees over n words, in lexicographic order of their heads. There are n^(n-1) with a single
 * root, (n+1)^(n-1) with any number (Cayley 1889); projective ones: C(3n-2, n-1) / n and C(3n, n) / (2n+1).
 * There is one tree for n = 0.
 *
 * Cost: O(n) per tree, and about as much again for dead ends of the search.
 */
export function allTrees(n: number, family: TreeFamily = {}): Int32Array[] {
  const trees: Int32Array[] = [];
  visitTrees(completeArcs(n), undefined, family, (heads) => trees.push(heads.slice()));
  return trees;
}

/**
 * Returns the tree of highest score, the first in lexicographic order of heads among equals, or `undefined`
 * when every tree uses an arc that is pruned or no candidate. Enumerates all trees over the candidate arcs:
 * for up to 6 or 7 words.
 */
export function bestTree(problem: ParsingProblem, family: TreeFamily = {}): BestTree | undefined {
  let best: Int32Array | undefined;
  let bestScore = -Infinity;
  visitTrees(problem.arcs, problem.arcScores, family, (heads) => {
    const score = scoreTree(problem, heads);
    if (score > bestScore) {
      best = heads.slice();
      bestScore = score;
    }
  });
  return best && { heads: best, score: bestScore };
}

/**
 * Returns all trees over the candidate arcs with scores above -Infinity, best first; trees of equal scores in
 * lexicographic order of heads. For up to 6 or 7 words.
 */
export function rankedTrees(problem: ParsingProblem, family: TreeFamily = {}): BestTree[] {
  const trees: BestTree[] = [];
  visitTrees(problem.arcs, problem.arcScores, family, (heads) => {
    const score = scoreTree(problem, heads);
    if (score > -Infinity) trees.push({ heads: heads.slice(), score });
  });
  return trees.sort((a, b) => b.score - a.score);
}

/** The trees of a problem, their probabilities, proportional to exp(score), and the sums over them. */
export interface TreeDistribution extends TreeMarginals {
  readonly trees: readonly BestTree[];
  readonly probabilities: Float64Array;
}

/** Returns the distribution over all trees of a problem by enumeration, for up to 6 or 7 words. */
export function treeDistribution(problem: ParsingProblem, family: TreeFamily = {}): TreeDistribution {
  const { arcs, parts } = problem;
  const trees = rankedTrees(problem, family);
  const best = trees[0]?.score ?? 0;
  const weights = Float64Array.from(trees, ({ score }) => exp(score - best));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const probabilities = weights.map((weight) => weight / sum);
  const arcSums = new Float64Array(arcs.head.length);
  const partSums = parts.map(({ scores }) => new Float64Array(scores.length));
  for (const [i, { heads }] of trees.entries()) {
    const p = probabilities[i];
    for (let m = 1; m <= arcs.n; m++) arcSums[arcIndex(arcs, heads[m], m)] += p;
    for (const [k, table] of parts.entries()) {
      for (const part of activeParts(table, arcs, heads)) partSums[k][part] += p;
    }
  }
  return { trees, probabilities, logPartition: best + log(sum), arcs: arcSums, parts: partSums };
}

/** Returns whether a tree satisfies a constraint. */
export function keepsConstraint(heads: Int32Array, constraint: TreeConstraint): boolean {
  const isOn = ([h, m]: ArcPair): boolean => heads[m] === h;
  switch (constraint.rule) {
    case "implies":
      return !constraint.premises.every(isOn) || isOn(constraint.conclusion);
    case "uncrossed": {
      const [h, m] = constraint.arc;
      return !isOn(constraint.arc) || !heads.some((head, word) => word > 0 && crosses(h, m, head, word));
    }
    default: {
      const on = new Set(constraint.arcs.filter(isOn).map(String)).size;
      if (constraint.rule === "atMostOne") return on <= 1;
      return constraint.rule === "exactlyOne" ? on === 1 : on >= 1;
    }
  }
}

/** Options of the brute-force decoder. */
export interface BruteForceOptions extends TreeFamily {
  /** The kinds of parts that it handles, and `"global"`; all by default. */
  readonly handles?: Iterable<Scored> | undefined;
}

/**
 * Returns `bestTree` as a decoder: exact with every kind of part and with global scores, for up to 6 or 7
 * words.
 */
export function bruteForceDecoder(options: BruteForceOptions = {}): Decoder {
  const name = "brute-force";
  const handles: ReadonlySet<Scored> = new Set(options.handles ?? [...PART_KINDS, "global"]);
  return {
    name,
    trees: options.projective ? "projective" : "any",
    singleRoot: options.singleRoot ?? true,
    handles,
    decode(problem) {
      requireHandled(problem, name, handles);
      validateProblem(problem);
      const best = bestTree(problem, options);
      if (best === undefined) throw new NoTree(name, "every tree uses an arc that is pruned or no candidate");
      return { heads: best.heads, score: best.score, bound: best.score };
    },
  };
}

/**
 * Calls `visit` with every tree over the candidate arcs that are not pruned; the array is reused. Assigns
 * heads from left to right and prunes choices that close a cycle or cross an arc.
 */
function visitTrees(
  arcs: Arcs,
  arcScores: Float64Array | undefined,
  family: TreeFamily,
  visit: (heads: Int32Array) => void,
): void {
  const { n, start, head } = arcs;
  const heads = new Int32Array(n + 1).fill(-1);
  if (n === 0) {
    visit(heads);
    return;
  }
  const next = start.slice();
  let m = 1;
  while (m > 0) {
    heads[m] = -1;
    if (next[m] >= start[m + 1]) {
      next[m] = start[m];
      m--;
      continue;
    }
    const arc = next[m]++;
    if (arcScores?.[arc] === -Infinity) continue;
    heads[m] = head[arc];
    if (!fits(heads, m, family)) continue;
    if (m === n) visit(heads);
    else m++;
  }
}

/**
 * Returns whether the head of m is compatible with the heads of the words before it. Words after m have no head
 * yet.
 */
function fits(heads: Int32Array, m: number, family: TreeFamily): boolean {
  const h = heads[m];
  let above = h;
  while (above > 0 && above !== m) above = heads[above];
  if (above === m) return false;
  for (let word = 1; word < m; word++) {
    const other = heads[word];
    if (h === 0 && other === 0 && family.singleRoot !== false) return false;
    if (family.projective && crosses(h, m, other, word)) return false;
  }
  return true;
}

function crosses(a: number, b: number, c: number, d: number): boolean {
  const [left, right] = a < b ? [a, b] : [b, a];
  const inside = (word: number) => left < word && word < right;
  const outside = (word: number) => word < left || word > right;
  return (inside(c) && outside(d)) || (inside(d) && outside(c));
}
