export { NoTree, UnsupportedPart } from "./errors.ts";
export { arcIndex, completeArcs, filterArcs } from "./parts/arcs.ts";
export { PartPositions } from "./parts/part-positions.ts";
export { type ArcsByHead, arcsByHead, partLayout } from "./parts/parts.ts";
export type {
  Arcs,
  Decoder,
  Decoding,
  IncrementalTreeScore,
  ParsingProblem,
  PartKind,
  PartTable,
  TreeScorer,
} from "./problem.ts";
export { MEMBERS, PART_KINDS } from "./problem.ts";
export { type Random, random } from "./random.ts";
export { activeParts, innerSiblings, scoreTree } from "./score.ts";
export type { DependencyTree, Sentence, Word } from "./sentence.ts";
export { SparseVector } from "./sparse-vector.ts";
export { countCrossings, crossingArcs } from "./trees/crossings.ts";
export { deprojectivize, type LiftEncoding, projectivize } from "./trees/lifting.ts";
export {
  checkTree,
  depthFirstOrder,
  depths,
  heads,
  isProjective,
  isTree,
  type Modifiers,
  modifiersOf,
  nonProjectiveArcs,
  postOrder,
  rootWords,
  type SubtreeSpans,
  subtreeSpans,
  type TreeOptions,
} from "./trees/tree.ts";
export { requireHandled, validateArcs, validateProblem } from "./validate.ts";
