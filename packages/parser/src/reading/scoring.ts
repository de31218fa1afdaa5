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
import type { ModelWeights } from "../scoring/model-weights.ts";
import { NetworkLabels } from "../scoring/network/network-labels.ts";
import type { NetworkReading } from "../scoring/network/network-scorer.ts";
import { createScorers, type ScorerSettings } from "../scoring/scorers.ts";
import type { SentenceLabels, SummedArcs } from "../scoring/sentence-labels.ts";
import { ScoredSentence, type SentenceConstraints, SentenceScorer } from "../scoring/sentence-scorer.ts";
import type { TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { ScoreShare } from "../types.ts";
import { ShareScorer } from "./score-shares.ts";

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
  if (!scoresFeatures(model.configuration) || filter === undefined) return new NetworkScoring(model.labels);
  return new FeatureScoring({ ...model, filter }, decoder, treeFeatures);
}

/** Scores by sparse features, and by a network if the model has one. */
class FeatureScoring implements Scoring {
  readonly readsTags = true;
  readonly labeller: Labeller | undefined;
  readonly pruner: Pruner | undefined;
  readonly #filter: LabelFilter;
  readonly #scorer: SentenceScorer;
  readonly #weights: ModelWeights;
  readonly #limitFor: Decoder["trees"];
  readonly #settings: ScorerSettings;
  /** Made when shares are asked for. */
  #shares: ShareScorer | undefined;

  constructor(
    model: TrainedModel & { readonly filter: LabelFilter },
    decoder: Decoder,
    treeFeatures: TreeFeatures | undefined,
  ) {
    const { configuration, labels, filter, reach } = model;
    const { pruning } = configuration;
    this.#settings = { configuration, labels: labels.length, filter };
    const scorers = createScorers(this.#settings, treeFeatures);
    requireScored(decoder, scorers.global !== undefined && ["global"], scorers.parts.kinds);
    this.#filter = filter;
    this.#limitFor = decoder.trees;
    this.#weights = {
      arcs: tableOf(model.arcWeights),
      parts: tableOf(model.partWeights),
      trees: model.globalWeights && tableOf(model.globalWeights),
    };
    scorers.arcs.load(this.#weights.arcs);
    this.pruner = pruning ? new Pruner(tableOf(model.prunerWeights), reach, configuration) : undefined;
    this.#scorer = new SentenceScorer(scorers, candidates(this.pruner, pruning));
    this.labeller = model.labeller && new Labeller(model.labeller, labels.length, filter);
  }

  get kinds(): readonly PartKind[] {
    return this.#scorer.scorers.parts.kinds;
  }

  get global(): boolean {
    return this.#scorer.scorers.global !== undefined;
  }

  labels({ encoded }: Pick<NetworkInput, "encoded">): SentenceLabels {
    return featureLabels(this.#scorer.scorers.arcs, this.#filter, this.#weights.arcs, encoded);
  }

  labelsOfBlocks(encoded: EncodedSentence): SentenceLabels {
    return this.labels({ encoded });
  }

  score(
    { encoded, network }: NetworkInput,
    _: SentenceLabels,
    constrained: ConstrainedScoring | undefined,
  ): ScoredSentence {
    return this.#scorer.score(encoded, this.#weights, {
      terms: network ? [network] : [],
      constraints: constrained?.scoring,
      limitFor: this.#limitFor,
    });
  }

  sum(
    { sentence, problem, terms }: ScoredSentence,
    _: SentenceLabels,
    constrained: ConstrainedScoring | undefined,
  ): SummedArcs {
    const options = { arcs: problem.arcs, terms, constraints: constrained?.scoring };
    const shares = this.#scorer.sum(sentence, this.#weights, options);
    return {
      scores: shares.scores,
      logShare: (h, m, label) => shares.logShare(arcIndex(shares.arcs, h, m), label),
    };
  }

  relabelled(scored: ScoredSentence, heads: Int32Array): Int32Array | undefined {
    const { sentence } = scored;
    const others = scored.labelScores(heads);
    if (this.labeller !== undefined) return this.labeller.label(sentence, heads, undefined, others);
    return others && this.#scorer.scorers.arcs.bestLabels(sentence, heads, this.#weights.arcs, others);
  }

  shares(scored: ScoredSentence, heads: Int32Array): ScoreShare[] {
    this.#shares ??= new ShareScorer(this.#settings, this.#weights.arcs);
    return this.#shares.sharesOf(scored, scored.labelled(heads));
  }
}

/**
 * Scores by a network alone: the score of an arc is the log-probability of the head, to which constraints on its label add
 * the log-probability of the allowed labels. All arcs are candidates.
 */
class NetworkScoring implements Scoring<NetworkLabels> {
  readonly kinds = [];
  readonly global = false;
  readonly labeller = undefined;
  readonly pruner = undefined;
  readonly readsTags = false;
  readonly #all: Int32Array;

  constructor(labels: readonly string[]) {
    this.#all = Int32Array.from(labels.keys());
  }

  labels({ network }: Pick<NetworkInput, "network">): NetworkLabels {
    return new NetworkLabels(network!, this.#all);
  }

  labelsOfBlocks(_: EncodedSentence, blocks: readonly NetworkInput[]): SentenceLabels {
    const [first, ...others] = blocks.map(({ network }) => network!);
    return this.labels({ network: first!.joined(others) });
  }

  score(
    { encoded, network }: NetworkInput,
    _: NetworkLabels,
    constrained: ConstrainedScoring | undefined,
  ): ScoredSentence {
    const all = completeArcs(encoded.n);
    const arcs = constrained ? constrained.scoring.restrict(all) : all;
    const arcScores = network!.logProbabilities(arcs);
    constrained?.scoring.sumLabels(arcs, arcScores);
    return new ScoredSentence({
      sentence: encoded,
      problem: { arcs, arcScores, parts: [] },
      labels: new Int32Array(0),
      labelsOf: (heads) => {
        const best = network!.bestLabels(heads);
        for (const m of constrained?.words ?? []) best[m] = constrained!.labels.best(heads[m]!, m);
        return best;
      },
      terms: [],
      reduction: undefined,
    });
  }

  sum({ problem }: ScoredSentence, labels: NetworkLabels): SummedArcs {
    return { scores: problem.arcScores, logShare: (h, m, label) => labels.row(h, m)[label]! };
  }

  relabelled(): undefined {
    return undefined;
  }

  shares({ problem }: ScoredSentence, heads: Int32Array): ScoreShare[] {
    const { arcs, arcScores } = problem;
    const words = Array.from({ length: arcs.n }, (_, i) => i + 1);
    return words.map((m) => ({ term: "network", word: m, score: arcScores[arcIndex(arcs, heads[m]!, m)]! }));
  }
}

function tableOf({ values, scale }: QuantizedWeights): WeightTable {
  return { values, first: 0, scale };
}
