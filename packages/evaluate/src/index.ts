export { type AttachmentScores, attachmentScores, sentenceCounts } from "./attachment.ts";
export { type BootstrapResult, pairedBootstrap } from "./bootstrap.ts";
export { type Confusion, confusionMatrix } from "./confusions.ts";
export { type ErrorAnalysis, errorAnalysis } from "./error-analysis.ts";
export { type ClassAccuracy, ERROR_CLASSES, type ErrorClasses } from "./error-classes.ts";
export { InvalidSentence, SentenceMismatch, type Side, TextMismatch } from "./errors.ts";
export { type GraphClasses, graphClasses } from "./graphs/graph-classes.ts";
export { enhancedPairs, type GraphPair, sdpPairs } from "./graphs/graph-pairs.ts";
export {
  type EdgeScore,
  type GraphScores,
  graphCounts,
  graphScores,
  type ItemScore,
} from "./graphs/graph-scores.ts";
export { type TreePair, treePairs } from "./pairs.ts";
export {
  arcProbability,
  headReliability,
  type Reliability,
  type ReliabilityBin,
  ReliabilityTable,
} from "./reliability.ts";
export type { ClassRow } from "./tallies.ts";
export {
  evaluateConllu,
  type MetricScore,
  sentenceMetrics,
  type UdEvaluation,
  type UdMetric,
} from "./ud-evaluation.ts";
export { WORD_METRICS, type WordMetric } from "./ud-words.ts";
export { type SentenceErrors, worstSentences } from "./worst-sentences.ts";
