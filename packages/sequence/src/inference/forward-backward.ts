import { exp, log } from "@arcwise/core/arithmetic";
import { type ChainProblem, grown, NoLabelling, Trellis } from "./chain-problem.ts";
import { logSums } from "./log-sums.ts";

/**
 * Log-partition, marginals and expected counts of the labellings of a chain, with the weights exp(score). The
 * arrays belong to the instance that computed them.
 */
export interface ChainSums {
  /** Log-partition: logarithm of the sum of all weights. */
  readonly logPartition: number;
  /**
   * Probability of each candidate; the candidates of a position sum to 1. May be longer than the candidates.
   */
  readonly marginals: Float64Array;
  /**
   * For each entry of a table the expected number of positions with its k-gram: the sum of probabilities over
   * the positions that share the table. Laid out as `grams` of the problem; entries outside all tables are
   * undefined.
   */
  readonly grams: Float64Array;
}

/** Scores of a position that differ by more than this are summed as logarithms. */
const WIDEST = 100;

/**
 * Computes log-partition, marginals and expected counts by the forward-backward algorithm (Baum et al. 1970;
 * Rabiner 1989, section V.A). If the scores of each position differ by at most 100, weights are rescaled to a
 * sum of 1 at each position, with one exponential per table entry, even if positions share the table;
 * otherwise logarithms are summed. With this limit, a weight is at least exp(-100) of its sum per step, so
 * that only seven consecutive steps of forbidden k-grams come near the limits of a Float64.
 *
 * Scratch memory grows with the largest problem.
 */
export class ForwardBackward {
  readonly trellis = new Trellis();
  #forward = new Float64Array(0);
  #backward = new Float64Array(0);
  #weights = new Float64Array(0);
  #factors = new Float64Array(0);
  #scales = new Float64Array(0);
  #marginals = new Float64Array(0);
  #grams = new Float64Array(0);
  /** The tables for which the weights were computed. */
  #computed = new Int32Array(0);
  #run = 0;
  /** The logarithm of the divisor of each table, by its offset. */
  readonly #shifts = new Map<number, number>();
  readonly #exponential: (x: number) => number;

  /**
   * @param exponential e^x for -100 <= x <= 0, used while scores differ by at most 100. A function of
   *   arithmetic operations, which every engine rounds alike, gives the same marginals on every engine.
   */
  constructor(exponential: (x: number) => number = exp) {
    this.#exponential = exponential;
  }

  /**
   * Computes the sums. Cost: O(n C^order) for C candidates per position, O(n C) for order 1.
   *
   * @throws ArcwiseError `no-labelling` when every labelling is forbidden
   */
  sum(problem: ChainProblem): ChainSums {
    this.#reserve(problem);
    const { trellis } = this;
    const { n } = trellis;
    this.#clearTables(problem);
    const shift = this.#exponentials(problem);
    if (Number.isNaN(shift)) {
      const logPartition = logSums(problem, trellis, {
        forward: this.#forward,
        backward: this.#backward,
        marginals: this.#marginals,
        expected: this.#grams,
      });
      return { logPartition, marginals: this.#marginals, grams: this.#grams };
    }
    this.#forwardWeights(problem);
    let logPartition = shift;
    for (let i = 0; i < n; i++) {
      if (this.#scales[i] === 0) throw new NoLabelling("every labelling of the sequence is forbidden");
      logPartition += log(this.#scales[i]);
    }
    const { state, states } = trellis;
    this.#backward.fill(1, state[n], states);
    this.#backwardWeights(problem);
    return { logPartition, marginals: this.#marginals, grams: this.#grams };
  }

  #reserve(problem: ChainProblem): void {
    const { trellis } = this;
    trellis.reset(problem);
    const { grams, lattice } = problem;
    this.#forward = grown(this.#forward, trellis.states);
    this.#backward = grown(this.#backward, trellis.states);
    this.#scales = grown(this.#scales, trellis.n);
    this.#factors = grown(this.#factors, lattice.start[trellis.n]);
    this.#marginals = grown(this.#marginals, lattice.start[trellis.n]);
    if (this.#weights.length < grams.length) {
      this.#weights = new Float64Array(grams.length);
      this.#grams = new Float64Array(grams.length);
      this.#computed = new Int32Array(grams.length);
      this.#run = 0;
    }
  }

  /** Clears the expected counts of all tables in use. */
  #clearTables({ table }: ChainProblem): void {
    const { outer, inner, count, n } = this.trellis;
    this.#run++;
    for (let i = 0; i < n; i++) {
      const t = table[i];
      if (t < 0 || this.#computed[t] === this.#run) continue;
      this.#computed[t] = this.#run;
      this.#grams.fill(0, t, t + outer[i] * inner[i] * count[i]);
    }
    this.#run++;
  }

  /**
   * Computes the weights of all candidates and table entries, scaled to a maximum of 1 per position and per
   * table.
   *
   * @returns the sum of the logarithms of the divisors; NaN when scores differ too much
   */
  #exponentials({ lattice: { start }, scores, grams, table }: ChainProblem): number {
    const { n, outer, inner, count } = this.trellis;
    const weights = this.#weights;
    let shift = 0;
    for (let i = 0; i < n; i++) {
      const top = exponentiate(scores, this.#factors, start[i], start[i + 1], this.#exponential);
      if (Number.isNaN(top)) return Number.NaN;
      shift += top;
      const t = table[i];
      if (t < 0) continue;
      const end = t + outer[i] * inner[i] * count[i];
      if (this.#computed[t] !== this.#run) {
        // The logarithm of the divisor is stored: other positions share the table.
        const largest = exponentiate(grams, weights, t, end, this.#exponential);
        if (Number.isNaN(largest)) return Number.NaN;
        this.#computed[t] = this.#run;
        this.#shifts.set(t, largest);
      }
      shift += this.#shifts.get(t)!;
    }
    return shift;
  }

  /** Computes the weights of all paths into each state, with each position scaled to a sum of 1. */
  #forwardWeights({ lattice: { start }, table }: ChainProblem): void {
    const { n, outer, inner, count, state } = this.trellis;
    const factors = this.#factors;
    const weights = this.#weights;
    const forward = this.#forward;
    forward[0] = 1;
    for (let i = 0; i < n; i++) {
      const P = outer[i];
      const M = inner[i];
      const C = count[i];
      const from = state[i];
      const to = state[i + 1];
      const first = start[i];
      const t = table[i];
      let total = 0;
      for (let m = 0; m < M; m++) {
        const row = to + m * C;
        let before = 0;
        if (t < 0) for (let p = 0; p < P; p++) before += forward[from + p * M + m];
        for (let c = 0; c < C; c++) forward[row + c] = before;
        if (t >= 0) addPaths(forward, from + m, M, weights, t + m * C, P, row, C);
        for (let c = 0; c < C; c++) {
          forward[row + c] *= factors[first + c];
          total += forward[row + c];
        }
      }
      this.#scales[i] = total;
      if (total === 0) return;
      const scale = 1 / total;
      for (let s = to; s < to + M * C; s++) forward[s] *= scale;
    }
  }

  /** Computes the weights of the paths from each state to the end, and the marginals. */
  #backwardWeights({ lattice: { start }, table }: ChainProblem): void {
    const { n, outer, inner, count, state } = this.trellis;
    const forward = this.#forward;
    const backward = this.#backward;
    const factors = this.#factors;
    const weights = this.#weights;
    const marginals = this.#marginals;
    const expected = this.#grams;
    for (let i = n - 1; i >= 0; i--) {
      const P = outer[i];
      const M = inner[i];
      const C = count[i];
      const from = state[i];
      const to = state[i + 1];
      const first = start[i];
      const t = table[i];
      marginals.fill(0, first, first + C);
      for (let m = 0; m < M; m++) {
        const row = to + m * C;
        for (let c = 0; c < C; c++) marginals[first + c] += forward[row + c] * backward[row + c];
      }
      const scale = 1 / this.#scales[i];
      for (let m = 0; m < M; m++) {
        const row = to + m * C;
        // From here on, the sum after a state includes the state's own factor.
        for (let c = 0; c < C; c++) backward[row + c] *= factors[first + c] * scale;
        if (t < 0) {
          let sum = 0;
          for (let c = 0; c < C; c++) sum += backward[row + c];
          for (let p = 0; p < P; p++) backward[from + p * M + m] = sum;
          continue;
        }
        for (let p = 0; p < P; p++) {
          const entry = t + (p * M + m) * C;
          const before = forward[from + p * M + m];
          let sum = 0;
          for (let c = 0; c < C; c++) {
            const after = weights[entry + c] * backward[row + c];
            sum += after;
            expected[entry + c] += before * after;
          }
          backward[from + p * M + m] = sum;
        }
      }
    }
  }
}

/**
 * Writes exp(score - largest) of a range; returns the largest, NaN when finite scores differ too much or
 * there are none.
 */
function exponentiate(
  scores: Float64Array,
  weights: Float64Array,
  from: number,
  end: number,
  exponential: (x: number) => number,
): number {
  let largest = -Infinity;
  let smallest = Infinity;
  for (let k = from; k < end; k++) {
    const score = scores[k];
    if (score > largest) largest = score;
    if (score < smallest && score !== -Infinity) smallest = score;
  }
  if (largest === -Infinity || largest - smallest > WIDEST) return Number.NaN;
  for (let k = from; k < end; k++) weights[k] = exponential(scores[k] - largest);
  return largest;
}

/**
 * Adds to C entries of `forward` from `row` on, for each of P paths (M apart from `from` on), its weight
 * times the entries of its row of the table (M C apart from `entry` on): four paths at a time.
 */
function addPaths(
  forward: Float64Array,
  from: number,
  M: number,
  weights: Float64Array,
  entry: number,
  P: number,
  row: number,
  C: number,
): void {
  const width = M * C;
  let p = 0;
  for (; p + 3 < P; p += 4) {
    const w0 = forward[from + p * M];
    const w1 = forward[from + (p + 1) * M];
    const w2 = forward[from + (p + 2) * M];
    const w3 = forward[from + (p + 3) * M];
    const e0 = entry + p * width;
    const e1 = e0 + width;
    const e2 = e1 + width;
    const e3 = e2 + width;
    for (let c = 0; c < C; c++) {
      forward[row + c] +=
        w0 * weights[e0 + c] + w1 * weights[e1 + c] + w2 * weights[e2 + c] + w3 * weights[e3 + c];
    }
  }
  for (; p < P; p++) {
    const path = forward[from + p * M];
    const e = entry + p * width;
    for (let c = 0; c < C; c++) forward[row + c] += path * weights[e + c];
  }
}
