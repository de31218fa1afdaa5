export { DECODERS } from "../registry/decoders.ts";
export { dualDecoder } from "../registry/dual-decoders.ts";
export { WrongAnswer } from "./checks.ts";
export {
  decodeAll,
  rightHeads,
  type ScoredSentence,
  scoredBy,
  wordsIn,
} from "./scored-sentences.ts";
export { fittedExponent, mean, percentile, processorTime } from "./timing.ts";
