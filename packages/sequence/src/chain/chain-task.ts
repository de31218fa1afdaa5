import type { SparseVector } from "@arcwise/core";
import type {
  GradientSink,
  PartModel,
  SearchTrace,
  StructuredTask,
  Update,
  WeightVector,
} from "@arcwise/learn";
import { type ChainProblem, scoreLabelling } from "../inference/chain-problem.ts";
import { ForwardBackward } from "../inference/forward-backward.ts";
import { kBestLabellings } from "../inference/kbest.ts";
import { Viterbi } from "../inference/viterbi.ts";
import { chainParts } from "./chain-parts.ts";
import type { ChainScorer, PreparedSequence } from "./chain-scorer.ts";
import { chainSearch } from "./chain-search.ts";
import { localExpectations } from "./local.ts";
import { EntrySlopes, NEGLIGIBLE, UnarySlopes } from "./unary-gradients.ts";

/** A prepared sequence with its gold labels, which are among its candidates. */
export interface ChainExample {
  readonly prepared: PreparedSequence;
  readonly labels: Int32Array;
}

export interface ChainTaskOptions {
  /**
   * What `expectations` gives a probability to: whole labellings (a conditional random field), or each label given
   * the labels before it (a maximum-entropy Markov model).
   */
  readonly normalisation?: "global" | "local";
  /** States that `search` keeps. Default: 8. */
  readonly beam?: number;
}

/** The task of chains with every method that a learner may ask for. */
export interface ChainTask extends StructuredTask<Int32Array> {
  kBest(example: number, weights: WeightVector, k: number, costAugmented: boolean): readonly Int32Array[];
  expectations(example: number, weights: WeightVector, into: SparseVector): Update;
  addExpectations(example: number, weights: WeightVector, into: GradientSink): Update;
  search(example: number, weights: WeightVector): SearchTrace;
  readonly parts: PartModel;
}

/**
 * Sequences as a task of structured learners. Outputs are labels, the cost is the number of wrong ones. The scorer is
 * used by nobody else at the same time. An example costs what scoring and Viterbi or forward-backward cost.
 */
export function chainTask(
  examples: readonly ChainExample[],
  scorer: ChainScorer,
  { normalisation = "global", beam = 8 }: ChainTaskOptions = {},
): ChainTask {
  const viterbi = new Viterbi();
  const sums = new ForwardBackward();
  const L = scorer.space.labels;
  const gramSums: GramSums = {
    bigrams: new Float64Array(scorer.space.observed ? 0 : (L + 1) * L),
    trigrams: new Float64Array(scorer.space.observed || scorer.order < 3 ? 0 : (L + 1) ** 2 * L),
  };
  let output = new Int32Array(64);

  function score(example: number, weights: WeightVector, costAugmented: boolean): ChainProblem {
    const { prepared, labels } = examples[example]!;
    const problem = scorer.score(prepared, weights);
    if (costAugmented) addCosts(problem, labels);
    return problem;
  }

  const unary = new UnarySlopes(scorer);

  function globalExpectations(example: number, weights: WeightVector, into: GradientSink): Update {
    const { prepared, labels } = examples[example]!;
    const problem = score(example, weights, false);
    const { logPartition, marginals, grams } = sums.sum(problem);
    const cost = unary.add(prepared, labels, marginals, into);
    for (let i = 0; i < prepared.n; i++) scorer.addFeatures(prepared, i, labels, 1, into, 2);
    if (scorer.extractor.order > 1) subtractGrams(scorer, prepared, problem, grams, gramSums, into);
    return { cost, loss: logPartition - goldScore(problem, labels) };
  }

  function addExpectations(example: number, weights: WeightVector, into: GradientSink): Update {
    if (normalisation === "global") return globalExpectations(example, weights, into);
    return localExpectations(examples[example]!, scorer, score(example, weights, false), into);
  }

  return {
    size: examples.length,
    dimension: scorer.space.dimension,
    decode(example, weights, costAugmented) {
      const { n } = examples[example]!.prepared;
      if (output.length < n) output = new Int32Array(2 * n);
      viterbi.decodeInto(score(example, weights, costAugmented), output);
      return output;
    },
    difference(example, labels, into) {
      const { prepared, labels: gold } = examples[example]!;
      return addDifference(scorer, prepared, gold, labels, prepared.n, into);
    },
    kBest(example, weights, k, costAugmented) {
      const best = kBestLabellings(score(example, weights, costAugmented), k, viterbi);
      return best.map(({ labels }) => labels);
    },
    expectations: (example, weights, into) => addExpectations(example, weights, new EntrySlopes(into)),
    addExpectations,
    search: chainSearch(examples, scorer, beam),
    parts: chainParts(examples, scorer),
  };
}

/** The features of the first `length` gold labels less those of others; returns how many labels differ. O(length). */
export function addDifference(
  scorer: ChainScorer,
  prepared: PreparedSequence,
  gold: Int32Array,
  labels: Int32Array,
  length: number,
  into: SparseVector,
): number {
  let cost = 0;
  let since = 3;
  for (let i = 0; i < length; i++) {
    if (labels[i] === gold[i]) since++;
    else {
      since = 0;
      cost++;
    }
    // K-grams are the same where the last labels are.
    if (since >= scorer.extractor.order) continue;
    const from = since === 0 ? 1 : since + 1;
    scorer.addFeatures(prepared, i, gold, 1, into, from);
    scorer.addFeatures(prepared, i, labels, -1, into, from);
  }
  return cost;
}

/** Adds a cost of 1 to all candidates that are not gold. */
function addCosts({ lattice: { n, start, labels }, scores }: ChainProblem, gold: Int32Array): void {
  for (let i = 0; i < n; i++) {
    for (let c = start[i]!; c < start[i + 1]!; c++) if (labels[c] !== gold[i]) scores[c]! += 1;
  }
}

/** The score of the gold labels. @throws RangeError when they are forbidden */
function goldScore(problem: ChainProblem, gold: Int32Array): number {
  const score = scoreLabelling(problem, gold);
  if (score === -Infinity) throw new RangeError("the gold labels are not allowed");
  return score;
}

/** Takes the expected features of bigrams and trigrams of labels away. */
function subtractGrams(
  scorer: ChainScorer,
  prepared: PreparedSequence,
  problem: ChainProblem,
  expected: Float64Array,
  sums: GramSums,
  into: GradientSink,
): void {
  const { n } = prepared;
  const { table } = problem;
  for (let i = 0; i < n; i++) {
    // The expected counts of a shared table are those of all its positions.
    if (i > 0 && table[i] === table[i - 1]) break;
    subtractTable(scorer, prepared, i, expected, table[i]!, sums, into);
    if (scorer.space.observed) continue;
    scorer.tables!.eachLineEntry(prepared, i, table[i]!, (weight, entry) => {
      if (expected[entry]! > NEGLIGIBLE) into.add(weight, -expected[entry]!);
    });
  }
  subtractSums(scorer, sums, into);
}

/** Expected counts of k-grams over a sequence. */
interface GramSums {
  readonly bigrams: Float64Array;
  readonly trigrams: Float64Array;
}

/** Takes the features of k-grams alone away, times their expected counts, and clears these. */
function subtractSums({ space }: ChainScorer, { bigrams, trigrams }: GramSums, into: GradientSink): void {
  for (const base of space.constants(2)) {
    for (let k = 0; k < bigrams.length; k++) if (bigrams[k]! > NEGLIGIBLE) into.add(base + k, -bigrams[k]!);
  }
  for (const base of space.constants(3)) {
    for (let k = 0; k < trigrams.length; k++)
      if (trigrams[k]! > NEGLIGIBLE) into.add(base + k, -trigrams[k]!);
  }
  bigrams.fill(0);
  trigrams.fill(0);
}

/** Sums what does not look at the input; with observed pairs, takes everything away. */
function subtractTable(
  scorer: ChainScorer,
  { lattice: { start, labels }, features }: PreparedSequence,
  i: number,
  expected: Float64Array,
  at: number,
  sums: GramSums,
  into: GradientSink,
): void {
  const { order, space } = scorer;
  const L = space.labels;
  const count = start[i + 1]! - start[i]!;
  const before = i > 0 ? start[i]! - start[i - 1]! : 1;
  const first = order > 2 && i > 1 ? start[i - 1]! - start[i - 2]! : 1;
  let entry = at;
  for (let p = 0; p < first; p++) {
    const a = i > 1 ? labels[start[i - 2]! + p]! : L;
    for (let m = 0; m < before; m++) {
      const b = i > 0 ? labels[start[i - 1]! + m]! : L;
      for (let c = 0; c < count; c++, entry++) {
        const amount = expected[entry]!;
        if (amount <= NEGLIGIBLE) continue;
        const bigram = b * L + labels[start[i]! + c]!;
        const trigram = bigram + a * (L + 1) * L;
        if (!space.observed) {
          sums.bigrams[bigram]! += amount;
          if (order === 3) sums.trigrams[trigram]! += amount;
          continue;
        }
        if (features[1]) scorer.addGram(features[1], 2, i, bigram, -amount, into);
        if (features[2]) scorer.addGram(features[2], 3, i, trigram, -amount, into);
      }
    }
  }
}
