export { GRAPH_LAW_NAMES, type GraphLawOptions, graphLaws } from "./graphs/graph-laws.ts";
export {
  type BestGraph,
  type BruteForceGraphOptions,
  bestGraph,
  bruteForceGraphDecoder,
  GRAPH_HANDLED,
  graphMarginals,
  visitGraphs,
} from "./graphs/graph-oracle.ts";
export {
  describeGraphProblem,
  type GraphProblemOptions,
  graphProblems,
  pairTable,
} from "./graphs/graph-problems.ts";
export { LAW_NAMES, type LawOptions, laws } from "./laws.ts";
export {
  allTrees,
  type BestTree,
  type BruteForceOptions,
  bestTree,
  bruteForceDecoder,
  keepsConstraint,
  rankedTrees,
  type TreeDistribution,
  type TreeFamily,
  treeDistribution,
} from "./oracle.ts";
export { describeProblem, type Planted, type ProblemOptions, plantedProblem, problems } from "./problems.ts";
export type { Law } from "./rules-to-laws.ts";
export { copyProblem, raiseArc, relabel, scaleScores, shiftArcs, silenceRoot } from "./transform.ts";
