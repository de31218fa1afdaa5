export {
  automatonOf,
  gramAutomaton,
  type LabelAutomaton,
  statesOf,
} from "./automaton.ts";
export {
  type AutomatonProblem,
  automatonBest,
  automatonSums,
} from "./automaton-search.ts";
export { BeamSearch } from "./beam.ts";
export {
  type ChainProblem,
  completeLattice,
  latticeOf,
  scoreLabelling,
  validateChain,
} from "./chain-problem.ts";
export { ForwardBackward } from "./forward-backward.ts";
export { kBestLabellings } from "./kbest.ts";
export { Viterbi, viterbi } from "./viterbi.ts";
