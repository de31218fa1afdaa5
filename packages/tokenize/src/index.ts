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
export { type TokenizerProgress, type TokenizerTrainOptions, trainTokenizer } from "./training/train.ts";
