import { type GraphProblem, isPairTable, type PairTable } from "@arcwise/core";

/** For each arc the arcs that it makes a scored pair with, in columns. */
export interface PairNeighbours {
  /** arcs + 1 entries; the neighbours of arc a are `start[a] .. start[a + 1] - 1`. */
  readonly start: Int32Array;
  readonly other: Int32Array;
  readonly score: Float64Array;
}

/** Arranges the pairs of all tables by both of their arcs. O(arcs + pairs). */
export function pairNeighbours({ arcs, parts }: GraphProblem): PairNeighbours {
  const tables = parts.filter((table): table is PairTable => isPairTable(table));
  const count = arcs.head.length;
  const start = new Int32Array(count + 1);
  for (const { first, second } of tables) {
    for (let p = 0; p < first.length; p++) {
      start[first[p] + 1]++;
      start[second[p] + 1]++;
    }
  }
  for (let a = 0; a < count; a++) start[a + 1] += start[a];
  const next = start.slice(0, count);
  const other = new Int32Array(start[count]);
  const score = new Float64Array(start[count]);
  for (const { first, second, scores } of tables) {
    for (let p = 0; p < first.length; p++) {
      const [a, b] = [first[p], second[p]];
      const [atA, atB] = [next[a]++, next[b]++];
      other[atA] = b;
      other[atB] = a;
      score[atA] = scores[p];
      score[atB] = scores[p];
    }
  }
  return { start, other, score };
}
