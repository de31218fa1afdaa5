import { arcIndex, completeArcs, type Decoder, type PartKind } from "@arcwise/core";
import type { QuantizedWeights } from "@arcwise/core/container";
import type { EncodedSentence, WeightTable } from "@arcwise/core/features";
import type { ConstrainedLabels } from "../decoding/constraints-labels.ts";
import { requireScored } from "../decoding/make-decoder.ts";
import { Labeller } from "../labelling/labeller.ts";
import type { TrainedModel } from "../model/model.ts";
import { scoresFeatures } from "../model/model-header.ts";
import { candidates, Pruner } from "../pruning/pruner.ts";
import { featureLabels } from "../scoring/arcs/feature-labels.ts";
import type { LabelFilter } from "../scoring/arcs/label-filter.ts";
import { type NetworkLabels, networkLabels } from "../scoring/network/network-labels.ts";
import type { NetworkReading } from "../scoring/network/network-scorer.ts";
import { createScorers } from "../scoring/scorers.ts";
import type { SentenceLabels, SummedArcs } from "../scoring/sentence-labels.ts";
import {
  type ScoredSentence,
  type SentenceConstraints,
  SentenceScorer,
  scoredSentence,
} from "../scoring/sentence-scorer.ts";
import type { TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { ScoreShare } from "../types.ts";
import { shareScorer } from "./score-shares.ts";

/** A sentence as the features see it, and the output of the network. */
export interface NetworkInput {
  readonly encoded: EncodedSentence;
  readonly network: NetworkReading | undefined;
}

/** The constraints on a sentence, and the labels of constrained words. */
export interface ConstrainedScoring {
  readonly scoring: SentenceConstraints;
  readonly labels: ConstrainedLabels;
  readonly words: Iterable<number>;
}

/** Scores the sentences of a model: by features, with or without a network, or by a network alone. */
export interface Scoring<Labels extends SentenceLabels = SentenceLabels> {
  /** Kinds of parts that are scored in addition to arcs, and whether whole trees are. */
  readonly kinds: readonly PartKind[];
  readonly global: boolean;
  readonly labeller: Labeller | undefined;
  /** Undefined: all arcs are candidates. */
  readonly pruner: Pruner | undefined;
  /** Whether tags of words that are set after the reading change scores. */
  readonly readsTags: boolean;
  /** Returns the labels of the arcs of a sentence. */
  labels(input: NetworkInput): Labels;
  /** Returns the labels of the arcs of a sentence that was read in blocks. */
  labelsOfBlocks(encoded: EncodedSentence, blocks: readonly NetworkInput[]): SentenceLabels;
  score(input: NetworkInput, labels: Labels, constrained: ConstrainedScoring | undefined): ScoredSentence;
  /** Scores the candidates of a scored sentence with their labels summed out. */
  sum(scored: ScoredSentence, labels: Labels, constrained: ConstrainedScoring | undefined): SummedArcs;
  /** Returns the best labels of a tree, by the labeller or by what scores labels; undefined: the labels that it has. */
  relabelled(scored: ScoredSentence, heads: Int32Array): Int32Array | undefined;
  /** Returns the shares of the score of a tree over the candidates. */
  shares(scored: ScoredSentence, heads: Int32Array): ScoreShare[];
}

/** Returns the scoring of a model. */
export function scoringOf(
  model: TrainedModel,
  decoder: Decoder,
  treeFeatures: TreeFeatures | undefined,
): Scoring {
  const { filter } = model;
  if (!scoresFeatures(model.configuration) || filter === undefined) return networkScoring(model.labels);
  return featureScoring({ ...model, filter }, decoder, treeFeatures);
}

/** Scores by sparse features, and by a network if the model has one. */
function featureScoring(
  model: TrainedModel & { readonly filter: LabelFilter },
  decoder: Decoder,
  treeFeatures: TreeFeatures | undefined,
): Scoring {
  const { configuration, labels, filter, reach } = model;
  const { pruning } = configuration;
  const settings = { configuration, labels: labels.length, filter };
  const scorers = createScorers(settings, treeFeatures);
  const { kinds } = scorers.parts;
  const hasGlobal = scorers.global !== undefined;
  requireScored(decoder, hasGlobal && ["global"], kinds);
  const weights = {
    arcs: tableOf(model.arcWeights),
    parts: tableOf(model.partWeights),
    trees: model.globalWeights && tableOf(model.globalWeights),
  };
  scorers.arcs.load(weights.arcs);
  const pruner = pruning ? new Pruner(tableOf(model.prunerWeights), reach, configuration) : undefined;
  const scorer = new SentenceScorer(scorers, candidates(pruner, pruning));
  const labeller = model.labeller && new Labeller(model.labeller, labels.length, filter);
  /** Made when shares are asked for. */
  let shares: ReturnType<typeof shareScorer> | undefined;
  const labelsOf = (encoded: EncodedSentence) => featureLabels(scorers.arcs, filter, weights.arcs, encoded);
  return {
    ...{ kinds, global: hasGlobal, labeller, pruner, readsTags: true },
    labels: ({ encoded }) => labelsOf(encoded),
    labelsOfBlocks: labelsOf,
    score: ({ encoded, network }, _, constrained) =>
      scorer.score(encoded, weights, {
        terms: network ? [network] : [],
        constraints: constrained?.scoring,
        limitFor: decoder.trees,
      }),
    sum({ sentence, problem, terms }, _, constrained) {
      const options = { arcs: problem.arcs, terms, constraints: constrained?.scoring };
      const shares = scorer.sum(sentence, weights, options);
      const { scores, arcs } = shares;
      return { scores, logShare: (h, m, label) => shares.logShare(arcIndex(arcs, h, m), label) };
    },
    relabelled(scored, heads) {
      const { sentence } = scored;
      const others = scored.labelScores(heads);
      if (labeller !== undefined) return labeller.label(sentence, heads, undefined, others);
      return others && scorers.arcs.bestLabels(sentence, heads, weights.arcs, others);
    },
    shares(scored, heads) {
      shares ??= shareScorer(settings, weights.arcs);
      return shares(scored, scored.labelled(heads));
    },
  };
}

/**
 * Scores by a network alone: the score of an arc is the log-probability of the head, to which constraints on its label add
 * the log-probability of the allowed labels. All arcs are candidates.
 */
function networkScoring(labels: readonly string[]): Scoring<NetworkLabels> {
  const all = Int32Array.from(labels.keys());
  return {
    ...{ kinds: [], global: false, labeller: undefined, pruner: undefined, readsTags: false },
    labels: ({ network }) => networkLabels(network!, all),
    labelsOfBlocks(_, blocks) {
      const [first, ...others] = blocks.map(({ network }) => network!);
      return networkLabels(first!.joined(others), all);
    },
    score({ encoded, network }, _, constrained) {
      const complete = completeArcs(encoded.n);
      const arcs = constrained ? constrained.scoring.restrict(complete) : complete;
      const arcScores = network!.logProbabilities(arcs);
      constrained?.scoring.sumLabels(arcs, arcScores);
      return scoredSentence({
        sentence: encoded,
        problem: { arcs, arcScores, parts: [] },
        labels: new Int32Array(0),
        labelsOf: (heads) => {
          const best = network!.bestLabels(heads);
          for (const m of constrained?.words ?? []) best[m] = constrained!.labels.best(heads[m], m);
          return best;
        },
        terms: [],
        reduction: undefined,
      });
    },
    sum: ({ problem }, own) => ({
      scores: problem.arcScores,
      logShare: (h, m, label) => own.row(h, m)[label],
    }),
    relabelled: () => undefined,
    shares({ problem: { arcs, arcScores } }, heads) {
      const words = Array.from({ length: arcs.n }, (_, i) => i + 1);
      return words.map((m) => ({
        term: "network",
        word: m,
        score: arcScores[arcIndex(arcs, heads[m], m)],
      }));
    },
  };
}

function tableOf({ values, scale }: QuantizedWeights): WeightTable {
  return { values, first: 0, scale };
}
