export { type AttachmentScores, attachmentScores, sentenceCounts } from "./attachment.ts";
export { type BootstrapResult, pairedBootstrap } from "./bootstrap.ts";
export { type ErrorAnalysis, errorAnalysis } from "./error-analysis.ts";
export { ERROR_CLASSES, type ErrorClasses } from "./error-classes.ts";
export { InvalidSentence, SentenceMismatch, TextMismatch } from "./errors.ts";
export { type GraphClasses, graphClasses } from "./graphs/graph-classes.ts";
export { enhancedPairs, sdpPairs } from "./graphs/graph-pairs.ts";
export { type GraphScores, graphCounts, graphScores } from "./graphs/graph-scores.ts";
export { type TreePair, treePairs } from "./pairs.ts";
export {
  arcProbability,
  headReliability,
  type Reliability,
  ReliabilityTable,
} from "./reliability.ts";
export {
  evaluateConllu,
  type MetricScore,
  sentenceMetrics,
  type UdEvaluation,
  type UdMetric,
} from "./ud-evaluation.ts";
export { WORD_METRICS, type WordMetric } from "./ud-words.ts";
export { type SentenceErrors, worstSentences } from "./worst-sentences.ts";
