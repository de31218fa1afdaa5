export { tokenizedSentence } from "./conllu.ts";
export { countLines } from "./line-counter.ts";
export { LINES } from "./line-option.ts";
export type { TokenizerModel } from "./model.ts";
export { loadTokenizer, saveTokenizer } from "./model-file.ts";
export type { LineCounts } from "./text/line-blocks.ts";
export {
  createTokenizer,
  type TextOptions,
  type TextRest,
  type TextSession,
  type TextSessionOptions,
  type TokenizedSentence,
  type Tokenizer,
  type TokenizerOptions,
} from "./tokenizer.ts";
export { TOKENIZER_SETTINGS } from "./training/settings.ts";
export { tokenizerJob } from "./training/tokenizer-jobs.ts";
export { type TokenizerTrainOptions, trainTokenizer } from "./training/train.ts";
