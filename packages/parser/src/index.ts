export { ModelError } from "./container.ts";
export { loadModel, saveModel } from "./model.ts";
export { createParser, type ParserOptions } from "./parser.ts";
export { trainParser } from "./train.ts";
export type {
  Parse,
  Parser,
  ParserModel,
  TrainingExample,
  TrainingProgress,
  TrainOptions,
} from "./types.ts";
