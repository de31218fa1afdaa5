import { enhanceTree, withLexicalLabels, withoutLexicalLabels } from "@arcwise/conllu";
import type { DependencyGraph, Sentence } from "@arcwise/core";
import type { SyntaxInput } from "@arcwise/core/features";
import type { GraphExample, GraphKind } from "./graph-types.ts";

/** The kind of a model's graphs, and whether rules suggest edges of them. */
interface GraphSource {
  readonly graphs: GraphKind;
  readonly rules: boolean;
}

/** Returns the example that the model learns from: labels without lemmas, and the edges that rules suggest. */
export function learnedExample(example: GraphExample, source: GraphSource): GraphExample {
  const { sentence, graph, syntax } = example;
  return {
    sentence,
    graph: source.graphs === "enhanced" ? withoutLexicalLabels(sentence, graph) : graph,
    syntax: suggesting(sentence, syntax, source),
  };
}

/**
 * Returns a basic tree with the edges that rules derive from it, if the model learns with them; existing
 * suggestions stay.
 */
export function suggesting(
  sentence: Sentence,
  syntax: SyntaxInput | undefined,
  { graphs, rules }: GraphSource,
): SyntaxInput | undefined {
  if (!rules || syntax === undefined || syntax.suggested !== undefined) return syntax;
  const graph = enhanceTree(sentence, syntax);
  const { edges } = graphs === "enhanced" ? withoutLexicalLabels(sentence, graph) : graph;
  return { ...syntax, suggested: edges };
}

/** Returns a graph that was found, with the lemmas in its labels. */
export function completed(sentence: Sentence, graph: DependencyGraph, graphs: GraphKind): DependencyGraph {
  return graphs === "enhanced" ? withLexicalLabels(sentence, graph) : graph;
}
