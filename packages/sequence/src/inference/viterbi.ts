import {
  type ChainProblem,
  grown,
  grownInts,
  type Labelling,
  NoLabelling,
  Trellis,
} from "./chain-problem.ts";

/**
 * Computes the best score of all paths into each state (Viterbi 1967), and the forgotten candidate of the
 * best path, the first in ties. O(entries of all tables), O(n C) for order 1.
 *
 * @param best receives one score per state
 * @param back receives one forgotten candidate per state
 */
export function maximumScores(
  { lattice: { start }, scores, grams, table }: ChainProblem,
  { n, outer, inner, count, state }: Trellis,
  best: Float64Array,
  back: Int32Array,
): void {
  best[0] = 0;
  for (let i = 0; i < n; i++) {
    const [P, M, C] = [outer[i], inner[i], count[i]];
    const from = state[i];
    const to = state[i + 1];
    const first = start[i];
    const t = table[i];
    for (let m = 0; m < M; m++) {
      const row = to + m * C;
      if (t < 0) {
        let p = 0;
        for (let q = 1; q < P; q++) if (best[from + q * M + m] > best[from + p * M + m]) p = q;
        const before = best[from + p * M + m];
        for (let c = 0; c < C; c++) {
          best[row + c] = before + scores[first + c];
          back[row + c] = p;
        }
        continue;
      }
      for (let c = 0; c < C; c++) {
        best[row + c] = -Infinity;
        back[row + c] = 0;
      }
      for (let p = 0; p < P; p++) {
        const before = best[from + p * M + m];
        if (before === -Infinity) continue;
        const entry = t + (p * M + m) * C;
        for (let c = 0; c < C; c++) {
          const score = before + grams[entry + c];
          if (score > best[row + c]) {
            best[row + c] = score;
            back[row + c] = p;
          }
        }
      }
      for (let c = 0; c < C; c++) best[row + c] += scores[first + c];
    }
  }
}

/** A path through the states of the first `length` positions. */
export interface StatePath {
  readonly length: number;
  /** The state of the last position. */
  readonly last: number;
  /** For each state, the forgotten candidate of the best path to it. */
  readonly back: Int32Array;
}

/** Writes the labels of a path to `labels`. O(length). */
export function traceBack(
  { lattice: { start, labels: candidates } }: ChainProblem,
  { inner, count, state }: Trellis,
  { length, last, back }: StatePath,
  labels: Int32Array,
): void {
  let at = last;
  for (let i = length - 1; i >= 0; i--) {
    const local = at - state[i + 1];
    const C = count[i];
    const c = local % C;
    const m = (local - c) / C;
    labels[i] = candidates[start[i] + c];
    at = state[i] + back[at] * inner[i] + m;
  }
}

/** Returns the last state of highest score, the first in ties. */
export function bestLast({ n, state, states }: Trellis, best: Float64Array): number {
  let last = state[n];
  for (let s = last + 1; s < states; s++) if (best[s] > best[last]) last = s;
  return last;
}

/** Finds best labellings. Scratch memory grows with the largest problem. */
export class Viterbi {
  readonly trellis = new Trellis();
  /** The best score of all paths into each state of the trellis of the last problem. */
  best = new Float64Array(0);
  #back = new Int32Array(0);

  /**
   * Writes the labelling of highest score to `labels`; returns its score.
   *
   * Cost: O(n C^order) for C candidates per position; O(n C) for order 1.
   */
  decodeInto(problem: ChainProblem, labels: Int32Array): number {
    const { trellis } = this;
    trellis.reset(problem);
    const { states } = trellis;
    this.best = grown(this.best, states);
    this.#back = grownInts(this.#back, states);
    maximumScores(problem, trellis, this.best, this.#back);
    const last = bestLast(trellis, this.best);
    const score = this.best[last];
    if (score === -Infinity) throw new NoLabelling("every labelling of the sequence is forbidden");
    traceBack(problem, trellis, { length: trellis.n, last, back: this.#back }, labels);
    return score;
  }
}

/**
 * Returns the labelling of highest score (Viterbi 1967).
 *
 * Cost: O(n C^order) time, O(n C^(order - 1)) memory.
 *
 * @throws ArcwiseError `no-labelling` when every labelling is forbidden
 */
export function viterbi(problem: ChainProblem): Labelling {
  const labels = new Int32Array(problem.lattice.n);
  return { score: new Viterbi().decodeInto(problem, labels), labels };
}
