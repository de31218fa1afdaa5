export type { GraphDecoderChoice } from "./graph-decoders.ts";
export { encoderOfGraphs, type GraphModel, loadGraphParser, saveGraphParser } from "./graph-model.ts";
export { createGraphParser, type GraphParserOptions } from "./graph-parser.ts";
export { graphInputProfile, takesTrees } from "./graph-profile.ts";
export {
  type CompleteGraphSettings,
  checkGraphTrainOptions,
  GRAPH_PRESETS,
  GRAPH_SETTINGS,
  type GraphSettings,
  type GraphTrainOptions,
} from "./graph-settings.ts";
export type {
  GraphExample,
  GraphKind,
  GraphParse,
  GraphParseOptions,
  GraphParser,
  GraphParserInput,
  GraphReading,
} from "./graph-types.ts";
export { GRAPH_PARSER_JOBS } from "./jobs.ts";
export { trainGraphParser } from "./train-graphs.ts";
