import { type ConlluSentence, sentenceTree, sentenceWords, withEnhancedGraph } from "@arcwise/conllu";
import {
  createGraphParser,
  type GraphModel,
  type GraphParser,
  type GraphParserOptions,
} from "@arcwise/parser";

/** Finds the graph of words, for DEPS. */
export type GraphStep = Pick<GraphParser, "parse">;

/**
 * Makes the step that finds enhanced dependencies by a model.
 *
 * @throws RangeError when the model has learned other graphs, and what `createGraphParser` throws
 */
export function graphStep(model: GraphModel, options?: GraphParserOptions): GraphStep {
  if (model.graphs !== "enhanced")
    throw new RangeError(`expected a model of enhanced dependencies, found one of ${model.graphs} graphs`);
  return createGraphParser(model, options);
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
