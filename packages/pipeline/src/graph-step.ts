import { type ConlluSentence, sentenceTree, sentenceWords, withEnhancedGraph } from "@arcwise/conllu";
import { createGraphParser, type GraphParser, type GraphParserOptions } from "@arcwise/parser";
import type { PipelineModel } from "./model.ts";

/** Finds the graph of words, for DEPS. */
export type GraphStep = Pick<GraphParser, "parse">;

/** Makes the graph step of a model. @throws what `createGraphParser` throws */
export function graphsStep(
  { graphs }: Partial<PipelineModel>,
  given: GraphStep | GraphParserOptions | false | undefined,
): GraphStep | undefined {
  if (given === false) return undefined;
  if (given !== undefined && "parse" in given) return given;
  return graphs && createGraphParser(graphs, given);
}

/**
 * Returns a copy of a sentence with the graph that a step finds in DEPS, from its tags and its tree if it has
 * one.
 *
 * @throws what the step throws
 */
export function withGraph(sentence: ConlluSentence, step: GraphStep): ConlluSentence {
  const hasTree = sentence.rows.every((row) => row.kind !== "word" || row.head >= 0);
  const syntax = hasTree ? sentenceTree(sentence) : undefined;
  return withEnhancedGraph(sentence, step.parse(sentenceWords(sentence), { syntax }));
}
