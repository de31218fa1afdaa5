export {
  type ArcConstraints,
  type ArcPair,
  type CompactProblem,
  dropPrunedArcs,
  restrictArcs,
} from "./arborescence/constraints.ts";
export {
  type ArborescenceOptions,
  type ArborescenceSolver,
  createArborescenceSolver,
  maxArborescence,
  maxArborescenceOfArcs,
} from "./arborescence/max-arborescence.ts";
export { type FirstOrderOptions, mstDecoder } from "./arborescence/mst-decoder.ts";
export { kBestTrees, type RankedTree } from "./kbest/kbest-mst.ts";
export { kBestProjectiveTrees } from "./kbest/kbest-projective.ts";
export { EisnerChart } from "./projective/eisner-chart.ts";
export { eisnerDecoder } from "./projective/eisner-decoder.ts";
export {
  PROJECTIVE_KINDS,
  type ProjectiveOptions,
  projectiveDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "./projective/projective-decoder.ts";
export { createTreeSampler, type TreeSampler, type TreeSamplerOptions } from "./sampling/sampling.ts";
export { createProjectiveSampler } from "./sampling/sampling-projective.ts";
export { createInsideOutside, projectiveMarginals } from "./sums/inside-outside.ts";
export {
  createPartSums,
  type PartMarginals,
  type PartSums,
  partMarginals,
} from "./sums/inside-outside-parts.ts";
export { arcMarginals, createMatrixTree, type TreeSums, type TreeSumsOptions } from "./sums/matrix-tree.ts";
export { arcConfidence, type MbrDecoder, type MbrDecoding, type MbrOptions, mbrDecoder } from "./sums/mbr.ts";
export { type ArcMarginals, expectedCost, treeEntropy } from "./sums/tree-distribution.ts";
