import type { GraphProblem } from "@arcwise/core";
import type { LabelFilter } from "@arcwise/parser/shared";
import type { GraphModel } from "./graph-model.ts";
import type { GraphNetworkReading } from "./graph-network-jobs.ts";
import { GraphPruner, pairsOfEdges } from "./graph-pruner.ts";
import { type GraphInput, GraphScorer } from "./graph-scorer.ts";
import { addScores } from "./graph-task.ts";

/** A sentence as the features see it, with its tree and the output of the network. */
export interface ScoredInput extends GraphInput {
  readonly network: GraphNetworkReading | undefined;
}

/** Scores the sentences of a graph model: by features, with or without a network, or by a network alone. */
export type GraphScoring = (input: ScoredInput) => GraphProblem;

/** Returns the scoring of a model. */
export function graphScoringOf(model: GraphModel): GraphScoring {
  return model.filter === undefined ? networkScoring(model) : featureScoring(model, model.filter);
}

function featureScoring(
  { features, unique, pruner: configuration, prunerWeights, weights }: GraphModel,
  filter: LabelFilter,
): GraphScoring {
  const scorer = new GraphScorer(features, filter, unique);
  const pruner = new GraphPruner({ ...prunerWeights, first: 0 }, configuration);
  return (input) => {
    const suggested = input.syntax?.suggested;
    const also = suggested ? [pairsOfEdges(suggested)] : [];
    const arcs = pruner.prune(input.sentence, configuration.threshold, also);
    const problem = scorer.score(input, arcs, weights);
    if (input.network) addScores(problem, input.network.scores(arcs, false), features.scorePredicates);
    return problem;
  };
}

/**
 * Scores by a network alone: the score of an arc is its log-odds, the score of a label its log-probability given the arc.
 * Arcs are candidates from the threshold on, with all labels.
 */
function networkScoring({ features, unique, pruner: { threshold, root } }: GraphModel): GraphScoring {
  const count = unique.length;
  return ({ network }) => {
    const arcs = network!.candidates(threshold, root);
    const { predicates, labels, arcs: arcScores } = network!.scores(arcs, true);
    return {
      arcs,
      arcScores,
      predicateScores: features.scorePredicates ? predicates : predicates.fill(0),
      labels: {
        count,
        start: Int32Array.from({ length: arcs.head.length + 1 }, (_, a) => a * count),
        label: Int32Array.from(labels, (_, k) => k % count),
        scores: labels,
      },
      unique,
      parts: [],
    };
  };
}
