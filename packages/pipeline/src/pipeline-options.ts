import { type Encoder, requireEncoder } from "@arcwise/core/encoders";
import {
  accepting,
  anyOf,
  callback,
  flag,
  type OptionsOf,
  type OptionTable,
  satisfying,
} from "@arcwise/core/options";
import type { TokenizerOptions } from "@arcwise/tokenize";
import { type FinishStep, type TextFunction, type TokenizeStep, taggerCheck } from "./steps.ts";

/** Accepts objects. */
export const anObject = satisfying<object>(
  "an object",
  (value) => typeof value === "object" && value !== null,
);
/** Accepts `false`. */
export const off = satisfying<false>("false", (value) => value === false);

/** The options that all pipelines take. */
export const COMMON_OPTIONS = {
  tokenizer: {
    check: anyOf(accepting<TextFunction>(callback), accepting<TokenizeStep | TokenizerOptions>(anObject)),
    help: "a tokeniser, a function from a text to its sentences, or options of the model's tokeniser",
  },
  tagger: {
    check: anyOf(off, taggerCheck),
    help: "a tagger instead of the model's; false: words keep the tags that they have",
  },
  /** False: trees as the decoder finds them, to compare decoders or with trees of a treebank. */
  valid: {
    check: flag,
    default: true,
    help: "whether a tree that breaks a rule of Universal Dependencies is replaced by the best valid one",
  },
  /** The methods of the pipeline return promises then, as the methods of a `RemotePipeline`. */
  encoder: {
    check: accepting<Encoder>((value, at) => void requireEncoder(value, at)),
    help: "the encoder that the model was trained with",
  },
  finish: {
    check: accepting<FinishStep>(callback),
    help: "a last step for each sentence, such as `enhance` of @arcwise/conllu",
  },
} as const;

/** Steps that replace steps of a model, in addition to its parsers, and their options. */
export type CommonOptions = OptionsOf<OptionTable<typeof COMMON_OPTIONS>>;
