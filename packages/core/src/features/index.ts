export {
  type ArcFeatures,
  arcFeatures,
  checkArcTemplate,
  DISTANCES,
  distanceBucket,
  lineLength,
} from "./arc-features.ts";
export { ARC_TEMPLATES, LEAN_ARC_TEMPLATES, PRUNER_TEMPLATES } from "./arc-templates.ts";
export {
  ATTRIBUTES,
  buildEncoder,
  type EncodedSentence,
  type EncoderData,
  extendEncoderData,
  PADDING,
  type SentenceEncoder,
  sentenceEncoder,
} from "./encode.ts";
export { GlobalFeatures, ROLE, VIEW } from "./global-features.ts";
export { GLOBAL_TEMPLATES, GLOBAL_VIEWS, GLOBAL_WORDS, type GlobalView } from "./global-templates.ts";
export { GraphPartFeatures } from "./graphs/graph-part-features.ts";
export { GRAPH_TEMPLATES, type GraphFeaturedKind } from "./graphs/graph-templates.ts";
export { SyntaxFeatures, type SyntaxInput } from "./graphs/syntax-features.ts";
export { codeOf, emptyHash, extend, hashString, hashWith, mix } from "./hash.ts";
export { PART_LINE, PartFeatures, type PartRun } from "./part-features.ts";
export { type DirectionPattern, PART_FEATURES } from "./part-templates.ts";
export { CODE, STRING_SEED } from "./seeds.ts";
export {
  type Anchor,
  attributeOrFeature,
  columnOf,
  namedFeatures,
  type Piece,
  parsePartTemplate,
  piecesOf,
  type Template,
} from "./templates.ts";
export { type Vocabulary, vocabulary, vocabularyCounter } from "./vocabulary.ts";
export type { Weights, WeightTable } from "./weight-table.ts";
export { parseWordTemplate, WordFeatures, type WordTemplate } from "./word-features.ts";
export { normalForm, shapeOf } from "./word-strings.ts";
