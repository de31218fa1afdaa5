export {
  CAPABILITIES,
  type Capability,
  type DecoderWith,
  hasCapability,
  requireCapability,
} from "./capabilities.ts";
export { addCost } from "./cost.ts";
export type {
  ArcPair,
  Decoder,
  DecoderCapabilities,
  Decoding,
  DecodingStatus,
  RankedTree,
  RelaxedDecoding,
  ReportedDecoding,
  RiskDecoding,
  Scored,
  TreeConstraint,
  TreeMarginals,
} from "./decoder.ts";
export { NoGraph, NoTree, UnsupportedCapability, UnsupportedPart } from "./errors/decoder-errors.ts";
export { chainLayout, emptyChainScores, type GraphChains, graphChains } from "./graphs/chains.ts";
export { checkGraph, type DependencyGraph, dependencyGraph, type GraphEdge } from "./graphs/graph.ts";
export type {
  GraphDecoder,
  GraphDecoding,
  GraphMarginals,
  GraphPosteriors,
  RelaxedGraphDecoding,
  ReportedGraphDecoding,
} from "./graphs/graph-decoder.ts";
export {
  type ArcLabels,
  CHAIN_KINDS,
  type ChainKind,
  type ChainTable,
  GRAPH_PART_KINDS,
  type GraphChoice,
  type GraphConstraints,
  type GraphHandled,
  type GraphPartKind,
  type GraphPartTable,
  type GraphProblem,
  PAIR_KINDS,
  type PairKind,
  type PairTable,
} from "./graphs/graph-problem.ts";
export { isPairTable, meetsConstraints, scoreGraph } from "./graphs/score-graph.ts";
export { GRAPH_CONSTRAINTS, requireGraphHandled, validateGraphProblem } from "./graphs/validate-graph.ts";
export { normalizeText } from "./normalize.ts";
export { arcIndex, completeArcs, filterArcs } from "./parts/arcs.ts";
export { arcsByHead } from "./parts/arcs-by-head.ts";
export type { ArcsByHead } from "./parts/candidate-lists.ts";
export { MEMBERS, type MemberRole, PART_DESCRIPTORS, PART_KINDS, type PartKind } from "./parts/kinds.ts";
export { partCount, partLayout } from "./parts/part-layout.ts";
export { PartPositions } from "./parts/part-positions.ts";
export { activeParts, innerSiblings } from "./parts/tree-parts.ts";
export type { Arcs, IncrementalTreeScore, ParsingProblem, PartTable, TreeScorer } from "./problem.ts";
export { type Random, random } from "./random.ts";
export { requireDecoder, requireGraphDecoder } from "./require-decoder.ts";
export { ProblemScorer, scoreTree } from "./score.ts";
export type { DependencyTree, Sentence, Word } from "./sentence.ts";
export { SparseVector } from "./sparse-vector.ts";
export { type DecodingStep, endSteps, type StepListener } from "./steps.ts";
export { projectivize } from "./trees/lifting.ts";
export {
  checkTree,
  depthFirstOrder,
  depths,
  heads,
  isProjective,
  isTree,
  modifiersOf,
  nonProjectiveArcs,
  rootWords,
} from "./trees/tree.ts";
export { ProblemValidator, requireHandled, validateProblem } from "./validate.ts";
