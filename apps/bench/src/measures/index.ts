export { trainingDecoder } from "../jobs/parser-job.ts";
export { DECODERS, decodersNamed } from "../registry/decoders.ts";
export { dualDecoder } from "../registry/dual-decoders.ts";
export { WrongAnswer } from "./checks.ts";
export type { ComparisonResult } from "./compare-trees.ts";
export { drawnScoreSets } from "./score-sets.ts";
export {
  decodeAll,
  rightHeads,
  type ScoredSentence,
  scoredBy,
  spreadEvenly,
  wordsIn,
} from "./scored-sentences.ts";
export { fittedExponent, mean, percentile, processorTime } from "./timing.ts";
