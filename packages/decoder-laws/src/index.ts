export { LAW_NAMES, type Law, type LawOptions, laws } from "./laws.ts";
export {
  allTrees,
  type BestTree,
  type BruteForceOptions,
  bestTree,
  bruteForceDecoder,
  type TreeFamily,
} from "./oracle.ts";
export { describeProblem, type Planted, type ProblemOptions, plantedProblem, problems } from "./problems.ts";
export { copyProblem, raiseArc, relabel, scaleScores, shiftArcs, silenceRoot } from "./transform.ts";
