import type { Arcs, GraphChoice, GraphDecoder, GraphProblem, SparseVector } from "@arcwise/core";
import type { WeightVector } from "@arcwise/learn";
import { type CountedTask, RunningMean } from "@arcwise/parser/shared";
import { type EncodedGraph, goldLabels } from "./encoded-graph.ts";
import type { GraphInput, GraphScorer } from "./graph-scorer.ts";
import type { CompleteGraphSettings } from "./graph-settings.ts";

/** A training sentence with its candidate arcs, which include the gold ones, and its gold graph. */
export interface PreparedGraph extends GraphInput {
  readonly arcs: Arcs;
  readonly gold: EncodedGraph;
}

/** Scores that are added to the scores of the sparse features. */
export interface AddedScores {
  /** n + 1 entries. */
  readonly predicates: Float64Array;
  /** One entry per arc. */
  readonly arcs: Float64Array;
  /** One entry per arc and label: label l of arc a at `a · labels + l`. */
  readonly labels: Float64Array;
}

/** Costs of mistakes: of predicates and of labelled arcs. */
type GraphCosts = CompleteGraphSettings["costs"];

/** Adds scores to the scores of a problem, with or without scores of predicates. O(labelled arcs). */
export function addScores(
  problem: GraphProblem,
  { predicates, arcs, labels }: AddedScores,
  scorePredicates: boolean,
): void {
  const { arcScores, predicateScores, labels: own } = problem;
  if (scorePredicates) for (let w = 1; w < predicateScores.length; w++) predicateScores[w] += predicates[w];
  for (let a = 0; a < arcScores.length; a++) {
    arcScores[a] += arcs[a];
    for (let k = own.start[a]; k < own.start[a + 1]; k++) {
      own.scores[k] += labels[a * own.count + own.label[k]!];
    }
  }
}

/**
 * Returns the gold graph over the candidates of a problem, which include its arcs and labels. O(labelled
 * arcs).
 */
function goldChoice({ arcs, labels }: GraphProblem, gold: EncodedGraph): GraphChoice {
  const { start, label } = labels;
  const labelled = goldLabels(arcs, gold).map((wanted, a) => {
    const at = label.subarray(start[a], start[a + 1]).indexOf(wanted);
    return at < 0 ? -1 : start[a] + at;
  });
  return { predicates: gold.predicates.slice(), labelled };
}

/**
 * Adds the cost of mistakes to the scores of a problem, less the cost of the graph without arcs, so that the
 * best graph has the highest score plus cost. O(labelled arcs).
 */
function addGraphCost(
  problem: GraphProblem,
  gold: GraphChoice,
  { falsePositive, falseNegative }: GraphCosts,
  scorePredicates: boolean,
): void {
  const { predicateScores, labels, arcs } = problem;
  for (let w = 1; w < predicateScores.length && scorePredicates; w++) {
    predicateScores[w] += gold.predicates[w] === 1 ? -falseNegative : falsePositive;
  }
  for (let a = 0; a < arcs.head.length; a++) {
    const wanted = gold.labelled[a];
    for (let k = labels.start[a]; k < labels.start[a + 1]; k++) {
      labels.scores[k] += k === wanted ? -falseNegative : falsePositive;
    }
  }
}

/** The cost of a graph. O(arcs). */
function graphCost(
  choice: GraphChoice,
  gold: GraphChoice,
  costs: GraphCosts,
  scorePredicates: boolean,
): number {
  const { falsePositive, falseNegative } = costs;
  let cost = 0;
  for (let w = 1; w < gold.predicates.length && scorePredicates; w++) {
    if (choice.predicates[w] > gold.predicates[w]) cost += falsePositive;
    if (choice.predicates[w] < gold.predicates[w]) cost += falseNegative;
  }
  for (let a = 0; a < gold.labelled.length; a++) {
    if (choice.labelled[a] === gold.labelled[a]) continue;
    if (choice.labelled[a] >= 0) cost += falsePositive;
    if (gold.labelled[a] >= 0) cost += falseNegative;
  }
  return cost;
}

/**
 * Makes the task of learning to find graphs, for the learners of `@arcwise/learn`. It counts the cost of mistakes. In the
 * first epochs (`basicEpochs`) there are neither parts of several arcs nor unique labels.
 */
export function graphTask(
  examples: readonly PreparedGraph[],
  scorer: GraphScorer,
  decoder: GraphDecoder,
  { costs, basicEpochs }: Pick<CompleteGraphSettings, "costs" | "basicEpochs">,
): CountedTask<GraphChoice> {
  let basic = false;
  const costOfOutputs = new RunningMean();
  let problem: GraphProblem;
  let gold: GraphChoice;
  return {
    beginEpoch(epoch) {
      basic = epoch <= basicEpochs;
    },
    size: examples.length,
    dimension: scorer.dimension,
    decode(example, weights: WeightVector, costAugmented) {
      const given = examples[example];
      problem = scorer.score(given, given.arcs, { values: weights, scale: 1 }, { basic });
      gold = goldChoice(problem, given.gold);
      if (costAugmented) addGraphCost(problem, gold, costs, scorer.scoresPredicates);
      return decoder.decode(problem);
    },
    difference(_example, output, into: SparseVector) {
      scorer.addDifference(problem, gold, output, into);
      const cost = graphCost(output, gold, costs, scorer.scoresPredicates);
      costOfOutputs.add(cost, 1);
      return cost;
    },
    takeFigures: (reset) => ({ loss: { value: costOfOutputs.take(reset), per: "sentence" } }),
  };
}
