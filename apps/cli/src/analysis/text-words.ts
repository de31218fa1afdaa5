import { sentenceWords } from "@arcwise/conllu";
import { analysisOf } from "@arcwise/pipeline";
import { openPipeline } from "@arcwise/pipeline/node";
import { type TokenizedSentence, tokenizedSentence } from "@arcwise/tokenize";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { checkInterrupt } from "../threads/interruption.ts";
import { runningText, textLines } from "./text-source.ts";

/** How text is cut into words: at spaces, by a simple rule, or by the tokeniser of a model. */
export type Cutting = { readonly words: "spaces" | "rule" } | { readonly model: string };

/** Runs of letters and digits, with hyphens, apostrophes and full stops inside; other characters alone. */
const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]/gu;

/**
 * Yields the words of texts: of each line, or of each sentence that a tokeniser finds.
 *
 * @throws ModelError when the model lacks a tokeniser
 * @throws DataError when a text is not UTF-8
 */
export async function* textWords(
  io: Io,
  paths: readonly string[],
  cutting: Cutting,
): AsyncGenerator<readonly string[]> {
  const cut = "model" in cutting ? await tokenised(cutting.model) : lineWords(cutting.words);
  for (const path of paths) {
    for await (const words of cut({ bytes: readBytes(io, path), file: displayName(path) })) {
      checkInterrupt(io);
      yield words;
    }
  }
}

type Cut = (input: Parameters<typeof textLines>[0]) => AsyncGenerator<readonly string[]>;

function lineWords(words: "spaces" | "rule"): Cut {
  return async function* (input) {
    for await (const line of textLines(input)) {
      const found = words === "rule" ? line.match(WORDS) : line.split(/\s+/u).filter((word) => word !== "");
      if (found !== null && found.length > 0) yield found;
    }
  };
}

async function tokenised(model: string): Promise<Cut> {
  const pipeline = analysisOf(await openPipeline({ model, parts: ["tokenizer"] }));
  const formsOf = (sentence: TokenizedSentence) =>
    sentenceWords(tokenizedSentence(sentence, 1)).map(({ form }) => form);
  return async function* (input) {
    const session = pipeline.session();
    for await (const chunk of runningText(input)) yield* session.push(chunk).map(formsOf);
    yield* session.end().map(formsOf);
  };
}
