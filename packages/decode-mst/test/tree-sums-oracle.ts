import type { Arcs, Random } from "@arcwise/core";

export interface OracleTree {
  /** The arc of each word, in order. */
  readonly arcs: readonly number[];
  readonly heads: Int32Array;
  readonly score: number;
}

/** Returns normal scores of the given standard deviation, one per arc. */
export function randomScores(arcs: Arcs, stream: Random, spread: number): Float64Array {
  return Float64Array.from(arcs.head, () => spread * stream.normal());
}

/** Returns every tree, by testing every choice of one head per word. */
export function allTrees(
  arcs: Arcs,
  scores: Float64Array,
  options: { singleRoot: boolean; projective?: boolean },
): OracleTree[] {
  const { n, start, head } = arcs;
  const trees: OracleTree[] = [];
  const chosen: number[] = [];
  const choose = (m: number, score: number): void => {
    if (m > n) {
      const heads = Int32Array.from([-1, ...chosen.map((a) => head[a])]);
      if (isTree(heads, options.singleRoot) && !(options.projective && crosses(heads))) {
        trees.push({ arcs: chosen.slice(), heads, score });
      }
      return;
    }
    for (let a = start[m]; a < start[m + 1]; a++) {
      if (scores[a] === -Infinity) continue;
      chosen.push(a);
      choose(m + 1, score + scores[a]);
      chosen.pop();
    }
  };
  choose(1, 0);
  return trees;
}

function isTree(heads: Int32Array, singleRoot: boolean): boolean {
  const n = heads.length - 1;
  let roots = 0;
  for (let m = 1; m <= n; m++) {
    if (heads[m] === 0) roots++;
    let h = m;
    for (let steps = 0; h > 0 && steps <= n; steps++) h = heads[h];
    if (h > 0) return false;
  }
  return !singleRoot || roots === 1 || n === 0;
}

/** Returns whether some word between a head and its modifier does not descend from that head. */
function crosses(heads: Int32Array): boolean {
  for (let m = 1; m < heads.length; m++) {
    const h = heads[m];
    for (let k = Math.min(h, m) + 1; k < Math.max(h, m); k++) {
      let above = k;
      while (above > 0 && above !== h) above = heads[above];
      if (above !== h) return true;
    }
  }
  return false;
}

/** Computes log-partition, marginals and entropy by summing over the given trees. */
export function exactSums(
  trees: readonly OracleTree[],
  arcCount: number,
): { logPartition: number; marginals: Float64Array; entropy: number } {
  let best = -Infinity;
  for (const { score } of trees) best = Math.max(best, score);
  let sum = 0;
  for (const { score } of trees) sum += Math.exp(score - best);
  const logPartition = best + Math.log(sum);
  const marginals = new Float64Array(arcCount);
  let entropy = 0;
  for (const { arcs, score } of trees) {
    const p = Math.exp(score - best) / sum;
    for (const a of arcs) marginals[a] += p;
    if (p > 0) entropy -= p * (score - best - Math.log(sum));
  }
  return { logPartition, marginals, entropy };
}
