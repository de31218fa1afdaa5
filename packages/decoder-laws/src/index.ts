export { graphLaws } from "./graphs/graph-laws.ts";
export { bestGraph, bruteForceGraphDecoder } from "./graphs/graph-oracle.ts";
export { graphProblems, pairTable } from "./graphs/graph-problems.ts";
export { laws } from "./laws.ts";
export {
  allTrees,
  bestTree,
  bruteForceDecoder,
  keepsConstraint,
  rankedTrees,
  treeDistribution,
} from "./oracle.ts";
export { problems } from "./problems.ts";
