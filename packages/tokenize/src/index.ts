export { tokenizedSentence } from "./conllu.ts";
export type { TokenizerModel } from "./model.ts";
export { loadTokenizer, saveTokenizer } from "./model-file.ts";
export {
  createTokenizer,
  type TextSession,
  type TokenizedSentence,
  type Tokenizer,
  type TokenizerOptions,
} from "./tokenizer.ts";
export {
  TOKENIZER_SETTINGS,
  type TokenizerSettings,
  type TokenizerTrainOptions,
  trainTokenizer,
} from "./training/train.ts";
