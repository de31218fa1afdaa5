import { random } from "@arcwise/core";
import { log } from "@arcwise/core/arithmetic";
import {
  anything,
  type Check,
  checkArgument,
  checkReceived,
  integer,
  isList,
  list,
  oneOf,
  refuse,
  shaped,
} from "@arcwise/core/options";
import { type ChainProblem, completeLattice, tableSize } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import { Viterbi } from "../inference/viterbi.ts";

/**
 * A hidden Markov model over labels 0..L - 1 and symbols 0..S - 1. All values are probabilities. Plain data.
 */
export interface Hmm {
  readonly order: 2 | 3;
  readonly labels: number;
  readonly symbols: number;
  /**
   * Probability of each label given the previous ones: label c after a and b at `(a (L + 1) + b) L + c`,
   * without a when the order is 2; index L stands for the beginning.
   */
  readonly transitions: Float64Array;
  /** Probability of symbol s given label y, at `y * symbols + s`. */
  readonly emissions: Float64Array;
}

/** Symbols and, if known, labels of a sequence. */
export interface HmmSequence {
  readonly symbols: Int32Array;
  readonly labels: Int32Array;
}

/** Options of a hidden Markov model. */
export interface HmmOptions {
  readonly labels: number;
  readonly symbols: number;
  /** Order 2: a label depends on the previous one; 3: on the two previous ones. Default: 2. */
  readonly order?: 2 | 3 | undefined;
}

/** Added to every count of a symbol with a label (Lidstone). */
const EMISSION_SMOOTHING = 0.1;

/**
 * Estimates a hidden Markov model from counts. Transitions are smoothed by linear interpolation of trigrams,
 * bigrams and single labels, with weights from deleted interpolation (Brants 2000, figure 1); emissions by
 * adding a constant to each count.
 *
 * O(words + L^order + L S).
 *
 * @throws ArcwiseError `invalid-data` with the number of a sequence that is not as described, or has a label or symbol out of
 *   range
 */
export function trainHmm(sequences: readonly HmmSequence[], options: HmmOptions): Hmm {
  const { labels: L, symbols: S, order = 2 } = options;
  const counts = new TransitionCounts(L);
  const emissions = new Float64Array(L * S).fill(EMISSION_SMOOTHING);
  const sequence = shaped<HmmSequence>("symbols and labels", { symbols: below(S), labels: below(L) });
  checkSequences(sequence, sequences, "trainHmm: sequences");
  for (const [s, { symbols, labels }] of sequences.entries()) {
    checkReceived(oneOf(symbols.length), labels.length, `sequence ${s + 1}: number of labels`);
    let a = L;
    let b = L;
    for (let i = 0; i < labels.length; i++) {
      const y = labels[i];
      emissions[y * S + symbols[i]] += 1;
      counts.add(a, b, y);
      a = b;
      b = y;
    }
  }
  normaliseRows(emissions, S);
  return { order, labels: L, symbols: S, transitions: counts.interpolated(order), emissions };
}

/** Accepts lists of integers from 0 to below a bound. */
function below(bound: number): Check {
  const item = integer(0, bound - 1);
  return (value, at) => {
    if (!isList(value)) return refuse(at, "a list of integers", value);
    for (let i = 0; i < value.length; i++) {
      // Paths are made for messages alone.
      const one = value[i];
      if (!(Number.isInteger(one) && (one as number) >= 0 && (one as number) < bound))
        item(one, `${at}[${i}]`);
    }
  };
}

function checkSequences(check: Check, sequences: readonly unknown[], where: string): void {
  checkArgument(list(anything), sequences, where);
  for (const [s, sequence] of sequences.entries()) checkReceived(check, sequence, `sequence ${s + 1}`);
}

function checked(what: string, value: number, bound: number): number {
  if (Number.isInteger(value) && value >= 0 && value < bound) return value;
  throw new RangeError(`expected a ${what} from 0 to ${bound - 1}, got ${value}`);
}

function normaliseRows(values: Float64Array, length: number): void {
  for (let row = 0; row < values.length; row += length) {
    let sum = 0;
    for (let k = row; k < row + length; k++) sum += values[k];
    for (let k = row; k < row + length; k++) values[k] = sum === 0 ? 1 / length : values[k] / sum;
  }
}

/** Counts of label trigrams, bigrams and single labels. */
class TransitionCounts {
  readonly #L: number;
  readonly #trigrams: Float64Array;
  readonly #bigrams: Float64Array;
  readonly #unigrams: Float64Array;

  constructor(L: number) {
    this.#L = L;
    this.#trigrams = new Float64Array((L + 1) * (L + 1) * L);
    this.#bigrams = new Float64Array((L + 1) * L);
    this.#unigrams = new Float64Array(L);
  }

  add(a: number, b: number, y: number): void {
    const L = this.#L;
    this.#trigrams[(a * (L + 1) + b) * L + y] += 1;
    this.#bigrams[b * L + y] += 1;
    this.#unigrams[y] += 1;
  }

  /**
   * Returns interpolated probabilities; the weight of single labels is never 0, so that no seen label is
   * impossible.
   */
  interpolated(order: 2 | 3): Float64Array {
    const L = this.#L;
    const [one, two, three] = this.#weights(order);
    const total = this.#unigrams.reduce((sum, count) => sum + count, 0);
    const probabilities = new Float64Array(order === 3 ? (L + 1) * (L + 1) * L : (L + 1) * L);
    for (let row = 0; row < probabilities.length; row += L) {
      const b = (row / L) % (L + 1);
      const before2 = sumOf(this.#bigrams, b * L, L);
      const before3 = order === 3 ? sumOf(this.#trigrams, row, L) : 0;
      for (let y = 0; y < L; y++) {
        const single = (this.#unigrams[y] + 1) / (total + L);
        const pair = before2 === 0 ? single : this.#bigrams[b * L + y] / before2;
        const triple = before3 === 0 ? pair : this.#trigrams[row + y] / before3;
        probabilities[row + y] = one * single + two * pair + three * triple;
      }
    }
    return probabilities;
  }

  /**
   * Computes weights by deleted interpolation: each trigram votes for the estimate that would predict it best
   * without itself.
   */
  #weights(order: 2 | 3): [number, number, number] {
    const L = this.#L;
    const total = this.#unigrams.reduce((sum, count) => sum + count, 0);
    const votes: [number, number, number] = [1, 0, 0];
    for (let code = 0; code < this.#trigrams.length; code++) {
      const count = this.#trigrams[code];
      if (count === 0) continue;
      const y = code % L;
      const b = ((code - y) / L) % (L + 1);
      const pair = this.#bigrams[b * L + y];
      const share = (part: number, whole: number) => (whole <= 1 ? 0 : (part - 1) / (whole - 1));
      const one = share(this.#unigrams[y], total);
      const two = share(pair, sumOf(this.#bigrams, b * L, L));
      const three = order === 3 ? share(count, sumOf(this.#trigrams, code - y, L)) : -1;
      if (three >= two && three >= one) votes[2] += count;
      else if (two >= one) votes[1] += count;
      else votes[0] += count;
    }
    const sum = votes[0] + votes[1] + votes[2];
    return [votes[0] / sum, votes[1] / sum, votes[2] / sum];
  }
}

function sumOf(values: Float64Array, from: number, count: number): number {
  let sum = 0;
  for (let k = from; k < from + count; k++) sum += values[k];
  return sum;
}

/** Problems of many sequences with one model, whose tables of logarithms are scratch memory. */
class HmmProblems {
  readonly #hmm: Hmm;
  readonly #grams: Float64Array;
  readonly #logEmissions: Float64Array;
  /** Offsets of the tables of the first positions, and the end. */
  readonly #starts: readonly number[];
  /** The transition of each entry of the tables. */
  readonly #codes: Int32Array;

  constructor(hmm: Hmm) {
    this.#hmm = hmm;
    const { order, labels: L, transitions } = hmm;
    this.#logEmissions = hmm.emissions.map((p) => log(p));
    const { start } = completeLattice(order, L);
    const starts = [0];
    const codes: number[] = [];
    for (let i = 0; i < order; i++) {
      for (let entry = 0; entry < tableSize(order, start, i); entry++)
        codes.push(entryCode(order, L, i, entry));
      starts.push(codes.length);
    }
    this.#starts = starts;
    this.#codes = Int32Array.from(codes);
    this.#grams = Float64Array.from(codes, (code) => log(transitions[code]));
  }

  problem(symbols: Int32Array): ChainProblem {
    const { order, labels: L, symbols: S } = this.#hmm;
    const n = symbols.length;
    const scores = new Float64Array(n * L);
    for (let i = 0; i < n; i++) {
      const s = checked("symbol", symbols[i], S);
      for (let y = 0; y < L; y++) scores[i * L + y] = this.#logEmissions[y * S + s];
    }
    const table = Int32Array.from({ length: n }, (_, i) => this.#starts[Math.min(i, order - 1)]);
    return { order, lattice: completeLattice(n, L), scores, grams: this.#grams, table };
  }

  /** Adds expected counts of table entries to counts of transitions. */
  addCounts(expected: Float64Array, n: number, into: Float64Array): void {
    const end = this.#starts[Math.min(n, this.#hmm.order)];
    for (let entry = 0; entry < end; entry++) into[this.#codes[entry]] += expected[entry];
  }
}

/** Returns the transition of an entry of the table of position i (order - 1 for all later ones). */
function entryCode(order: 2 | 3, L: number, i: number, entry: number): number {
  const y = entry % L;
  const history = (entry - y) / L;
  const b = i === 0 ? L : history % L;
  if (order === 2) return b * L + y;
  const a = i < 2 ? L : (history - b) / L;
  return (a * (L + 1) + b) * L + y;
}

/**
 * Returns a function that finds the most probable labels of symbols (Viterbi 1967), with memory of its own. A
 * call takes O(n L^order).
 *
 * The function throws RangeError on a symbol out of range.
 */
export function hmmDecoder(hmm: Hmm): (symbols: Int32Array) => Int32Array {
  const problems = new HmmProblems(hmm);
  const viterbi = new Viterbi();
  return (symbols) => {
    const labels = new Int32Array(symbols.length);
    if (symbols.length > 0) viterbi.decodeInto(problems.problem(symbols), labels);
    return labels;
  };
}

/**
 * Makes a random model as the start of Baum-Welch, in which all labels differ. The same seed gives the same
 * model.
 */
export function randomHmm(options: {
  readonly labels: number;
  readonly symbols: number;
  readonly order?: 2 | 3 | undefined;
  readonly seed: number;
}): Hmm {
  const { labels: L, symbols: S, order = 2, seed } = options;
  const rng = random(seed);
  const transitions = Float64Array.from(
    { length: order === 3 ? (L + 1) * (L + 1) * L : (L + 1) * L },
    () => 1 + rng.next(),
  );
  const emissions = Float64Array.from({ length: L * S }, () => 1 + rng.next());
  normaliseRows(transitions, L);
  normaliseRows(emissions, S);
  return { order, labels: L, symbols: S, transitions, emissions };
}

/** Options of the Baum-Welch algorithm. */
export interface BaumWelchOptions {
  /** Maximum number of iterations. Default: 50. */
  readonly iterations?: number | undefined;
  /** Stops when the log-likelihood grows by less than this share of itself. Default: 1e-6. */
  readonly tolerance?: number | undefined;
  readonly onIteration?: ((iteration: number, logLikelihood: number) => void) | undefined;
}

/**
 * Estimates a model without labels by the Baum-Welch algorithm (Baum, Petrie, Soules and Weiss 1970). The
 * likelihood never falls; the local optimum depends on the initial model.
 *
 * O(iterations · words · L^order).
 *
 * @returns the last model, and the log-likelihood of the symbols before each iteration and at the end
 * @throws ArcwiseError `invalid-data` with the number of a sequence that has a symbol out of range
 */
export function baumWelch(
  initial: Hmm,
  sequences: readonly Int32Array[],
  { iterations = 50, tolerance = 1e-6, onIteration }: BaumWelchOptions = {},
): { readonly hmm: Hmm; readonly logLikelihoods: readonly number[] } {
  checkSequences(below(initial.symbols), sequences, "baumWelch: sequences");
  const sums = new ForwardBackward();
  let hmm = initial;
  const logLikelihoods: number[] = [];
  for (let iteration = 1; ; iteration++) {
    const step = expectation(hmm, sequences, sums);
    const before = logLikelihoods.at(-1);
    logLikelihoods.push(step.logLikelihood);
    onIteration?.(iteration, step.logLikelihood);
    const gain = before === undefined ? Infinity : step.logLikelihood - before;
    if (iteration > iterations || gain < tolerance * Math.abs(step.logLikelihood)) break;
    hmm = step.next;
  }
  return { hmm, logLikelihoods };
}

/** Returns the log-likelihood of sequences, and the model of their expected counts. */
function expectation(
  hmm: Hmm,
  sequences: readonly Int32Array[],
  sums: ForwardBackward,
): { readonly logLikelihood: number; readonly next: Hmm } {
  const { labels: L, symbols: S } = hmm;
  const problems = new HmmProblems(hmm);
  const transitions = new Float64Array(hmm.transitions.length);
  const emissions = new Float64Array(hmm.emissions.length);
  let logLikelihood = 0;
  for (const symbols of sequences) {
    const n = symbols.length;
    if (n === 0) continue;
    const { logPartition, marginals, grams } = sums.sum(problems.problem(symbols));
    logLikelihood += logPartition;
    problems.addCounts(grams, n, transitions);
    for (let i = 0; i < n; i++) {
      for (let y = 0; y < L; y++) emissions[y * S + symbols[i]] += marginals[i * L + y];
    }
  }
  normaliseRows(transitions, L);
  normaliseRows(emissions, S);
  return { logLikelihood, next: { ...hmm, transitions, emissions } };
}
