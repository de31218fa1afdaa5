export {
  type ArcConstraints,
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
export { mstDecoder } from "./arborescence/mst-decoder.ts";
export { plainMstDecoder } from "./arborescence/plain-mst-decoder.ts";
export type { DistributionDecoder } from "./distribution-decoder.ts";
export { kBestTrees } from "./kbest/kbest-mst.ts";
export { kBestProjectiveTrees } from "./kbest/kbest-projective.ts";
export { type FirstOrderOptions, PROJECTIVE_KINDS, type ProjectiveOptions } from "./options.ts";
export { EisnerChart } from "./projective/eisner-chart.ts";
export { eisnerDecoder } from "./projective/eisner-decoder.ts";
export { plainEisnerDecoder } from "./projective/plain-eisner-decoder.ts";
export {
  projectiveDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "./projective/projective-decoder.ts";
export { createTreeSampler, type TreeSampler, type TreeSamplerOptions } from "./sampling/sampling.ts";
export { createPartSampler, type PartSampler } from "./sampling/sampling-parts.ts";
export { createProjectiveSampler } from "./sampling/sampling-projective.ts";
export { createInsideOutside, projectiveMarginals } from "./sums/inside-outside.ts";
export {
  createPartSums,
  type PartMarginals,
  type PartSums,
  partMarginals,
} from "./sums/inside-outside-parts.ts";
export { arcMarginals, createMatrixTree, type TreeSums, type TreeSumsOptions } from "./sums/matrix-tree.ts";
export { type MbrDecoder, type MbrOptions, mbrDecoder } from "./sums/mbr.ts";
export { arcConfidence } from "./sums/minimum-risk.ts";
export { type ArcMarginals, expectedCost, treeEntropy } from "./sums/tree-distribution.ts";
