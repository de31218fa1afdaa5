export { sentenceId, sentenceText } from "./comments.ts";
export { parseConll2009, readConll2009, writeConll2009 } from "./conll2009.ts";
export { parseConllX, readConllX, writeConllX } from "./conllx.ts";
export { partialTree, sentenceTree, sentenceWords, withTags, withTree } from "./convert.ts";
export { describeEncoding, wideOrder } from "./encoding.ts";
export { enhance, enhanceTree } from "./enhance/enhance.ts";
export { withLexicalLabels, withoutLexicalLabels } from "./enhance/lexical-labels.ts";
export { ConlluError } from "./error.ts";
export { explain } from "./explain/explain.ts";
export { universalTerms } from "./explain/universal-terms.ts";
export { collapseEmptyNodes } from "./graphs/collapse.ts";
export { enhancedGraph, withEnhancedGraph } from "./graphs/enhanced-graph.ts";
export { parseSdp, readSdp, type SdpSentence, sdpId, sdpWords, writeSdp } from "./graphs/sdp.ts";
export { sdpGraph, withSdpGraph } from "./graphs/sdp-graph.ts";
export { isUniversalTag } from "./inventory.ts";
export { LanguageLists, LIST_FILES } from "./language-lists.ts";
export { READ_LIMITS } from "./limits.ts";
export { columnsLine } from "./plus.ts";
export { RawTextWriter, rawText } from "./raw-text.ts";
export { parseConllu, readConllu } from "./read.ts";
export {
  areUniversal,
  mayHaveChild,
  relationRule,
  searchesTags,
  uniqueFunction,
  usedTag,
} from "./relations.ts";
export { RULES } from "./rules.ts";
export type { CompactSentenceJson } from "./sentence/compact-json.ts";
export { sentenceFromJson } from "./sentence/from-json.ts";
export type { SentenceJson } from "./sentence/json.ts";
export { nounChunks } from "./sentence/noun-chunks.ts";
export { type SentenceView, viewSentence } from "./sentence/sentence-view.ts";
export { withCodePoints } from "./sentence/spans.ts";
export type { EmptyNodeView, EnhancedEdge, Span, TokenView, WordView } from "./sentence/words.ts";
export { sentenceCheck } from "./sentence-check.ts";
export type { Source } from "./source.ts";
export type { Columns, ConlluSentence, Row, WordRow } from "./types.ts";
export { uncheckedTests } from "./unchecked.ts";
export { type Finding, validate, validateSource, validateText } from "./validate.ts";
export { writeConllu, writeSentence } from "./write.ts";
