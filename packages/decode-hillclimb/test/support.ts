import {
  type Arcs,
  filterArcs,
  type ParsingProblem,
  type PartKind,
  partLayout,
  type Random,
  type TreeScorer,
} from "@arcwise/core";

/** A random tree: each word, in random order, hangs off the root or a word placed before it. */
export function randomTree(rng: Random, n: number, singleRoot: boolean): Int32Array {
  const order = rng.shuffle(Array.from({ length: n }, (_, i) => i + 1));
  const heads = new Int32Array(n + 1).fill(-1);
  order.forEach((word, i) => {
    const isRoot = i === 0 || (!singleRoot && rng.int(i + 1) === 0);
    heads[word] = isRoot ? 0 : order[rng.int(i)];
  });
  return heads;
}

/** Some of all arcs, including the arcs of the tree. */
export function arcsAround(rng: Random, tree: Int32Array, density: number): Arcs {
  return filterArcs(tree.length - 1, (h, m) => tree[m] === h || rng.next() < density);
}

/** Normal scores for the arcs and for tables of the kinds. */
export function randomProblem(rng: Random, arcs: Arcs, kinds: readonly PartKind[]): ParsingProblem {
  const parts = kinds.map((kind) => {
    const table = partLayout(kind, arcs);
    return { ...table, scores: table.scores.map(() => rng.normal()) };
  });
  return { arcs, arcScores: Float64Array.from(arcs.head, () => rng.normal()), parts };
}

/** A score that every head of the tree has a share in: it looks at valencies and at pairs of heads. */
export const valencies: TreeScorer = {
  name: "valencies",
  score(heads) {
    let sum = 0;
    const count = new Int32Array(heads.length);
    for (let m = 1; m < heads.length; m++) count[heads[m]]++;
    for (let m = 1; m < heads.length; m++) sum += Math.sin(m * count[m]) + 0.3 * Math.cos(heads[m] * m);
    return sum;
  },
};

/** All trees that differ from the tree in the head of m alone and use candidate arcs: their arcs of m. */
export function neighbours(arcs: Arcs, heads: Int32Array, m: number): number[] {
  const list: number[] = [];
  for (let a = arcs.start[m]; a < arcs.start[m + 1]; a++) {
    let above = arcs.head[a];
    while (above > 0 && above !== m) above = heads[above];
    if (above !== m) list.push(a);
  }
  return list;
}
