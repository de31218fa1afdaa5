import {
  type Arcs,
  type Decoder,
  type DecoderWith,
  hasCapability,
  requireCapability,
  type SparseVector,
} from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { PartModel, Update, WeightVector } from "@arcwise/learn";
import { countErrors, decodeSentence } from "../decoding/decode.ts";
import { decodeRelaxed, type RoundedTree, relaxedCost } from "../decoding/relaxed-trees.ts";
import { TreeLikelihood } from "../decoding/tree-likelihood.ts";
import type { Costs } from "../scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { LabelShares } from "../scoring/arcs/label-shares.ts";
import { type Dimensions, totalDimension, trainingWeights } from "../scoring/model-weights.ts";
import type { Scorers } from "../scoring/scorers.ts";
import { type ScoredSentence, SentenceScorer } from "../scoring/sentence-scorer.ts";
import type { CostWeights } from "../types.ts";
import { type CountedTask, HEADS_AND_LABELS } from "./counted-task.ts";
import { TreeDifference } from "./tree-difference.ts";
import { labelledArcParts } from "./tree-parts.ts";
import type { WordDropout } from "./word-dropout.ts";

/** A sentence prepared for training: its words as codes, its candidate arcs, its gold tree. */
export interface PreparedExample {
  readonly sentence: EncodedSentence;
  readonly arcs: Arcs;
  readonly gold: EncodedTree;
}

/** A tree predicted in training. */
export interface PredictedTree extends RoundedTree {
  /** The sentence as it was scored, with the words that were unknown; undefined: the sentence itself. */
  readonly sentence?: EncodedSentence | undefined;
}

/** Parsing as a structured task, which counts words with a wrong head or label. */
export type ParsingTask = CountedTask<PredictedTree>;

export interface TaskOptions {
  readonly costs: CostWeights;
  /** Entries of the gradient up to this are omitted from `expectations`. Default: 0.001. */
  readonly negligible?: number | undefined;
  /**
   * Number of steps made before, when training resumes: they determine the words that are unknown. Default: 0.
   */
  readonly steps?: number;
  /**
   * Whether a difference is that to the solution of the decoder's relaxation where this is no tree, and its
   * cost the expected one (Martins et al. 2010). Only for decoders with `decodeRelaxed`. Default: false.
   */
  readonly fractional?: boolean;
  /** Makes words unknown at random, with another choice each step. Default: none. */
  readonly dropout?: WordDropout | undefined;
}

/** Entries of gradients up to this are omitted: most arcs and labels have almost no probability. */
const NEGLIGIBLE = 1e-3;

/**
 * Labelled parsing as a structured task. Outputs are trees. It has `kBest` when the decoder ranks trees, and
 * `expectations` and `parts` when the decoder sums over trees (and no parts but arcs are scored).
 */
export function parsingTask(
  examples: readonly PreparedExample[],
  scorers: Scorers,
  decoder: Decoder,
  dimensions: Dimensions,
  options: TaskOptions,
): ParsingTask {
  const { costs, negligible = NEGLIGIBLE, fractional = false } = options;
  const relaxing = fractional ? requireCapability(decoder, "decodeRelaxed") : undefined;
  const steps = new Steps(examples, scorers, dimensions, options);
  const errors = new ErrorCount();
  const differences = new TreeDifference(scorers, dimensions);
  const onlyArcs = scorers.parts.kinds.length === 0 && scorers.global === undefined;
  const summing = onlyArcs && hasCapability(decoder, "marginals") ? decoder : undefined;
  const likelihood = summing && new TreeLikelihood(scorers.arcs, summing, negligible);
  const parts = summing && partsOf(examples, scorers, summing);

  function kBest(example: number, weights: WeightVector, k: number, costAugmented: boolean): PredictedTree[] {
    const ranking = requireCapability(decoder, "kBest");
    const { scored, sentence } = steps.score(example, weights, costAugmented);
    const trees: PredictedTree[] = [];
    for (const { heads } of ranking.kBest(scored.problem)) {
      trees.push({ ...scored.labelled(heads), sentence });
      if (trees.length === k) break;
    }
    return trees;
  }

  function expectations(example: number, weights: WeightVector, into: SparseVector): Update {
    const shares = steps.sum(example, weights);
    const found = likelihood!.addGradient(shares, examples[example]!.gold, into);
    errors.add(shares.arcs.n, found.heads + found.labels);
    return { loss: found.loss, cost: costs.head * found.heads + costs.label * found.labels };
  }

  return {
    ...(hasCapability(decoder, "kBest") ? { kBest } : {}),
    ...(likelihood ? { expectations } : {}),
    ...(parts ? { parts } : {}),
    takeFigures: (reset) => ({ error: { share: errors.take(reset), of: HEADS_AND_LABELS } }),
    size: examples.length,
    dimension: totalDimension(dimensions),
    decode(example, weights, costAugmented) {
      const { scored, sentence } = steps.score(example, weights, costAugmented);
      return { ...(relaxing ? decodeRelaxed(scored, relaxing) : decodeSentence(scored, decoder)), sentence };
    },
    difference(example, predicted, into) {
      const { gold, sentence } = examples[example]!;
      errors.add(sentence.n, countErrors(gold, predicted).labelled);
      differences.add(predicted.sentence ?? sentence, gold, predicted, into);
      return predicted.relaxed ? relaxedCost(predicted.relaxed, gold, costs) : costOf(gold, predicted, costs);
    },
  };
}

/** Returns the parts of trees; undefined without a filter of labels. */
function partsOf(
  examples: readonly PreparedExample[],
  { arcs }: Scorers,
  decoder: DecoderWith<"marginals">,
): PartModel | undefined {
  if (arcs.filter === undefined) return undefined;
  return labelledArcParts(examples, arcs, arcs.filter, decoder);
}

/** Counts the steps of a learner, which determine the words that are unknown. */
class Steps {
  readonly #examples: readonly PreparedExample[];
  readonly #dimensions: Dimensions;
  readonly #options: TaskOptions;
  readonly #scorer: SentenceScorer;
  #step: number;

  constructor(
    examples: readonly PreparedExample[],
    scorers: Scorers,
    dimensions: Dimensions,
    options: TaskOptions,
  ) {
    this.#examples = examples;
    this.#dimensions = dimensions;
    this.#options = options;
    // Candidates are given with each sentence.
    this.#scorer = new SentenceScorer(scorers, () => {
      throw new RangeError("candidates of training sentences are found before");
    });
    this.#step = options.steps ?? 0;
  }

  score(
    example: number,
    values: WeightVector,
    costAugmented: boolean,
  ): { readonly scored: ScoredSentence; readonly sentence: EncodedSentence } {
    const { arcs, gold } = this.#examples[example]!;
    const costs: Costs | undefined = costAugmented ? { gold, ...this.#options.costs } : undefined;
    const weights = trainingWeights(values, this.#dimensions);
    const sentence = this.#nextSentence(example);
    return { scored: this.#scorer.score(sentence, weights, { arcs, costs }), sentence };
  }

  sum(example: number, values: WeightVector): LabelShares {
    const { arcs } = this.#examples[example]!;
    const weights = trainingWeights(values, this.#dimensions);
    return this.#scorer.sum(this.#nextSentence(example), weights, { arcs });
  }

  /** Begins a step; returns the sentence as it is scored in this step. */
  #nextSentence(example: number): EncodedSentence {
    const { sentence } = this.#examples[example]!;
    return this.#options.dropout?.apply(sentence, this.#step++) ?? sentence;
  }
}

/** Numbers of words and of mistakes in outputs. */
class ErrorCount {
  #words = 0;
  #wrong = 0;

  add(words: number, wrong: number): void {
    this.#words += words;
    this.#wrong += wrong;
  }

  take(reset: boolean): number {
    const rate = this.#wrong / Math.max(1, this.#words);
    if (reset) {
      this.#words = 0;
      this.#wrong = 0;
    }
    return rate;
  }
}

/** The cost of a tree: of wrong heads, and of wrong labels on right ones. */
function costOf(gold: EncodedTree, { heads, labels }: EncodedTree, costs: CostWeights): number {
  let cost = 0;
  for (let m = 1; m < heads.length; m++) {
    if (heads[m] !== gold.heads[m]) cost += costs.head;
    else if (labels[m] !== gold.labels[m]) cost += costs.label;
  }
  return cost;
}
