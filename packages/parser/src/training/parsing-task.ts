import { type Arcs, arcIndex, type Decoder, type ParsingProblem, type SparseVector } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { Ad3Decoder } from "@arcwise/decode-ad3";
import type { PartModel, StructuredTask, Update, WeightVector } from "@arcwise/learn";
import { familyOf, type TreeFamily, tellsMore } from "../decoding/decoders.ts";
import { addRounding, type RoundedTree, relaxedCost } from "../decoding/relaxed-trees.ts";
import { TreeLikelihood } from "../decoding/tree-likelihood.ts";
import { rankTrees } from "../decoding/tree-sums.ts";
import type { ArcScorer, Costs, Weights } from "../scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { PartScorer } from "../scoring/parts/part-scorer.ts";
import { FACTORS } from "../scoring/tensor/tensor.ts";
import type { GlobalScorer, GlobalWeights } from "../scoring/trees/global-scorer.ts";
import type { CostWeights, ParseReport } from "../types.ts";
import { labelledArcParts } from "./tree-parts.ts";
import type { WordDropout } from "./word-dropout.ts";

/** A sentence ready for training: its words as codes, its candidate arcs, its gold tree. */
export interface PreparedExample {
  readonly sentence: EncodedSentence;
  readonly arcs: Arcs;
  readonly gold: EncodedTree;
}

/** What scores a sentence: its arcs with their labels, its parts, and its whole trees where a model does. */
export interface Scorers {
  readonly arcs: ArcScorer;
  readonly parts: PartScorer;
  readonly global?: GlobalScorer | undefined;
}

/** Weights of arcs and parts: in training one vector, with the parts after the arcs. */
export interface ModelWeights {
  readonly arcs: Weights;
  readonly arcScale: number;
  readonly parts: Weights;
  readonly partScale: number;
  /** Where the parts begin in their vector. */
  readonly firstPart: number;
  /** Those of the tensor from `firstTensor` on, in training alone: a model's tensor has its own. */
  readonly tensor?: WeightVector;
  readonly firstTensor?: number;
  /** Those of whole trees; undefined where they are not scored. */
  readonly global?: GlobalWeights | undefined;
}

/** Scores a sentence: what a decoder is given. */
export function scoreSentence(
  scorers: Scorers,
  sentence: EncodedSentence,
  arcs: Arcs,
  weights: ModelWeights,
  costs?: Costs,
): ParsingProblem {
  if (weights.tensor) scorers.arcs.tensor?.use(weights.tensor, weights.firstTensor);
  scorers.arcs.score(sentence, arcs, weights.arcs, weights.arcScale, costs);
  return {
    arcs,
    arcScores: scorers.arcs.scores.slice(0, arcs.head.length),
    parts: scorers.parts.score(sentence, arcs, weights.parts, weights.firstPart, weights.partScale),
    global: weights.global && scorers.global?.scorer(sentence, weights.global),
  };
}

/** Parsing as a task, which keeps count of the mistakes that its outputs had. */
export interface ParsingTask extends StructuredTask<RoundedTree> {
  /** Share of words with a wrong head or label in the outputs since the last reset. */
  takeErrorRate(reset: boolean): number;
}

/** Number of weights of arcs, parts, tensor and whole trees, in the order in which they stand. */
export interface Dimensions {
  readonly arcs: number;
  readonly parts: number;
  readonly tensor: number;
  readonly global: number;
}

/** Where the weights of the tensor begin. */
export function firstTensor({ arcs, parts }: Dimensions): number {
  return arcs + parts;
}

/** Where the weights of whole trees begin. */
export function firstGlobal(dimensions: Dimensions): number {
  return firstTensor(dimensions) + dimensions.tensor;
}

/** Number of all weights. */
export function totalDimension(dimensions: Dimensions): number {
  return firstGlobal(dimensions) + dimensions.global;
}

export interface TaskOptions {
  /** Entries of the gradient up to this are left out of `expectations`. Default: 0.001. */
  readonly negligible?: number | undefined;
  /**
   * Steps that a learner has made before, when training goes on: they decide which factor of a tensor has its turn, and which
   * words are unknown. Default: 0.
   */
  readonly steps?: number;
  /**
   * Whether a difference is that to the solution of the decoder's relaxation where this is no tree, and its cost the
   * expected one (Martins et al. 2010). Only for decoders with posteriors. Default: false.
   */
  readonly fractional?: boolean;
  /** Makes words unknown at random in what is decoded, another choice each step. Default: none are. */
  readonly dropout?: WordDropout | undefined;
}

/** Entries of gradients up to this are left out: most arcs and labels are all but impossible. */
const NEGLIGIBLE = 1e-3;

/**
 * Labelled parsing as a structured task. Outputs are trees. It has `kBest` when the decoder's trees can be ranked,
 * and `expectations` and `parts` when they can be summed over (and no parts but arcs are scored).
 *
 * The score is linear in the weights but for those of a tensor, whose factors are learned in turn.
 */
export function parsingTask(
  examples: readonly PreparedExample[],
  scorers: Scorers,
  decoder: Decoder,
  dimensions: Dimensions,
  costs: CostWeights,
  { negligible = NEGLIGIBLE, steps = 0, fractional = false, dropout }: TaskOptions = {},
): ParsingTask {
  const relaxing = fractional ? withPosteriors(decoder) : undefined;
  let turns = steps;
  /** The sentence of the last step, as it was looked at. */
  let seen: EncodedSentence | undefined;
  let words = 0;
  let wrong = 0;

  const { tensor } = scorers.arcs;
  /** Begins a step: the factors of a tensor learn in turn, one a step. Returns the sentence to look at. */
  function beginStep(sentence: EncodedSentence): EncodedSentence {
    const step = turns++;
    if (tensor) tensor.turn = step % FACTORS;
    seen = dropout ? dropout.apply(sentence, step) : sentence;
    return seen;
  }

  function problemOf(example: number, weights: WeightVector, costAugmented: boolean): ParsingProblem {
    const { sentence, arcs, gold } = examples[example]!;
    const augment: Costs | undefined = costAugmented ? { gold, ...costs } : undefined;
    return scoreSentence(scorers, beginStep(sentence), arcs, trainingWeights(weights, dimensions), augment);
  }

  const family = familyOf(decoder);
  const onlyArcs = scorers.parts.kinds.length === 0 && scorers.global === undefined;
  const ranks = family === "projective" || (family === "any" && onlyArcs);
  function kBest(example: number, weights: WeightVector, k: number, costAugmented: boolean): EncodedTree[] {
    const problem = problemOf(example, weights, costAugmented);
    const trees: EncodedTree[] = [];
    for (const { heads } of rankTrees(problem, decoder)) {
      trees.push({ heads, labels: bestLabels(problem.arcs, heads, scorers.arcs) });
      if (trees.length === k) break;
    }
    return trees;
  }

  const likelihood = family && onlyArcs ? new TreeLikelihood(scorers.arcs, family, negligible) : undefined;
  const parts = likelihood && partsOf(examples, scorers.arcs, family!);
  function expectations(example: number, weights: WeightVector, into: SparseVector): Update {
    const { sentence, arcs, gold } = examples[example]!;
    const shown = beginStep(sentence);
    tensor?.use(weights, firstTensor(dimensions));
    const { loss, heads, labels } = likelihood!.addGradient(shown, arcs, gold, weights, into);
    words += sentence.n;
    wrong += heads + labels;
    return { loss, cost: costs.head * heads + costs.label * labels };
  }

  return {
    ...(ranks && { kBest }),
    ...(likelihood && { expectations }),
    ...(parts && { parts }),
    takeErrorRate(reset) {
      const rate = wrong / Math.max(1, words);
      if (reset) {
        words = 0;
        wrong = 0;
      }
      return rate;
    },
    size: examples.length,
    dimension: totalDimension(dimensions),
    decode(example, weights, costAugmented) {
      const problem = problemOf(example, weights, costAugmented);
      if (relaxing) return decodeRelaxed(problem, scorers.arcs, relaxing);
      return decodeProblem(problem, scorers.arcs, decoder);
    },
    difference(example, predicted, into) {
      const { gold } = examples[example]!;
      const sentence = seen ?? examples[example]!.sentence;
      const { heads, labels } = predicted;
      let cost = 0;
      words += sentence.n;
      wrong += countErrors(gold, predicted).labelled;
      tensor?.clear();
      for (let m = 1; m <= sentence.n; m++) {
        const right = gold.labels[m]!;
        if (heads[m] !== gold.heads[m]) {
          cost += costs.head;
          scorers.arcs.addFeatures(gold.heads[m]!, m, right, 1, into);
          scorers.arcs.addFeatures(heads[m]!, m, labels[m]!, -1, into);
          tensor?.addArc(gold.heads[m]!, m, 1);
          tensor?.addArc(heads[m]!, m, -1);
        } else if (labels[m] !== right) {
          cost += costs.label;
          scorers.arcs.addLabelFeatures(heads[m]!, m, right, 1, into);
          scorers.arcs.addLabelFeatures(heads[m]!, m, labels[m]!, -1, into);
        }
      }
      addRounding(predicted, scorers, dimensions.arcs, into);
      tensor?.addFeatures(into);
      scorers.parts.addFeatures(gold.heads, heads, dimensions.arcs, 1, into);
      scorers.parts.addFeatures(heads, gold.heads, dimensions.arcs, -1, into);
      const global = firstGlobal(dimensions);
      scorers.global?.addFeatures(sentence, gold.heads, heads, global, 1, into);
      scorers.global?.addFeatures(sentence, heads, gold.heads, global, -1, into);
      return predicted.relaxed ? relaxedCost(predicted.relaxed, gold, costs) : cost;
    },
  };
}

/** The parts of trees; undefined with a tensor, whose score is not linear in all of its weights together. */
function partsOf(
  examples: readonly PreparedExample[],
  arcs: ArcScorer,
  family: TreeFamily,
): PartModel | undefined {
  if (arcs.filter === undefined || arcs.tensor !== undefined) return undefined;
  return labelledArcParts(examples, arcs, arcs.filter, family);
}

/** @throws RangeError when the decoder tells no posteriors */
function withPosteriors(decoder: Decoder): Ad3Decoder {
  if (tellsMore(decoder)) return decoder;
  throw new RangeError(`fractional solutions need the decoder ad3, which "${decoder.name}" is not`);
}

/** Weights in training: one vector for all. */
export function trainingWeights(weights: WeightVector, dimensions: Dimensions): ModelWeights {
  return {
    arcs: weights,
    arcScale: 1,
    parts: weights,
    partScale: 1,
    firstPart: dimensions.arcs,
    tensor: weights,
    firstTensor: firstTensor(dimensions),
    global: { weights, scale: 1, first: firstGlobal(dimensions) },
  };
}

/** A tree that a decoder found, and what it says of it. */
export interface DecodedTree extends EncodedTree {
  readonly score: number;
  readonly bound: number;
  /** From decoders that tell it. */
  readonly report?: ParseReport;
}

/** The best tree of a problem that was just scored, with the labels that the arcs' scores were for. */
export function decodeProblem(problem: ParsingProblem, scorer: ArcScorer, decoder: Decoder): DecodedTree {
  if (!tellsMore(decoder)) {
    const { heads, score, bound } = decoder.decode(problem);
    return { heads, labels: bestLabels(problem.arcs, heads, scorer), score, bound };
  }
  const found = decoder.decodeWithReport(problem);
  const { heads, score, bound, status, ascentIterations, iterations, nodes } = found;
  const report = { status, ascentIterations, iterations, nodes };
  return { heads, labels: bestLabels(problem.arcs, heads, scorer), score, bound, report };
}

/** The same with what the tree was rounded from, where it was. */
function decodeRelaxed(problem: ParsingProblem, scorer: ArcScorer, decoder: Ad3Decoder): RoundedTree {
  const { heads, status, stage, posteriors, partPosteriors } = decoder.decodeWithReport(problem, {
    parts: true,
  });
  const tree = { heads, labels: bestLabels(problem.arcs, heads, scorer) };
  // Where AD3 has not run, or the tree is known to be the best, the posteriors are those of the tree.
  if (status === "optimal" || stage === "ascent") return tree;
  const labels = scorer.labels.slice(0, posteriors.length);
  return { ...tree, relaxed: { problem, arcs: posteriors, parts: partPosteriors!, labels } };
}

/** The labels that the scores of a tree's arcs were for, when they were last scored. */
export function bestLabels(arcs: Arcs, heads: Int32Array, scorer: ArcScorer): Int32Array {
  const labels = new Int32Array(arcs.n + 1).fill(-1);
  for (let m = 1; m <= arcs.n; m++) labels[m] = scorer.labels[arcIndex(arcs, heads[m]!, m)]!;
  return labels;
}

/** Words with a wrong head, and with a wrong head or label. */
export function countErrors(gold: EncodedTree, predicted: EncodedTree): { heads: number; labelled: number } {
  let heads = 0;
  let labelled = 0;
  for (let m = 1; m < gold.heads.length; m++) {
    if (gold.heads[m] !== predicted.heads[m]) heads++;
    if (gold.heads[m] !== predicted.heads[m] || gold.labels[m] !== predicted.labels[m]) labelled++;
  }
  return { heads, labelled };
}
