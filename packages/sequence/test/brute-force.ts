import { random } from "@arcwise/core";
import {
  type ChainProblem,
  type Lattice,
  scoreLabelling,
  tableSize,
} from "../src/inference/chain-problem.ts";

/** Returns the lattice of the allowed labels of each position. */
export function latticeOf(allowed: readonly (readonly number[])[]): Lattice {
  const start = Int32Array.from([0, ...allowed.map((_, i) => allowed.slice(0, i + 1).flat().length)]);
  return { n: allowed.length, start, labels: Int32Array.from(allowed.flat()) };
}

/** Returns all labellings of a lattice, with their scores. */
export function allLabellings(problem: ChainProblem): { labels: number[]; score: number }[] {
  const { n, start, labels } = problem.lattice;
  let all: number[][] = [[]];
  for (let i = 0; i < n; i++) {
    const candidates = Array.from(labels.subarray(start[i], start[i + 1]));
    all = all.flatMap((before) => candidates.map((y) => [...before, y]));
  }
  return all.map((one) => ({ labels: one, score: scoreLabelling(problem, one) }));
}

export interface RandomChain {
  readonly seed: number;
  readonly order: 1 | 2 | 3;
  readonly n: number;
  /** Number of labels; each position has some of them. */
  readonly count: number;
  /** Share of forbidden entries. */
  readonly forbidden?: number;
  /** Standard deviation of scores. */
  readonly spread?: number;
  /** Whether positions of the same shape share a table. */
  readonly shared?: boolean;
}

/** Returns a random problem. */
export function randomChain({ seed, order, n, count, ...more }: RandomChain): ChainProblem {
  const { forbidden = 0, spread = 1, shared = false } = more;
  const rng = random(seed);
  const allowed = Array.from({ length: n }, () => {
    const labels = Array.from({ length: count }, (_, y) => y).filter(() => shared || rng.next() < 0.7);
    return labels.length === 0 ? [rng.int(count)] : labels;
  });
  const lattice = latticeOf(allowed);
  const score = () => (rng.next() < forbidden ? -Infinity : spread * rng.normal());
  const table = new Int32Array(n).fill(-1);
  const grams: number[] = [];
  for (let i = 0; i < n; i++) {
    if (order === 1 || (!shared && rng.next() < 0.15)) continue;
    if (shared && i > order - 1) {
      table[i] = table[i - 1];
      continue;
    }
    table[i] = grams.length;
    const size = tableSize(order, lattice.start, i);
    for (let k = 0; k < size; k++) grams.push(score());
  }
  return {
    order,
    lattice,
    scores: Float64Array.from(lattice.labels, score),
    grams: Float64Array.from(grams),
    table,
  };
}
