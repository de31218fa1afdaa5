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
import type { ChainExample } from "./chain-example.ts";
import { chainParts } from "./chain-parts.ts";
import type { ChainScorer } from "./chain-scorer.ts";
import { addDifference, chainSearch } from "./chain-search.ts";
import { GramGradients } from "./gram-gradients.ts";
import { localExpectations } from "./local.ts";
import { EntryGradients, UnaryGradients } from "./unary-gradients.ts";

export interface ChainTaskOptions {
  /**
   * Normalisation of the probabilities of `expectations`: over whole labellings (a conditional random field),
   * or over each label given the labels before it (a maximum-entropy Markov model).
   */
  readonly normalisation?: "global" | "local" | undefined;
  /** Beam width of `search`. Default: 8. */
  readonly beam?: number | undefined;
}

/** The task of chains, with all optional methods. */
export interface ChainTask extends StructuredTask<Int32Array> {
  kBest(example: number, weights: WeightVector, k: number, costAugmented: boolean): readonly Int32Array[];
  expectations(example: number, weights: WeightVector, into: SparseVector): Update;
  addExpectations(example: number, weights: WeightVector, into: GradientSink): Update;
  search(example: number, weights: WeightVector): SearchTrace;
  readonly parts: PartModel;
}

/**
 * Makes a task of structured learners from sequences. Outputs are labels, the cost is the number of wrong
 * ones. The scorer must not be used by others at the same time. An example costs as much as scoring and
 * Viterbi or forward-backward.
 */
export function chainTask(
  examples: readonly ChainExample[],
  scorer: ChainScorer,
  { normalisation = "global", beam = 8 }: ChainTaskOptions = {},
): ChainTask {
  const viterbi = new Viterbi();
  const sums = new ForwardBackward();
  let output = new Int32Array(64);

  function score(example: number, weights: WeightVector, costAugmented: boolean): ChainProblem {
    const { prepared, labels } = examples[example];
    const problem = scorer.score(prepared, weights);
    if (costAugmented) addCosts(problem, labels);
    return problem;
  }

  const unary = new UnaryGradients(scorer);
  const pairs = new GramGradients(scorer);

  function globalExpectations(example: number, weights: WeightVector, into: GradientSink): Update {
    const { prepared, labels } = examples[example];
    const problem = score(example, weights, false);
    const { logPartition, marginals, grams } = sums.sum(problem);
    const cost = unary.add(prepared, labels, marginals, into);
    const added = { into, scale: 1 };
    for (let i = 0; i < prepared.n; i++) scorer.addFeatures(prepared, i, labels, added, 2);
    if (scorer.extractor.order > 1) pairs.subtract(prepared, problem, grams, into);
    return { cost, loss: logPartition - goldScore(problem, labels) };
  }

  function addExpectations(example: number, weights: WeightVector, into: GradientSink): Update {
    if (normalisation === "global") return globalExpectations(example, weights, into);
    return localExpectations(examples[example], scorer, score(example, weights, false), into);
  }

  return {
    size: examples.length,
    dimension: scorer.space.dimension,
    decode(example, weights, costAugmented) {
      const { n } = examples[example].prepared;
      if (output.length < n) output = new Int32Array(2 * n);
      viterbi.decodeInto(score(example, weights, costAugmented), output);
      return output;
    },
    difference(example, labels, into) {
      const { n } = examples[example].prepared;
      return addDifference(scorer, examples[example], labels, n, into);
    },
    kBest(example, weights, k, costAugmented) {
      const best = kBestLabellings(score(example, weights, costAugmented), k, viterbi);
      return best.map(({ labels }) => labels);
    },
    expectations: (example, weights, into) => addExpectations(example, weights, new EntryGradients(into)),
    addExpectations,
    search: chainSearch(examples, scorer, beam),
    parts: chainParts(examples, scorer),
  };
}

/** Adds a cost of 1 to the scores of all candidates that are not gold. */
export function addCosts(
  { lattice: { n, start, labels }, scores }: Pick<ChainProblem, "lattice" | "scores">,
  gold: Int32Array,
): void {
  for (let i = 0; i < n; i++) {
    for (let c = start[i]; c < start[i + 1]; c++) if (labels[c] !== gold[i]) scores[c] += 1;
  }
}

/** Returns the score of the gold labels. */
function goldScore(problem: ChainProblem, gold: Int32Array): number {
  const score = scoreLabelling(problem, gold);
  if (score === -Infinity) throw new RangeError("the gold labels are forbidden");
  return score;
}
