export type { ParseConstraints } from "./constraints.ts";
export { ModelError } from "./container.ts";
export { DECODER_NAMES } from "./decoders.ts";
export { loadModel, saveModel } from "./model.ts";
export { createParser, type ParserOptions } from "./parser.ts";
export { createParsingWork, type ParsingWork } from "./parsing-work.ts";
export { type PreparedTraining, prepareTraining, trainParser } from "./train.ts";
export { checkTrainOptions } from "./train-settings.ts";
export type {
  Marginals,
  Parse,
  ParseOptions,
  ParseReport,
  Parser,
  ParserModel,
  TrainingExample,
  TrainingProgress,
  TrainOptions,
} from "./types.ts";
export {
  readWordVectors,
  WordVectorError,
  type WordVectorOptions,
  type WordVectors,
} from "./word-vectors.ts";
