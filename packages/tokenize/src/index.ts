export { tokenizedSentence } from "./conllu.ts";
export type { NetworkData, TokenizerModel, TokenizerScores } from "./model.ts";
export { loadTokenizer, saveTokenizer } from "./model-file.ts";
export type { AffixRule, MultiwordForm, MultiwordRules } from "./multiword.ts";
export type { WholeTokenKind } from "./rules/whole-tokens.ts";
export {
  createTokenizer,
  type TextSession,
  type Token,
  type TokenizedSentence,
  type Tokenizer,
  type TokenizerOptions,
} from "./tokenizer.ts";
export { type TokenizerProgress, type TokenizerTrainOptions, trainTokenizer } from "./training/train.ts";
