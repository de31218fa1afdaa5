export type { ParseConstraints } from "./decoding/constraints.ts";
export { DECODER_NAMES } from "./decoding/decoders.ts";
export { ModelError } from "./model/container.ts";
export { loadModel, saveModel } from "./model/model.ts";
export { createParser, type ParserOptions } from "./parser.ts";
export {
  readWordVectors,
  WordVectorError,
  type WordVectorOptions,
  type WordVectors,
} from "./scoring/tensor/word-vectors.ts";
export { LEARNER_NAMES, type LearnerReference, UnsupportedLearner } from "./training/learners.ts";
export { createParsingWork, type ParsingWork } from "./training/parsing-work.ts";
export { checkTrainOptions } from "./training/settings.ts";
export { type PreparedTraining, prepareTraining, trainParser } from "./training/train.ts";
export type {
  CostWeights,
  LabelStageOptions,
  LearnerChoice,
  LearningOptions,
  Marginals,
  NetworkOptions,
  Parse,
  ParseOptions,
  ParseReport,
  Parser,
  ParserModel,
  PruneStageOptions,
  ShardOptions,
  TensorOptions,
  TrainingExample,
  TrainingProgress,
  TrainOptions,
} from "./types.ts";
