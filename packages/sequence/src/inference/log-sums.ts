import { exp, log } from "@arcwise/core/arithmetic";
import { type ChainProblem, NoLabelling, type Trellis } from "./chain-problem.ts";

/** Arrays that `logSums` writes. */
export interface LogSumArrays {
  /** Logarithms of the weights of the paths into each state. */
  readonly forward: Float64Array;
  /** Logarithms of the weights of the paths from each state to the end. */
  readonly backward: Float64Array;
  /** Probabilities of the candidates. */
  readonly marginals: Float64Array;
  /** Expected counts of the entries of the tables, which are added to. */
  readonly expected: Float64Array;
}

/**
 * Runs the forward-backward algorithm on logarithms, for scores of any size. O(entries of all tables), with
 * two exponentials each.
 *
 * @returns the logarithm of the sum of all weights
 */
export function logSums(problem: ChainProblem, trellis: Trellis, arrays: LogSumArrays): number {
  const { n, state, states } = trellis;
  const { forward, backward } = arrays;
  logForward(problem, trellis, forward);
  const logPartition = logSumRange(forward, state[n], states, 1);
  if (logPartition === -Infinity) throw new NoLabelling("every labelling of the sequence is forbidden");
  backward.fill(0, state[n], states);
  logBackward(problem, trellis, arrays, logPartition);
  return logPartition;
}

function logForward(
  { lattice: { start }, scores, grams, table }: ChainProblem,
  { n, outer, inner, count, state }: Trellis,
  forward: Float64Array,
): void {
  forward[0] = 0;
  for (let i = 0; i < n; i++) {
    const P = outer[i];
    const M = inner[i];
    const C = count[i];
    const from = state[i];
    const to = state[i + 1];
    const t = table[i];
    for (let m = 0; m < M; m++) {
      const shared = t < 0 ? logSumRange(forward, from + m, from + m + P * M, M) : 0;
      for (let c = 0; c < C; c++) {
        const score = scores[start[i] + c];
        if (t < 0) forward[to + m * C + c] = shared + score;
        else {
          const sum = logSumPaths(forward, from + m, grams, t + m * C + c, P, M, C);
          forward[to + m * C + c] = sum + score;
        }
      }
    }
  }
}

/** Returns log sum over p < P of exp(forward[from + p M] + grams[entry + p M C]). */
function logSumPaths(
  forward: Float64Array,
  from: number,
  grams: Float64Array,
  entry: number,
  P: number,
  M: number,
  C: number,
): number {
  let largest = -Infinity;
  for (let p = 0; p < P; p++) {
    const score = forward[from + p * M] + grams[entry + p * M * C];
    if (score > largest) largest = score;
  }
  if (largest === -Infinity) return -Infinity;
  let sum = 0;
  for (let p = 0; p < P; p++) sum += exp(forward[from + p * M] + grams[entry + p * M * C] - largest);
  return largest + log(sum);
}

/** Returns log sum of exp over values[from], values[from + step], ... before `end`. */
export function logSumRange(values: Float64Array, from: number, end: number, step: number): number {
  let largest = -Infinity;
  for (let k = from; k < end; k += step) if (values[k] > largest) largest = values[k];
  if (largest === -Infinity) return -Infinity;
  let sum = 0;
  for (let k = from; k < end; k += step) sum += exp(values[k] - largest);
  return largest + log(sum);
}

function logBackward(
  { lattice: { start }, scores, grams, table }: ChainProblem,
  { n, outer, inner, count, state }: Trellis,
  { forward, backward, marginals, expected }: LogSumArrays,
  logPartition: number,
): void {
  for (let i = n - 1; i >= 0; i--) {
    const P = outer[i];
    const M = inner[i];
    const C = count[i];
    const from = state[i];
    const first = start[i];
    const t = table[i];
    marginals.fill(0, first, first + C);
    for (let m = 0; m < M; m++) {
      const row = state[i + 1] + m * C;
      for (let c = 0; c < C; c++) {
        marginals[first + c] += exp(forward[row + c] + backward[row + c] - logPartition);
        backward[row + c] += scores[first + c];
      }
      const shared = t < 0 ? logSumRange(backward, row, row + C, 1) : 0;
      for (let p = 0; p < P; p++) {
        const before = from + p * M + m;
        if (t < 0) {
          backward[before] = shared;
          continue;
        }
        const entry = t + (p * M + m) * C;
        backward[before] = logSumPaths(backward, row, grams, entry, C, 1, 1);
        const path = forward[before] - logPartition;
        if (path === -Infinity) continue;
        for (let c = 0; c < C; c++) {
          expected[entry + c] += exp(path + grams[entry + c] + backward[row + c]);
        }
      }
    }
  }
}
