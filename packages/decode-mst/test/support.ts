import {
  type Arcs,
  arcIndex,
  filterArcs,
  type ParsingProblem,
  type PartKind,
  partLayout,
  type Random,
  scoreTree,
} from "@arcwise/core";
import { createInsideOutside, createMatrixTree } from "../src/index.ts";
import type { TreeOptions } from "../src/options.ts";

/** Returns a problem over the given arcs without parts. */
export function problemOf(arcs: Arcs, scoreOf: (head: number, modifier: number) => number): ParsingProblem {
  const arcScores = Float64Array.from(arcs.head, (h, a) => scoreOf(h, arcs.modifier[a]));
  return { arcs, arcScores, parts: [] };
}

/** Returns the score matrix that `ArborescenceSolver.dense` takes, with -Infinity for arcs that are not candidates. */
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

/** Returns normal scores of the given standard deviation, one per arc. */
export function randomScores(arcs: Arcs, stream: Random, spread: number): Float64Array {
  return Float64Array.from(arcs.head, () => spread * stream.normal());
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

/** Returns sums over all trees of arcs. */
export function arcMarginals(arcs: Arcs, scores: Float64Array, options?: TreeOptions) {
  const marginals = new Float64Array(arcs.head.length);
  return { logPartition: createMatrixTree(options).marginals(arcs, scores, marginals), marginals };
}

/** Returns sums over the projective trees of arcs. */
export function projectiveMarginals(arcs: Arcs, scores: Float64Array, options?: TreeOptions) {
  const marginals = new Float64Array(arcs.head.length);
  return { logPartition: createInsideOutside(options).marginals(arcs, scores, marginals), marginals };
}
