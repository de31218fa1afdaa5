export {
  automatonOf,
  gramAutomaton,
  type LabelAutomaton,
  type State,
  type StateDescription,
  statesOf,
} from "../automaton/automaton.ts";
export {
  type AutomatonProblem,
  type AutomatonSums,
  automatonBest,
  automatonSums,
} from "../automaton/automaton-search.ts";
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
