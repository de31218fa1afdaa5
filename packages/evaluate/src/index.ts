export { InvalidSentence, type Place, SentenceMismatch, type Side, TextMismatch } from "./errors.ts";
export {
  evaluateConllu,
  type MetricScore,
  UD_METRICS,
  type UdEvaluation,
  type UdMetric,
  type UdOptions,
} from "./ud-evaluation.ts";
