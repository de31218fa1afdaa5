import type { SearchScores } from "./search-scores.ts";
import type { WordGains } from "./word-gains.ts";

/** A change of the arcs of one or two words, and its gain of score; an empty list of arcs if no change exists. */
export interface RootMove {
  readonly arcs: readonly number[];
  readonly gain: number;
}

const NO_MOVE: RootMove = { arcs: [], gain: -Infinity };

/**
 * Finds the best exchange of the root word r of a tree with a single root: another word m takes its place,
 * and r hangs on m or on a word below m. O(parts touched), for each candidate word of the root.
 */
export function bestExchange(gains: WordGains, { arcs, byHead }: SearchScores, r: number): RootMove {
  const { tree, values } = gains;
  const from = arcs.start[r];
  const count = arcs.start[r + 1] - from;
  const end = byHead.start[2];
  const hasHeadBelow = (m: number) => {
    for (let k = 0; k < count; k++) {
      const h = arcs.head[from + k];
      if (h !== 0 && tree.isBelow(h, m)) return true;
    }
    return false;
  };
  let bestGain = -Infinity;
  let bestTop = -1;
  let bestArc = -1;
  for (let i = byHead.start[1]; i < end; i++) {
    const top = byHead.arcs[i];
    const m = arcs.modifier[top];
    if (m === r || !hasHeadBelow(m)) continue;
    const current = tree.arcOf[m];
    const first = arcs.start[m];
    gains.fill(m, false);
    const gain = values[top - first] - values[current - first];
    if (gain === -Infinity) continue;
    gains.replace(m, top);
    gains.fill(r, false);
    const stay = values[tree.arcOf[r] - from];
    for (let k = 0; k < count; k++) {
      if (arcs.head[from + k] === 0 || !(gain + values[k] - stay > bestGain)) continue;
      bestGain = gain + values[k] - stay;
      bestTop = top;
      bestArc = from + k;
    }
    gains.replace(m, current);
  }
  return bestTop < 0 ? NO_MOVE : { arcs: [bestTop, bestArc], gain: bestGain };
}

/**
 * Finds the best change of one head that leaves one root of the two words that hang off it. O(parts touched).
 */
export function bestMerge(gains: WordGains, { arcs }: SearchScores, roots: readonly number[]): RootMove {
  const { tree, values } = gains;
  let bestGain = -Infinity;
  let bestArc = -1;
  for (const r of roots) {
    const from = arcs.start[r];
    const end = arcs.start[r + 1];
    gains.fill(r, false);
    const stay = values[tree.arcOf[r] - from];
    for (let arc = from; arc < end; arc++) {
      if (arcs.head[arc] === 0 || !(values[arc - from] - stay > bestGain)) continue;
      bestGain = values[arc - from] - stay;
      bestArc = arc;
    }
  }
  return bestArc < 0 ? NO_MOVE : { arcs: [bestArc], gain: bestGain };
}
