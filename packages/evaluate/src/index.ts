export {
  type AttachmentMetric,
  type AttachmentScores,
  attachmentScores,
  type SentenceCounts,
  sentenceCounts,
} from "./attachment.ts";
export {
  type BootstrapOptions,
  type BootstrapResult,
  pairedBootstrap,
  type SystemPair,
} from "./bootstrap.ts";
export { type Confusion, type ConfusionMatrix, confusionMatrix } from "./confusions.ts";
export { type AnalysisOptions, type ErrorAnalysis, errorAnalysis } from "./error-analysis.ts";
export { InvalidSentence, type Place, SentenceMismatch, type Side, TextMismatch } from "./errors.ts";
export { type GraphClasses, graphClasses } from "./graphs/graph-classes.ts";
export type { GraphScoringOptions } from "./graphs/graph-items.ts";
export { enhancedPairs, type GraphPair, sdpPairs } from "./graphs/graph-pairs.ts";
export {
  type EdgeScore,
  type GraphScores,
  graphCounts,
  graphScores,
  type ItemScore,
} from "./graphs/graph-scores.ts";
export { type TreePair, treePairs } from "./pairs.ts";
export type { PunctuationRule, ScoringOptions } from "./scoring.ts";
export type { ClassRow, ClassScore, ScoreRow } from "./tallies.ts";
export {
  evaluateConllu,
  type MetricScore,
  UD_METRICS,
  type UdEvaluation,
  type UdMetric,
  type UdOptions,
} from "./ud-evaluation.ts";
