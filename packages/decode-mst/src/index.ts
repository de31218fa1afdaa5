export { dropPrunedArcs, restrictArcs } from "./arborescence/constraints.ts";
export { type ArborescenceSolver, createArborescenceSolver } from "./arborescence/max-arborescence.ts";
export { eisnerDecoder } from "./decoders/eisner-decoder.ts";
export { mbrDecoder } from "./decoders/mbr.ts";
export { mstDecoder } from "./decoders/mst-decoder.ts";
export { plainEisnerDecoder } from "./decoders/plain-eisner-decoder.ts";
export { plainMstDecoder } from "./decoders/plain-mst-decoder.ts";
export {
  projectiveDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "./decoders/projective-decoder.ts";
export { kBestTrees } from "./kbest/kbest-mst.ts";
export { kBestByPartition } from "./kbest/kbest-partition.ts";
export { kBestProjectiveTrees } from "./kbest/kbest-projective.ts";
export { PROJECTIVE_KINDS } from "./options.ts";
export { EisnerChart } from "./projective/eisner-chart.ts";
export { createTreeSampler, type TreeSampler } from "./sampling/sampling.ts";
export { createProjectiveSampler } from "./sampling/sampling-projective.ts";
export { createInsideOutside, projectiveMarginals } from "./sums/inside-outside.ts";
export { partMarginals } from "./sums/inside-outside-parts.ts";
export { arcMarginals, createMatrixTree, type TreeSums } from "./sums/matrix-tree.ts";
export { arcConfidence } from "./sums/minimum-risk.ts";
export { type ArcMarginals, expectedCost, treeEntropy } from "./sums/tree-distribution.ts";
