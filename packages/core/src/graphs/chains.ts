import { arcsByHead } from "../parts/arcs-by-head.ts";
import type { Arcs } from "../problem.ts";
import type { ChainKind, ChainTable } from "./graph-problem.ts";

/** The arcs of a problem, arranged in chains: see `ChainTable`. */
export interface GraphChains {
  /** Index of each arc in its chain. */
  readonly rank: Int32Array;
  /** 2 (n + 1) + 1 entries: chain 2w holds the arcs of word w to the left, 2w + 1 those to the right. */
  readonly start: Int32Array;
  /** Arc indices, by chain, nearest first. */
  readonly arcs: Int32Array;
}

/**
 * Groups arcs by head and side (`nextSibling`) or by modifier and side (`nextCoparent`), nearest first.
 * O(n + arcs).
 */
export function graphChains(kind: ChainKind, arcs: Arcs): GraphChains {
  return kind === "nextSibling" ? arcsByHead(arcs) : arcsByModifier(arcs);
}

function arcsByModifier({ n, start, head, modifier }: Arcs): GraphChains {
  const count = head.length;
  const chains = new Int32Array(2 * (n + 1) + 1);
  const grouped = new Int32Array(count);
  const rank = new Int32Array(count);
  let at = 0;
  for (let m = 0; m <= n; m++) {
    const [first, end] = [start[m], start[m + 1]];
    let right = first;
    while (right < end && head[right] < modifier[right]) right++;
    chains[2 * m] = at;
    // Heads ascend within a modifier: to its left the nearest one is the last.
    for (let a = right - 1; a >= first; a--) {
      rank[a] = at - chains[2 * m];
      grouped[at++] = a;
    }
    chains[2 * m + 1] = at;
    for (let a = right; a < end; a++) {
      rank[a] = at - chains[2 * m + 1];
      grouped[at++] = a;
    }
  }
  chains[2 * (n + 1)] = at;
  return { rank, start: chains, arcs: grouped };
}

/** The table of a kind of chains with all scores 0, without parts of empty chains. O(parts). */
export function chainLayout(
  kind: ChainKind,
  arcs: Arcs,
  chains: GraphChains = graphChains(kind, arcs),
): ChainTable {
  const count = arcs.head.length;
  const start = new Int32Array(count + 1);
  for (let a = 0; a < count; a++) start[a + 1] = start[a] + chains.rank[a] + 2;
  return { kind, start, scores: new Float64Array(start[count]) };
}

/** Returns a view of the scores of empty chains: 2 (n + 1) entries, or none where all of them are 0. */
export function emptyChainScores({ start, scores }: ChainTable): Float64Array {
  return scores.subarray(start[start.length - 1]);
}
