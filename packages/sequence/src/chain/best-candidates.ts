import type { Lattice } from "../inference/chain-problem.ts";

/**
 * Reduces each position of a lattice to its `most` candidates of the highest scores, and moves their scores
 * to the offsets of the new lattice, in place. Of equal scores the lower label stays. Returns the lattice
 * itself when no position has more.
 *
 * O(candidates), and O(C log C) for a position of C > most candidates.
 */
export function bestCandidates(lattice: Lattice, scores: Float64Array, most: number): Lattice {
  const { n, start, labels } = lattice;
  if (!exceeds(lattice, most)) return lattice;
  const kept = new Int32Array(n + 1);
  const found = new Int32Array(labels.length);
  let end = 0;
  for (let i = 0; i < n; i++) {
    const from = start[i];
    const count = start[i + 1] - from;
    const isKept = count > most ? bestOf(scores, from, count, most) : undefined;
    for (let c = from; c < from + count; c++) {
      if (isKept?.[c - from] === 0) continue;
      found[end] = labels[c];
      scores[end++] = scores[c];
    }
    kept[i + 1] = end;
  }
  return { n, start: kept, labels: found.subarray(0, end) };
}

function exceeds({ n, start }: Lattice, most: number): boolean {
  for (let i = 0; i < n; i++) if (start[i + 1] - start[i] > most) return true;
  return false;
}

/** Returns 1 for each of the `most` highest of `count` scores, 0 for the others. */
function bestOf(scores: Float64Array, from: number, count: number, most: number): Uint8Array {
  const order = Int32Array.from({ length: count }, (_, c) => c);
  order.sort((a, b) => scores[from + b] - scores[from + a] || a - b);
  const isKept = new Uint8Array(count);
  for (let k = 0; k < most; k++) isKept[order[k]] = 1;
  return isKept;
}
