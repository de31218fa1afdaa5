import {
  type Arcs,
  arcIndex,
  isProjective,
  type ParsingProblem,
  type Random,
  scoreTree,
} from "@arcwise/core";

/** Family of trees of an enumeration. */
export interface EnumerationOptions {
  readonly singleRoot?: boolean;
  readonly projective?: boolean;
}

/** A tree and its score. */
export interface Enumerated {
  readonly heads: Int32Array;
  readonly score: number;
}

/** Returns every assignment of heads to n words that is a tree, in lexicographic order. */
export function allTrees(
  n: number,
  { singleRoot = true, projective = false }: EnumerationOptions = {},
): Int32Array[] {
  const found: Int32Array[] = [];
  const heads = new Int32Array(n + 1);
  heads[0] = -1;
  for (;;) {
    if (reachesRoot(heads, singleRoot) && (!projective || isProjective(heads))) found.push(heads.slice());
    let word = n;
    while (word >= 1 && heads[word] === n) heads[word--] = 0;
    if (word < 1) return found;
    heads[word]++;
  }
}

/** Returns all trees of a problem without pruned arcs, best first. */
export function rankedTrees(problem: ParsingProblem, options: EnumerationOptions = {}): Enumerated[] {
  return treesOf(problem.arcs.n, options)
    .map((heads) => ({ heads, score: scoreTree(problem, heads) }))
    .filter(({ heads }) => allowed(problem, heads))
    .sort((a, b) => b.score - a.score);
}

/** Returns the best tree, or undefined when there is none. */
export function bestTree(problem: ParsingProblem, options: EnumerationOptions = {}): Enumerated | undefined {
  let best: Enumerated | undefined;
  for (const heads of treesOf(problem.arcs.n, options)) {
    if (!allowed(problem, heads)) continue;
    const score = scoreTree(problem, heads);
    if (best === undefined || score > best.score) best = { heads, score };
  }
  return best;
}

/** Returns a problem over the given arcs without parts. */
export function problemOf(arcs: Arcs, scoreOf: (head: number, modifier: number) => number): ParsingProblem {
  const arcScores = Float64Array.from(arcs.head, (h, a) => scoreOf(h, arcs.modifier[a]));
  return { arcs, arcScores, parts: [] };
}

/** Returns the score matrix that `maxArborescence` takes, with -Infinity for arcs that are not candidates. */
export function matrixOf({ arcs, arcScores }: ParsingProblem): Float64Array {
  const width = arcs.n + 1;
  const matrix = new Float64Array(width * width).fill(-Infinity);
  for (let a = 0; a < arcScores.length; a++) matrix[arcs.modifier[a] * width + arcs.head[a]] = arcScores[a];
  return matrix;
}

/** Kinds of random scores, on all of which a decoder must find the best tree. */
export const SCORES: Readonly<Record<string, (r: Random) => () => number>> = {
  "standard normal": (r) => () => r.normal(),
  "small integers": (r) => () => r.int(4),
  "all equal": () => () => 1,
  "half pruned": (r) => () => (r.next() < 0.5 ? -Infinity : r.normal()),
  "nearly all pruned": (r) => () => (r.next() < 0.75 ? -Infinity : r.int(3)),
  "all tiny": (r) => () => r.normal() * 1e-300,
  "all huge": (r) => () => r.normal() * 1e300,
  "huge among small, pruned": (r) => () =>
    r.next() < 0.4
      ? -Infinity
      : r.next() < 0.2
        ? 1e300 * (1 + r.int(2))
        : r.next() < 0.2
          ? -1e300
          : r.normal(),
  "at the end of the range": (r) => () => (r.next() < 0.5 ? -1 : 1) * (1 + 0.001 * r.int(3)) * 1e307,
};

/** Returns whether the scores of two trees are equal up to rounding of their sums. */
export function tied(problem: ParsingProblem, a: Int32Array, b: Int32Array): boolean {
  const difference = Math.abs(scoreTree(problem, a) - scoreTree(problem, b));
  return difference <= 1e-9 * Math.max(mass(problem, a), mass(problem, b));
}

/** Returns the sum of the absolute scores of the arcs of a tree. */
function mass({ arcs, arcScores }: ParsingProblem, heads: Int32Array): number {
  let sum = 0;
  for (let m = 1; m < heads.length; m++) sum += Math.abs(arcScores[arcIndex(arcs, heads[m], m)]);
  return sum;
}

const lists = new Map<string, Int32Array[]>();

function treesOf(n: number, options: EnumerationOptions): Int32Array[] {
  const key = `${n} ${options.singleRoot ?? true} ${options.projective ?? false}`;
  let list = lists.get(key);
  if (list === undefined) {
    list = allTrees(n, options);
    lists.set(key, list);
  }
  return list;
}

function allowed({ arcs, arcScores }: ParsingProblem, heads: Int32Array): boolean {
  for (let m = 1; m < heads.length; m++) {
    const arc = arcIndex(arcs, heads[m], m);
    if (arc < 0 || arcScores[arc] === -Infinity) return false;
  }
  return true;
}

function reachesRoot(heads: Int32Array, singleRoot: boolean): boolean {
  let roots = 0;
  for (let m = 1; m < heads.length; m++) {
    if (heads[m] === 0) roots++;
    let word = m;
    for (let steps = 0; word !== 0; steps++) {
      if (steps === heads.length) return false;
      word = heads[word];
    }
  }
  return roots <= 1 || !singleRoot;
}
