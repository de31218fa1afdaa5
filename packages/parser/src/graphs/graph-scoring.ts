import type { GraphProblem } from "@arcwise/core";
import type { GraphModel } from "./graph-model.ts";
import type { GraphNetworkReading } from "./graph-network.ts";
import { GraphPruner, pairsOfEdges } from "./graph-pruner.ts";
import { type GraphInput, GraphScorer } from "./graph-scorer.ts";
import { addScores } from "./graph-task.ts";

/** A sentence as the features see it, with its tree and the output of the network. */
export interface ScoredInput extends GraphInput {
  readonly network: GraphNetworkReading | undefined;
}

/** Scores the sentences of a graph model: by features, with or without a network, or by a network alone. */
export interface GraphScoring {
  /** Returns the problem of a sentence without words. */
  emptyProblem(): GraphProblem;
  problem(input: ScoredInput): GraphProblem;
}

/** Returns the scoring of a model. */
export function graphScoringOf(model: GraphModel): GraphScoring {
  return model.filter === undefined ? new NetworkGraphScoring(model) : featureScoring(model, model.filter);
}

function featureScoring(
  { features, unique, pruner: configuration, prunerWeights, weights }: GraphModel,
  filter: NonNullable<GraphModel["filter"]>,
): GraphScoring {
  const scorer = new GraphScorer(features, filter, unique);
  const pruner = new GraphPruner({ ...prunerWeights, first: 0 }, configuration);
  return {
    emptyProblem: () => scorer.emptyProblem(),
    problem(input) {
      const suggested = input.syntax?.suggested;
      const also = suggested ? [pairsOfEdges(suggested)] : [];
      const arcs = pruner.prune(input.sentence, configuration.threshold, also);
      const problem = scorer.score(input, arcs, weights);
      if (input.network) addScores(problem, input.network.scores(arcs), features.scorePredicates);
      return problem;
    },
  };
}

/**
 * Scores by a network alone: the score of an arc is its log-odds, the score of a label its log-probability given the arc.
 * Arcs are candidates from the threshold on, with all labels.
 */
class NetworkGraphScoring implements GraphScoring {
  readonly #model: GraphModel;

  constructor(model: GraphModel) {
    this.#model = model;
  }

  emptyProblem(): GraphProblem {
    const arcs = { n: 0, start: new Int32Array(2), head: new Int32Array(0), modifier: new Int32Array(0) };
    return this.#problemOf(arcs, { arcs: [], labels: [], predicates: [0] });
  }

  problem({ network }: ScoredInput): GraphProblem {
    const { threshold, root } = this.#model.pruner;
    const arcs = network!.candidates(threshold, root);
    return this.#problemOf(arcs, network!.logScores(arcs));
  }

  #problemOf(
    arcs: GraphProblem["arcs"],
    scores: {
      readonly arcs: ArrayLike<number>;
      readonly labels: ArrayLike<number>;
      readonly predicates: ArrayLike<number>;
    },
  ): GraphProblem {
    const { features, unique } = this.#model;
    const count = unique.length;
    const labelled = arcs.head.length * count;
    const predicates = Float64Array.from(scores.predicates);
    return {
      arcs,
      arcScores: Float64Array.from(scores.arcs),
      predicateScores: features.scorePredicates ? predicates : predicates.fill(0),
      labels: {
        count,
        start: Int32Array.from({ length: arcs.head.length + 1 }, (_, a) => a * count),
        label: Int32Array.from({ length: labelled }, (_, k) => k % count),
        scores: Float64Array.from(scores.labels),
      },
      unique,
      parts: [],
    };
  }
}
