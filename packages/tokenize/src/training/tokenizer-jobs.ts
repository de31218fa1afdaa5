import type { ConlluSentence } from "@arcwise/conllu";
import type { Job, Shared } from "@arcwise/jobs";
import type { TokenizerModel } from "../model.ts";
import { learnTokenizer, type TokenizerLearning } from "./learn-tokenizer.ts";

interface TokenizerWork {
  readonly sentences: Shared<readonly ConlluSentence[]>;
  readonly learning: TokenizerLearning;
}

/** Trains a tokeniser. */
export const tokenizerJob: Job<TokenizerWork, TokenizerModel> = {
  name: "tokenizer",
  module: import.meta.url,
  run: ({ sentences, learning }, context) => learnTokenizer(sentences, learning, context),
};
