import type { DependencyTree, Sentence } from "@arcwise/core";
import type { Parse, ParserModel, Reading, ReadingOptions } from "@arcwise/parser";
import { createTagger, type Tagger } from "@arcwise/sequence";
import {
  createTokenizer,
  type TextSession,
  type TokenizedSentence,
  type Tokenizer,
  type TokenizerOptions,
} from "@arcwise/tokenize";
import type { PipelineModel } from "./pipeline-model.ts";

/** Cuts text into sentences. */
export type TokenizeStep = Pick<Tokenizer, "session">;
/** Returns the sentences of a whole text: a tokeniser of one's own. */
export type TextFunction = (text: string) => TokenizedSentence[];
/** Fills in columns of words. */
export type TagStep = Pick<Tagger, "columns" | "tag"> & Partial<Pick<Tagger, "lemma">>;

/** What a parser has read of one sentence. What it cannot do, it does not have. */
export interface StepReading extends Partial<Pick<Reading, "kBest" | "marginals" | "columns" | "problem">> {
  best(options?: ReadingOptions): DependencyTree & Partial<Parse>;
  withWords(words: Sentence): StepReading;
}

/** Finds the trees of sentences. */
export interface ParseStep {
  read(sentences: readonly Sentence[]): StepReading[];
}

/** Returns the tree of words: a parser of one's own. */
export type TreeFunction = (words: Sentence) => DependencyTree;

export function tokenizeStep(
  { tokenizer }: Partial<PipelineModel>,
  given: TokenizeStep | TextFunction | TokenizerOptions | undefined,
): TokenizeStep | undefined {
  if (typeof given === "function") return { session: () => wholeText(given) };
  if (given !== undefined && "session" in given) return given;
  return tokenizer && createTokenizer(tokenizer, given);
}

/** A session that waits for the end of the text. */
function wholeText(tokenize: TextFunction): TextSession {
  let text = "";
  return {
    push(chunk) {
      text += chunk;
      return [];
    },
    end: () => tokenize(text),
  };
}

export function tagStep(
  { tagger }: Partial<PipelineModel>,
  given: TagStep | false | undefined,
): TagStep | undefined {
  if (given === false) return undefined;
  return given ?? (tagger && createTagger(tagger));
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
  if ("read" in given) return given;
  return parser && create(parser, { ...given, valid: given.valid ?? valid });
}

function reading(parse: TreeFunction, words: Sentence): StepReading {
  return { best: () => parse(words), withWords: (others) => reading(parse, others) };
}
