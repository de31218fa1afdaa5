import { checkGraph, type GraphEdge } from "@arcwise/core";
import { counted } from "@arcwise/core/errors";
import type { SyntaxInput } from "@arcwise/core/features";
import { graph, integer, list, optional, shaped, string, tree, words } from "@arcwise/core/options";
import { checkExamples, treeFault } from "@arcwise/parser/shared";
import type { GraphModel } from "./graph-model.ts";
import { createGraphParser } from "./graph-parser.ts";
import type { GraphTrainOptions } from "./graph-settings.ts";
import type { GraphExample } from "./graph-types.ts";

const EDGE = shaped<GraphEdge>("an edge with head, modifier and label", {
  head: integer(0),
  modifier: integer(1),
  label: string,
});
const SUGGESTED = shaped<SyntaxInput>("a tree", { suggested: optional(list(EDGE)) });
const EXAMPLE = shaped<GraphExample>("an example with sentence and graph", {
  sentence: words,
  graph,
  syntax: optional((value, at) => {
    tree(value, at);
    SUGGESTED(value, at);
  }),
});

/** Checks the examples of a training and of its development set. */
export function checkGraphExamples(examples: readonly GraphExample[], { dev }: GraphTrainOptions): void {
  let withTree: boolean | undefined;
  const rules = {
    check: EXAMPLE,
    faultOf(example: GraphExample): string | undefined {
      withTree ??= examples.some((one) => one?.syntax !== undefined);
      if (withTree && example.syntax === undefined)
        return "has no tree: expected trees for all examples or for none";
      return faultOf(example);
    },
  };
  checkExamples(rules, "trainGraphParser", examples, dev);
}

function faultOf({ sentence, graph, syntax }: GraphExample): string | undefined {
  const n = sentence.length;
  const wrong =
    graph.n === n ? checkGraph(graph) : `expected ${counted(n, "word")} as in its sentence, found ${graph.n}`;
  if (wrong !== undefined) return `has no graph: ${wrong}`;
  if (syntax === undefined) return undefined;
  const beyond = syntax.suggested?.find(({ head, modifier }) => Math.max(head, modifier) > n);
  if (beyond === undefined) return treeFault(syntax, n);
  return `has a suggested edge ${beyond.head} -> ${beyond.modifier}: expected positions up to ${n}`;
}

/** Returns the labelled F1 of a model on the development set, in percent. */
export function labelledF1(model: GraphModel, { dev = [], decoder }: GraphTrainOptions): number {
  const parser = createGraphParser(model, { decoder });
  let right = 0;
  let found = 0;
  let wanted = 0;
  const keyOf = ({ head, modifier, label }: { head: number; modifier: number; label: string }) =>
    `${head} ${modifier} ${label}`;
  for (const { sentence, graph, syntax } of dev) {
    const { edges } = parser.parse(sentence, { syntax });
    const gold = new Set(graph.edges.map(keyOf));
    right += edges.filter((edge) => gold.has(keyOf(edge))).length;
    found += edges.length;
    wanted += gold.size;
  }
  return found + wanted === 0 ? 100 : (200 * right) / (found + wanted);
}
