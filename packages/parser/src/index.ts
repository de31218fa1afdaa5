export { ModelError } from "@arcwise/core/container";
export type { TrainingProgress } from "@arcwise/core/training";
export type { ParseConstraints } from "./decoding/constraints.ts";
export type { DecoderChoice } from "./decoding/decoders.ts";
export { PARSER_JOBS } from "./jobs.ts";
export type { ColumnShares, InputColumn } from "./model/column-shares.ts";
export { type InputProfile, inputProfile } from "./model/input-profile.ts";
export { loadParser } from "./model/load-parser.ts";
export { encoderOfParser, predictedColumns } from "./model/model.ts";
export { saveParser } from "./model/parser-file.ts";
export { createParser, type ParserOptions } from "./parser.ts";
export type { GivenColumns } from "./scoring/network/given-columns.ts";
export {
  type FeatureTemplates,
  readTemplates,
  writeTemplates,
} from "./scoring/templates/feature-templates.ts";
export { testTreeFeatures } from "./scoring/trees/tree-feature-check.ts";
export type { TreeFeatures } from "./scoring/trees/tree-features.ts";
export { lexiconVectors } from "./scoring/vectors/lexicon.ts";
export { readWordVectors, type WordVectors } from "./scoring/vectors/word-vectors.ts";
export { LEARNER_NAMES, type LearnerChoice } from "./training/learners.ts";
export type { NetworkColumn } from "./training/network-options.ts";
export { PARSER_PRESETS } from "./training/parser-presets.ts";
export { createParsingWork, type ParsingWork } from "./training/parsing-work.ts";
export { PRESET, SEED } from "./training/presets.ts";
export { checkEncoder } from "./training/run.ts";
export {
  checkTrainOptions,
  KINDS_OF_ORDER,
  type PlainSettings,
  templatesFor,
  withPreset,
} from "./training/settings.ts";
export { termsOf } from "./training/terms.ts";
export { type PreparedTraining, prepareTraining, trainingWork, trainParser } from "./training/train.ts";
export { PARSER_SETTINGS, type TrainOptions } from "./training/train-options.ts";
export { trainingWarnings } from "./training/warnings.ts";
export type {
  Marginals,
  Parse,
  ParseReport,
  Parser,
  ParserModel,
  Reading,
  ReadingOptions,
  ScoreShare,
  TrainingExample,
} from "./types.ts";
