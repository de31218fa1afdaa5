import {
  type Arcs,
  filterArcs,
  type ParsingProblem,
  type PartKind,
  partLayout,
  type Random,
  scoreTree,
} from "@arcwise/core";

/** Returns every projective tree of n words by testing all head vectors: slow, but simple. */
export function projectiveTrees(n: number): readonly Int32Array[] {
  const known = cache.get(n);
  if (known !== undefined) return known;
  const trees: Int32Array[] = [];
  const heads = new Int32Array(n + 1);
  heads[0] = -1;
  const choose = (m: number): void => {
    if (m > n) {
      if (isTree(heads)) trees.push(heads.slice());
      return;
    }
    for (let h = 0; h <= n; h++) {
      heads[m] = h;
      if (h !== m && !crossesEarlier(heads, m)) choose(m + 1);
    }
  };
  choose(1);
  cache.set(n, trees);
  return trees;
}

const cache = new Map<number, readonly Int32Array[]>();

/** Returns whether the arc to m crosses one of the arcs to 1..m - 1, or covers the root. */
function crossesEarlier(heads: Int32Array, m: number): boolean {
  const low = Math.min(m, heads[m]);
  const high = Math.max(m, heads[m]);
  for (let w = 1; w < m; w++) {
    const a = Math.min(w, heads[w]);
    const b = Math.max(w, heads[w]);
    if ((a < low && low < b && b < high) || (low < a && a < high && high < b)) return true;
  }
  return false;
}

function isTree(heads: Int32Array): boolean {
  for (let m = 1; m < heads.length; m++) {
    let steps = 0;
    for (let word = m; word > 0; word = heads[word]) if (++steps > heads.length) return false;
  }
  return true;
}

/** Returns the projective trees of a problem with finite scores, best first. */
export function rankedTrees(
  problem: ParsingProblem,
  singleRoot: boolean,
): { heads: Int32Array; score: number }[] {
  return projectiveTrees(problem.arcs.n)
    .filter((heads) => !singleRoot || problem.arcs.n === 0 || roots(heads) === 1)
    .map((heads) => ({ heads, score: scoreTree(problem, heads) }))
    .filter(({ score }) => score > -Infinity)
    .sort((a, b) => b.score - a.score);
}

export function roots(heads: Int32Array): number {
  return heads.filter((head) => head === 0).length;
}

/** Options of a random problem. */
export interface Shape {
  readonly n: number;
  readonly kinds: readonly PartKind[];
  /** Probability that an arc is a candidate. */
  readonly density?: number;
  /** Probability that a score is -Infinity. */
  readonly pruned?: number;
  /** Draw scores from the integers -1, 0, 1, so that there are many ties. */
  readonly ties?: boolean;
}

export function randomProblem(rng: Random, shape: Shape): ParsingProblem {
  const { n, kinds, density = 1, pruned = 0, ties = false } = shape;
  const arcs = filterArcs(n, () => rng.next() < density);
  return withScores(rng, arcs, kinds, pruned, ties);
}

/** Random scores for given candidate arcs. */
export function withScores(
  rng: Random,
  arcs: Arcs,
  kinds: readonly PartKind[],
  pruned = 0,
  ties = false,
): ParsingProblem {
  const draw = () => (rng.next() < pruned ? -Infinity : ties ? rng.int(3) - 1 : rng.normal());
  const arcScores = Float64Array.from(arcs.head, draw);
  const parts = kinds.map((kind) => {
    const table = partLayout(kind, arcs);
    return { ...table, scores: table.scores.map(draw) };
  });
  return { arcs, arcScores, parts };
}

/**
 * Returns the candidate arcs of a random tree, which is projective by construction, with `extra` random ones
 * per word.
 */
export function sparseArcs(rng: Random, n: number, candidates: number): Arcs {
  const keep = new Set<number>();
  const span = (head: number, from: number, to: number): void => {
    // Splits from..to into spans, each with a word that depends on head.
    for (let start = from; start <= to; ) {
      const end = start + rng.int(to - start + 1);
      const m = start + rng.int(end - start + 1);
      keep.add(head * (n + 1) + m);
      span(m, start, m - 1);
      span(m, m + 1, end);
      start = end + 1;
    }
  };
  if (n > 0) {
    const top = 1 + rng.int(n);
    keep.add(top);
    span(top, 1, top - 1);
    span(top, top + 1, n);
  }
  for (let m = 1; m <= n; m++) {
    for (let i = 1; i < candidates && n > candidates; ) {
      const h = rng.int(n + 1);
      if (h === m || keep.has(h * (n + 1) + m)) continue;
      keep.add(h * (n + 1) + m);
      i++;
    }
  }
  return filterArcs(n, (h, m) => keep.has(h * (n + 1) + m));
}
