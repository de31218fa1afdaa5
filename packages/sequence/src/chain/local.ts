import { exp } from "@arcwise/core/arithmetic";
import type { GradientSink, Update } from "@arcwise/learn";
import { type ChainProblem, tableSize } from "../inference/chain-problem.ts";
import { logSumRange } from "../inference/log-sums.ts";
import type { ChainExample } from "./chain-example.ts";
import type { ChainScorer } from "./chain-scorer.ts";

/**
 * Adds the gradient of a maximum-entropy Markov model (McCallum, Freitag and Pereira 2000; Ratnaparkhi 1996),
 * in which each label has a probability given the gold labels before it. The gradient is the features of the
 * gold labels minus their expectation.
 */
export function localExpectations(
  { prepared, labels: gold }: ChainExample,
  scorer: ChainScorer,
  problem: ChainProblem,
  into: GradientSink,
): Update {
  const { n, start, labels: candidates } = problem.lattice;
  const history = gold.slice(0, n);
  const row = new Float64Array(Math.max(...start.slice(1).map((end, i) => end - start[i])));
  let loss = 0;
  let cost = 0;
  let local = 0;
  for (let i = 0; i < n; i++) {
    const from = start[i];
    const count = start[i + 1] - from;
    const entry = problem.table[i] < 0 ? -1 : problem.table[i] + local * count;
    for (let c = 0; c < count; c++) {
      row[c] = problem.scores[from + c] + (entry < 0 ? 0 : problem.grams[entry + c]);
    }
    const sum = logSumRange(row, 0, count, 1);
    scorer.addFeatures(prepared, i, gold, { into, scale: 1 });
    let right = 0;
    for (let c = 0; c < count; c++) {
      const label = candidates[from + c];
      const p = exp(row[c] - sum);
      if (label === gold[i]) {
        right = c;
        loss += sum - row[c];
        cost += 1 - p;
      }
      history[i] = label;
      if (p > 1e-7) scorer.addFeatures(prepared, i, history, { into, scale: -p });
    }
    history[i] = gold[i];
    local = nextState(problem, i, local, right);
  }
  return { cost: Math.max(0, cost), loss };
}

/** Returns the index, among the states after position i, of the one that a candidate leads to. */
function nextState({ order, lattice: { start } }: ChainProblem, i: number, local: number, c: number): number {
  const count = start[i + 1] - start[i];
  const kept = order === 3 && i > 0 ? start[i] - start[i - 1] : 1;
  return (local % kept) * count + c;
}

/**
 * Returns a problem whose scores are the log-probabilities of each label given those before it: the score of
 * a labelling is its log-probability under a maximum-entropy Markov model. O(n C^order).
 */
export function normaliseLocally({ order, lattice, scores, grams, table }: ChainProblem): ChainProblem {
  const { n, start } = lattice;
  const from = new Int32Array(n);
  let size = 0;
  for (let i = 0; i < n; i++) {
    from[i] = size;
    size += tableSize(order, start, i);
  }
  const probabilities = new Float64Array(size);
  for (let i = 0; i < n; i++) {
    const count = start[i + 1] - start[i];
    const end = i + 1 < n ? from[i + 1] : size;
    for (let row = from[i]; row < end; row += count) {
      const entry = table[i] < 0 ? -1 : table[i] + row - from[i];
      for (let c = 0; c < count; c++) {
        probabilities[row + c] = scores[start[i] + c] + (entry < 0 ? 0 : grams[entry + c]);
      }
      const sum = logSumRange(probabilities, row, row + count, 1);
      for (let c = 0; c < count && sum > -Infinity; c++) probabilities[row + c] -= sum;
    }
  }
  if (order === 1) {
    return { order, lattice, scores: probabilities, grams: new Float64Array(0), table: table.map(() => -1) };
  }
  return { order, lattice, scores: new Float64Array(start[n]), grams: probabilities, table: from };
}
