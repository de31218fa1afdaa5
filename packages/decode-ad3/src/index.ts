export {
  type Ad3GraphDecoder,
  type Ad3GraphOptions,
  type Ad3GraphReport,
  ad3GraphDecoder,
} from "./graphs/ad3-graph-decoder.ts";
export { bestBasicGraph } from "./graphs/basic-graph.ts";
export { basicGraphDecoder } from "./graphs/basic-graph-decoder.ts";
export { type Ad3Options, type Ad3Solver, ad3, createAd3, type Solution, type Status } from "./solver/ad3.ts";
export {
  type BranchAndBoundOptions,
  branchAndBound,
  type ExactSolution,
} from "./solver/branch-and-bound.ts";
export { denseMaximizer } from "./solver/dense-maximizer.ts";
export { FactorGraph, type FactorOptions, type MultiVariable } from "./solver/factor-graph.ts";
export { headAutomatonMaximizer } from "./solver/head-automaton-maximizer.ts";
export type { LocalMaximizer } from "./solver/local-maximizer.ts";
export type { WarmStart } from "./solver/messages.ts";
export { type MplpOptions, mplp } from "./solver/mplp.ts";
export { type Configuration, type OwnFactor, ownMaximizer } from "./solver/own-maximizer.ts";
export { sequenceMaximizer } from "./solver/sequence-maximizer.ts";
export { type DualSolution, type SubgradientOptions, subgradient } from "./solver/subgradient.ts";
export { type TreeOptions, treeMaximizer } from "./solver/tree-maximizer.ts";
export {
  type Ad3Decoder,
  type Ad3DecoderOptions,
  type Ad3Report,
  type Ad3ReportOptions,
  ad3Decoder,
} from "./trees/ad3-decoder.ts";
export type { SearchLimits } from "./trees/branch-and-bound.ts";
export { type ParsingGraphOptions, parsingGraph } from "./trees/parsing-graph.ts";
export type { Decomposition } from "./trees/relaxation.ts";
export type { TreeFamily } from "./trees/tree-factor.ts";
