import { type ConlluSentence, sentenceTree, sentenceWords } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { type SentenceVectors, withVectors } from "@arcwise/core/encoders";
import type { GraphParser, GraphParserInput, GraphReading } from "@arcwise/parser";

/** Finds the graph of words, for DEPS. */
export type GraphStep = Pick<GraphParser, "parse"> & Partial<Pick<GraphParser, "read" | "encoder">>;

/** One sentence as a graph step has read it. */
export type GraphStepReading = Pick<GraphReading, "best">;

/** Reads sentences, several at a time where the step can. An error of a sentence is thrown by its `best`. */
export function readGraphs(step: GraphStep, inputs: readonly GraphParserInput[]): GraphStepReading[] {
  return (
    step.read?.(inputs) ??
    inputs.map(({ sentence, syntax }) => ({ best: () => step.parse(sentence, { syntax }) }))
  );
}

/**
 * Returns the input of a graph step: the words of a sentence with their tags, with vectors if they have some, and its tree if
 * it has one.
 */
export function graphInput(sentence: ConlluSentence, vectors: SentenceVectors | undefined): GraphParserInput {
  const hasTree = sentence.rows.every((row) => row.kind !== "word" || row.head >= 0);
  const words = encodedWords(sentenceWords(sentence), vectors);
  return { sentence: words, syntax: hasTree ? sentenceTree(sentence) : undefined };
}

/** Returns words with their vectors, if they have some. */
export function encodedWords(words: Sentence, vectors: SentenceVectors | undefined): Sentence {
  return vectors === undefined ? words : withVectors(words, vectors);
}
