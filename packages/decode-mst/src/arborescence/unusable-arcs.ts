import { type Arcs, arcsByHead } from "@arcwise/core";

/**
 * An arc this many times larger than all arcs of the tree found may have absorbed what decided on the tree.
 */
const RATIO = 2 ** 16;

/**
 * Guards against a loss of precision. Contraction subtracts scores from each other; a huge one that no tree
 * can contain (its head hangs off its modifier on every way from the root) would absorb the differences of
 * those that decide. Huge arcs that some tree contains do no harm: then the best tree is as large, and
 * rounding is relative to it; nor do hugely negative ones, which are subtracted only when no tree avoids
 * them.
 *
 * Given the tree found, returns the scores with such arcs pruned, or undefined when there are none: nearly
 * always after one look at the scores. Otherwise O(n + arcs) for each modifier of a suspicious arc.
 */
export function withoutUnusableArcs(
  arcs: Arcs,
  scores: Float64Array,
  heads: Int32Array,
  singleRoot: boolean,
): Float64Array | undefined {
  const limit = RATIO * largestInTree(arcs, scores, heads);
  let pruned: Float64Array | undefined;
  let search: Search | undefined;
  let searched = 0;
  for (let a = 0; a < scores.length; a++) {
    if (scores[a] <= limit) continue;
    const h = arcs.head[a];
    const m = arcs.modifier[a];
    search ??= prepareSearch(arcs, scores, heads, singleRoot);
    if (h > 0 && searched !== m) {
      searched = m;
      reachWithout(search, m);
    }
    if (h === 0 ? search.isRoot[m] === 1 : search.reached[h] === 1) continue;
    pruned ??= scores.slice();
    pruned[a] = -Infinity;
  }
  return pruned;
}

interface Search {
  readonly arcs: Arcs;
  readonly scores: Float64Array;
  /** Per word: whether some tree has it hanging off the root. */
  readonly isRoot: Uint8Array;
  /** Arcs by head: the arcs of h from `start[2 * h]` to before `start[2 * h + 2]`. */
  readonly start: Int32Array;
  readonly byHead: Int32Array;
  /** Per word: whether it hangs off the root without the word that the last search left out. */
  readonly reached: Uint8Array;
  readonly queue: Int32Array;
}

function largestInTree({ start, head }: Arcs, scores: Float64Array, heads: Int32Array): number {
  let largest = 0;
  for (let m = 1; m < heads.length; m++) {
    let a = start[m];
    while (head[a] !== heads[m]) a++;
    largest = Math.max(largest, Math.abs(scores[a]));
  }
  return largest;
}

function prepareSearch(arcs: Arcs, scores: Float64Array, heads: Int32Array, singleRoot: boolean): Search {
  const { n, head, start } = arcs;
  const queue = new Int32Array(n + 1);
  const isRoot = new Uint8Array(n + 1);
  // Any word may be one of several roots. To be the only one it must lead to all words: to the root word
  // found.
  const leads = new Uint8Array(n + 1).fill(singleRoot ? 0 : 1);
  let length = 0;
  for (let m = 1; m <= n && singleRoot; m++) if (heads[m] === 0) queue[length++] = m;
  if (length > 0) leads[queue[0]] = 1;
  for (let i = 0; i < length; i++) {
    const m = queue[i];
    for (let a = start[m]; a < start[m + 1]; a++) {
      const h = head[a];
      if (h === 0 || leads[h] === 1 || scores[a] === -Infinity) continue;
      leads[h] = 1;
      queue[length++] = h;
    }
  }
  for (let m = 1; m <= n; m++) {
    const a = start[m];
    const fromRoot = a < start[m + 1] && head[a] === 0 && scores[a] !== -Infinity;
    isRoot[m] = fromRoot && leads[m] === 1 ? 1 : 0;
  }
  const grouped = arcsByHead(arcs);
  const reached = new Uint8Array(n + 1);
  return { arcs, scores, isRoot, start: grouped.start, byHead: grouped.arcs, reached, queue };
}

/** Marks the words that hang off possible root words without `left`. */
function reachWithout(search: Search, left: number): void {
  const { arcs, scores, isRoot, start, byHead, reached, queue } = search;
  reached.fill(0);
  let length = 0;
  for (let word = 1; word <= arcs.n; word++) {
    if (isRoot[word] === 0 || word === left) continue;
    reached[word] = 1;
    queue[length++] = word;
  }
  for (let i = 0; i < length; i++) {
    const h = queue[i];
    for (let at = start[2 * h]; at < start[2 * h + 2]; at++) {
      const m = arcs.modifier[byHead[at]];
      if (reached[m] === 1 || m === left || scores[byHead[at]] === -Infinity) continue;
      reached[m] = 1;
      queue[length++] = m;
    }
  }
}
