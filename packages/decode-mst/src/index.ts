export {
  type ArcConstraints,
  type ArcPair,
  type CompactProblem,
  dropPrunedArcs,
  restrictArcs,
} from "./constraints.ts";
export { EisnerChart } from "./eisner-chart.ts";
export { eisnerDecoder } from "./eisner-decoder.ts";
export { createInsideOutside, projectiveMarginals } from "./inside-outside.ts";
export {
  createPartSums,
  type PartMarginals,
  type PartSums,
  partMarginals,
} from "./inside-outside-parts.ts";
export { kBestTrees, type RankedTree } from "./kbest-mst.ts";
export { kBestProjectiveTrees } from "./kbest-projective.ts";
export { arcMarginals, createMatrixTree, type TreeSums, type TreeSumsOptions } from "./matrix-tree.ts";
export {
  type ArborescenceOptions,
  type ArborescenceSolver,
  createArborescenceSolver,
  maxArborescence,
  maxArborescenceOfArcs,
} from "./max-arborescence.ts";
export { arcConfidence, type MbrDecoder, type MbrDecoding, type MbrOptions, mbrDecoder } from "./mbr.ts";
export { type FirstOrderOptions, mstDecoder } from "./mst-decoder.ts";
export {
  PROJECTIVE_KINDS,
  type ProjectiveOptions,
  projectiveDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "./projective-decoder.ts";
export { createTreeSampler, type TreeSampler, type TreeSamplerOptions } from "./sampling.ts";
export { createProjectiveSampler } from "./sampling-projective.ts";
export { type ArcMarginals, expectedCost, treeEntropy } from "./tree-distribution.ts";
