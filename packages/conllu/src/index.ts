export type { ReadOptions } from "./blocks.ts";
export { sentenceId, sentenceText } from "./comments.ts";
export {
  type Conll2009Options,
  type Conll2009Row,
  type Conll2009Sentence,
  conll2009Tree,
  conll2009Words,
  parseConll2009,
  readConll2009,
  withConll2009Tree,
  writeConll2009,
} from "./conll2009.ts";
export {
  type ConllXRow,
  type ConllXSentence,
  conllXTree,
  conllXWords,
  parseConllX,
  readConllX,
  withConllXTree,
  writeConllX,
} from "./conllx.ts";
export { sentenceTree, sentenceWords, type TagColumn, withTags, withTree } from "./convert.ts";
export { describeEncoding } from "./encoding.ts";
export { enhance, enhanceTree } from "./enhance/enhance.ts";
export { withLexicalLabels, withoutLexicalLabels } from "./enhance/lexical-labels.ts";
export { type Complaint, ConlluError } from "./error.ts";
export { collapseEmptyNodes } from "./graphs/collapse.ts";
export { type EnhancedGraphOptions, enhancedGraph, withEnhancedGraph } from "./graphs/enhanced-graph.ts";
export {
  parseSdp,
  readSdp,
  type SdpOptions,
  type SdpRow,
  type SdpSentence,
  type SdpVersion,
  sdpId,
  sdpWords,
  writeSdp,
} from "./graphs/sdp.ts";
export { sdpGraph, withSdpGraph } from "./graphs/sdp-graph.ts";
export { READ_LIMITS } from "./limits.ts";
export { type RawText, RawTextWriter, type RawToken, rawText } from "./raw-text.ts";
export { parseConllu, readConllu } from "./read.ts";
export { RULES, type Rule, type RuleName } from "./rules.ts";
export type { Attributes, Features } from "./sentence/attributes.ts";
export { sentenceFromJson } from "./sentence/from-json.ts";
export type {
  ColumnsJson,
  EdgeJson,
  EmptyNodeJson,
  SentenceJson,
  TokenJson,
  WordJson,
} from "./sentence/json.ts";
export {
  type EmptyNodeView,
  type EnhancedEdge,
  type SentenceView,
  type TokenView,
  viewSentence,
  type WordView,
} from "./sentence/sentence-view.ts";
export type { Source } from "./source.ts";
export type { Columns, ConlluSentence, EmptyRow, RangeRow, Row, WordRow } from "./types.ts";
export {
  type Finding,
  type ValidateOptions,
  validate,
  validateSource,
  validateText,
} from "./validate.ts";
export { writeConllu, writeSentence } from "./write.ts";
