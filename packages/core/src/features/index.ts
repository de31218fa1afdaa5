export {
  type ArcFeatures,
  arcFeatures,
  DISTANCES,
  distanceBucket,
  lineLength,
} from "./arc-features.ts";
export { ARC_TEMPLATES, PRUNER_TEMPLATES } from "./arc-templates.ts";
export {
  ATTRIBUTES,
  type Attribute,
  buildEncoder,
  COUNTED,
  type EncodedSentence,
  type EncoderData,
  PADDING,
  type SentenceEncoder,
  sentenceEncoder,
  shapeOf,
} from "./encode.ts";
export { codeOf, extend, hashString, mix } from "./hash.ts";
export { type ParsedTemplate, type Piece, parseTemplate, type Template } from "./templates.ts";
export { type Vocabulary, type VocabularyCounter, vocabulary, vocabularyCounter } from "./vocabulary.ts";
