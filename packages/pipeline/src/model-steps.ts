/* The steps of a model, or those that a program gives in their place. */
import type { Sentence } from "@arcwise/core";
import type { ParserModel } from "@arcwise/parser";
import { createTagger } from "@arcwise/sequence";
import { createTokenizer, type TokenizerOptions } from "@arcwise/tokenize";
import type { PipelineModel } from "./pipeline-model.ts";
import {
  givenParser,
  givenTagger,
  givenTokenizer,
  type ParseStep,
  type StepReading,
  type TagStep,
  type TextFunction,
  type TokenizeStep,
  type TreeFunction,
  wholeText,
} from "./steps.ts";

/** Returns the tokeniser of a model, or another one in its place. */
export function tokenizeStep(
  { tokenizer }: Partial<PipelineModel>,
  given: TokenizeStep | TextFunction | TokenizerOptions | undefined,
): TokenizeStep | undefined {
  if (typeof given === "function") return wholeText(given);
  if (given !== undefined && "session" in given) return givenTokenizer(given);
  return tokenizer && createTokenizer(tokenizer, given);
}

/** Returns the tagger of a model, or another one in its place. */
export function tagStep(
  { tagger }: Partial<PipelineModel>,
  given: TagStep | false | undefined,
): TagStep | undefined {
  if (given === false) return undefined;
  return given === undefined ? tagger && createTagger(tagger) : givenTagger(given);
}

/** Returns the parser of a model, which `create` makes, or another one in its place. */
export function parseStep<Options extends { readonly valid?: boolean | undefined }>(
  { parser }: Partial<PipelineModel>,
  given: ParseStep | TreeFunction | Options | false,
  { valid }: { readonly valid?: boolean | undefined },
  create: (model: ParserModel, options: Options) => ParseStep,
): ParseStep | undefined {
  if (given === false) return undefined;
  if (typeof given === "function")
    return { read: (sentences) => sentences.map((words) => reading(given, words)) };
  if ("read" in given) return givenParser(given);
  return parser && create(parser, { ...given, valid: given.valid ?? valid });
}

function reading(parse: TreeFunction, words: Sentence): StepReading {
  return { best: () => parse(words), withWords: (others) => reading(parse, others) };
}
