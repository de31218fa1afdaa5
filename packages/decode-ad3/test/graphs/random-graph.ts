import {
  CHAIN_KINDS,
  chainLayout,
  filterArcs,
  GRAPH_CONSTRAINTS,
  type GraphPartTable,
  type GraphProblem,
  PAIR_KINDS,
  random,
} from "@arcwise/core";
import { pairTable } from "@arcwise/decoder-laws";

/** Returns a random graph problem of n words, with parts of all kinds, unique labels, and constraints. */
export function randomGraphProblem(n: number, seed: number): GraphProblem {
  const rng = random(seed);
  const density = [0.5, 0.8, 1][rng.int(3)];
  const order = rng.shuffle(Array.from({ length: n }, (_, i) => i + 1));
  const above = new Set(order.map((w, i) => `${i === 0 ? 0 : order[rng.int(i)]} ${w}`));
  const arcs = filterArcs(n, (h, m) => above.has(`${h} ${m}`) || rng.next() < density * Math.min(1, 4 / n));
  const count = 3;
  const label: number[] = [];
  const start = new Int32Array(arcs.head.length + 1);
  for (let a = 0; a < arcs.head.length; a++) {
    const first = rng.int(count);
    for (let l = 0; l < count; l++) if (l === first || rng.int(2) === 0) label.push(l);
    start[a + 1] = label.length;
  }
  const scale = [0.3, 1, 2][seed % 3];
  const score = (): number => (rng.int(2) === 0 ? scale * rng.normal() : 0);
  const parts: GraphPartTable[] = [
    ...PAIR_KINDS.filter(() => rng.int(3) > 0).map((kind) => {
      const pairs = pairTable(kind, arcs).filter(() => rng.int(2) === 0);
      const first = Int32Array.from(pairs, ([a]) => a);
      const second = Int32Array.from(pairs, ([, b]) => b);
      return { kind, first, second, scores: Float64Array.from(pairs, score) };
    }),
    ...CHAIN_KINDS.filter(() => rng.int(3) > 0).map((kind) => {
      const table = chainLayout(kind, arcs);
      const count = table.scores.length + (rng.int(2) === 0 ? 0 : 2 * (n + 1));
      return { ...table, scores: Float64Array.from({ length: count }, score) };
    }),
  ];
  const asked = GRAPH_CONSTRAINTS.filter(() => rng.int(4) === 0);
  return {
    arcs,
    arcScores: Float64Array.from(arcs.head, () => rng.normal()),
    predicateScores: Float64Array.from({ length: n + 1 }, (_, w) => (w === 0 ? 0 : rng.normal() - 0.5)),
    labels: {
      count,
      start,
      label: Int32Array.from(label),
      scores: Float64Array.from(label, () => rng.normal()),
    },
    unique: Uint8Array.from({ length: count }, () => rng.int(2)),
    parts,
    ...(asked.length > 0 && { constraints: Object.fromEntries(asked.map((name) => [name, true])) }),
  };
}
