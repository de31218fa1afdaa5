export { ModelError } from "@arcwise/core/container";
export type { ParseConstraints } from "../decoding/constraints.ts";
export { TreeFeatureError, type TreeFeatures } from "../scoring/trees/tree-features.ts";
export type {
  Marginals,
  Parse,
  ParseReport,
  Parser,
  ParserModel,
  ProbabilityMethod,
  Reading,
  ReadingOptions,
  Reduction,
} from "../types.ts";
export { createParser, loadParser, type ParserOptions } from "./parse.ts";
