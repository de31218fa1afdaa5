import {
  type Arcs,
  completeArcs,
  filterArcs,
  type ParsingProblem,
  type PartKind,
  partLayout,
  type Random,
  random,
} from "@arcwise/core";

/** A family of problems of any length. */
export interface ScoreSet {
  readonly name: string;
  /** Description of the scores in one sentence. */
  readonly says: string;
  /** The lengths that are measured by default. */
  readonly lengths: readonly number[];
  /**
   * Returns at most `count` problems of about n words with parts of these kinds, fewer when the first one is
   * large, no problems if the set lacks this length. The same arguments give the same problems.
   */
  problems(n: number, kinds: readonly PartKind[], count: number): readonly ParsingProblem[];
}

/** Lengths of the random sets. */
const DRAWN_LENGTHS = [10, 20, 50, 100, 200, 400, 800];
/** Approximate limit of the scores of all problems of a cell, for memory and time. */
const MAX_SCORES = 400_000;
/** Number of candidate heads per word in the sparse set, besides the heads of the planted tree. */
const SPARSE_CANDIDATES = 5;

/** Returns the sets with random scores from a seed. */
export function drawnScoreSets(seed: number): readonly ScoreSet[] {
  return [
    drawn("dense", "all n² arcs, scores standard normal", seed, completeArcs, normalScores),
    drawn(
      "sparse",
      `${SPARSE_CANDIDATES} random heads per word and a random projective tree, scores standard normal`,
      seed + 1,
      sparseArcs,
      normalScores,
    ),
    drawn(
      "cycles",
      "all n² arcs, scored so that a spanning tree is found only after n - 1 nested contractions",
      seed + 2,
      completeArcs,
      cycleScores,
    ),
  ];
}

function drawn(
  name: string,
  says: string,
  seed: number,
  arcsOf: (n: number, stream: Random) => Arcs,
  scoresOf: (arcs: Arcs, stream: Random) => Float64Array,
): ScoreSet {
  function problem(n: number, kinds: readonly PartKind[], index: number): ParsingProblem {
    const stream = random(seed).fork(n).fork(index);
    const arcs = arcsOf(n, stream);
    const arcScores = scoresOf(arcs, stream);
    const parts = kinds.map((kind) => {
      const table = partLayout(kind, arcs);
      for (let part = 0; part < table.scores.length; part++) table.scores[part] = stream.normal();
      return table;
    });
    return { arcs, arcScores, parts };
  }

  return {
    name,
    says,
    lengths: DRAWN_LENGTHS,
    problems(n, kinds, count) {
      const first = problem(n, kinds, 0);
      const most = Math.max(1, Math.min(count, Math.floor(MAX_SCORES / scoreCount(first))));
      return [first, ...Array.from({ length: most - 1 }, (_, index) => problem(n, kinds, index + 1))];
    },
  };
}

/** Returns the number of scores of a problem: arcs and parts. */
export function scoreCount({ arcScores, parts }: ParsingProblem): number {
  return parts.reduce((sum, { scores }) => sum + scores.length, arcScores.length);
}

function normalScores(arcs: Arcs, stream: Random): Float64Array {
  return Float64Array.from(arcs.head, () => stream.normal());
}

/**
 * Returns scores on which Chu-Liu/Edmonds contracts one word at a time: words have ranks in random order, and
 * an arc costs the higher rank of its two ends. Of each set of words with the ranks 1 to k, the best head
 * outside has rank k + 1, and the best head of that one is in the set: a cycle, n - 1 times. The root has the
 * highest cost.
 */
function cycleScores(arcs: Arcs, stream: Random): Float64Array {
  const { n, head, modifier } = arcs;
  const rank = Int32Array.from({ length: n + 1 }, (_, word) => word);
  for (let word = n; word > 1; word--) {
    const other = 1 + stream.int(word);
    const swapped = rank[word]!;
    rank[word] = rank[other]!;
    rank[other] = swapped;
  }
  rank[0] = n + 1;
  return Float64Array.from(head, (h, a) => -Math.max(rank[h]!, rank[modifier[a]!]!) + 0.01 * stream.next());
}

function sparseArcs(n: number, stream: Random): Arcs {
  const tree = projectiveTree(n, stream);
  const candidates = new Set<number>();
  for (let m = 1; m <= n; m++) {
    candidates.add(tree[m]! * (n + 1) + m);
    for (let i = 0; i < SPARSE_CANDIDATES; i++) candidates.add(stream.int(n + 1) * (n + 1) + m);
  }
  return filterArcs(n, (h, m) => candidates.has(h * (n + 1) + m));
}

/**
 * Returns a random projective tree with a single root, by joining neighbouring subtrees until one is left.
 */
function projectiveTree(n: number, stream: Random): Int32Array {
  const tops = Array.from({ length: n }, (_, i) => i + 1);
  const heads = new Int32Array(n + 1).fill(-1);
  while (tops.length > 1) {
    const at = stream.int(tops.length - 1);
    const leftIsHead = stream.int(2) === 0;
    heads[tops[leftIsHead ? at + 1 : at]!] = tops[leftIsHead ? at : at + 1]!;
    tops.splice(leftIsHead ? at + 1 : at, 1);
  }
  if (n > 0) heads[tops[0]!] = 0;
  return heads;
}
