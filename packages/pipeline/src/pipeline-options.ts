import { anyOf, type Check, callback, flag, satisfying } from "@arcwise/core/options";
import type { TokenizerOptions } from "@arcwise/tokenize";
import { type FinishStep, type TagStep, type TextFunction, type TokenizeStep, taggerCheck } from "./steps.ts";

/** Steps that replace steps of a model, besides its parsers, and their options. */
export interface CommonOptions {
  readonly tokenizer?: TokenizeStep | TextFunction | TokenizerOptions | undefined;
  readonly tagger?: TagStep | false | undefined;
  readonly finish?: FinishStep | undefined;
  /**
   * Whether the trees of the model's parser are valid in Universal Dependencies, see `ParserOptions` of
   * `@arcwise/parser`. Default: true. False: trees as the decoder finds them, to compare decoders or with
   * trees of a treebank; parsers by themselves and trainings do without it too.
   */
  readonly valid?: boolean | undefined;
}

export const anObject: Check = satisfying(
  "an object",
  (value) => typeof value === "object" && value !== null,
);
export const off: Check = satisfying("false", (value) => value === false);

/** The options that all pipelines take. */
export const COMMON_OPTIONS = {
  tokenizer: {
    check: anyOf(callback, anObject),
    help: "a tokeniser, a function from a text to its sentences, or options of the model's tokeniser",
  },
  tagger: {
    check: anyOf(off, taggerCheck),
    help: "a tagger instead of the model's; false: words keep the tags that they have",
  },
  valid: {
    check: flag,
    default: true,
    help: "whether a tree that breaks a rule of Universal Dependencies is replaced by the best valid one",
  },
  finish: { check: callback, help: "a last step for each sentence, such as `enhance` of @arcwise/conllu" },
} as const;
