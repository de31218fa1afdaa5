export {
  type ArborescenceOptions,
  type ArborescenceSolver,
  createArborescenceSolver,
  maxArborescence,
  maxArborescenceOfArcs,
} from "./max-arborescence.ts";
export { type FirstOrderOptions, mstDecoder } from "./mst-decoder.ts";
