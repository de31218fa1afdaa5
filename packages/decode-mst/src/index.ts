export {
  type ArborescenceOptions,
  type ArborescenceSolver,
  createArborescenceSolver,
  maxArborescence,
  maxArborescenceOfArcs,
} from "./max-arborescence.ts";
export { type FirstOrderOptions, mstDecoder } from "./mst-decoder.ts";
export {
  PROJECTIVE_KINDS,
  type ProjectiveOptions,
  projectiveDecoder,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "./projective-decoder.ts";
export { eisnerDecoder } from "./eisner-decoder.ts";
