import { type ConlluSentence, sentenceTree, sentenceWords, withEnhancedGraph } from "@arcwise/conllu";
import { analysisOf, type Pipeline } from "@arcwise/pipeline";
import { hasGraph, hasTree, plainSentence } from "../shared/sentences.ts";

/** Sentences with graphs in DEPS, and why the first sentence without one lacks it. */
export interface GraphedSentences {
  readonly sentences: readonly ConlluSentence[];
  readonly failure: string;
}

/** Adds the semantic graphs that a model finds to sentences without a graph. Runs in the worker. */
export function withSemanticGraphs(
  pipeline: Pipeline,
  sentences: readonly ConlluSentence[],
): GraphedSentences {
  const { takesTrees = false } = pipeline.facts.graphs ?? {};
  const bare = sentences.filter((one) => !hasGraph(one));
  const tasks = bare.map((one) => ({
    words: sentenceWords(one),
    syntax: takesTrees && hasTree(one) ? sentenceTree(one) : undefined,
  }));
  const { results } = analysisOf(pipeline).findGraphs(tasks);
  const found = new Map(bare.map((one, i) => [one, results[i]!]));
  const failed = results.find(({ graph }) => graph === undefined);
  return {
    sentences: sentences.map((one) => {
      const graph = found.get(one)?.graph;
      return graph === undefined ? one : plainSentence(withEnhancedGraph(one, graph));
    }),
    failure: failed === undefined ? "" : `A sentence has no graph: ${(failed.error as Error).message}`,
  };
}
