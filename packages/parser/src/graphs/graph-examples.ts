import { ArcwiseError, invalidArgument } from "@arcwise/core/errors";
import type { GraphModel } from "./graph-model.ts";
import { createGraphParser } from "./graph-parser.ts";
import type { GraphTrainOptions } from "./graph-settings.ts";
import type { GraphExample } from "./graph-types.ts";

/**
 * Checks the examples of a training.
 *
 * @throws ArcwiseError `invalid-argument` without examples; `invalid-data` when only some of them have a tree, or a graph or
 *   tree does not fit its words
 */
export function checkExamples(examples: readonly GraphExample[]): void {
  if (examples.length === 0)
    throw invalidArgument("trainGraphParser: examples", "sentences to learn from", "none");
  const withTree = examples.filter(({ syntax }) => syntax !== undefined).length;
  if (withTree !== 0 && withTree !== examples.length) {
    throw new ArcwiseError(
      "invalid-data",
      `expected trees for all ${examples.length} examples or for none, got ${withTree}`,
    );
  }
  for (const [index, { sentence, graph, syntax }] of examples.entries()) {
    const words = sentence.length;
    if (graph.n !== words || (syntax !== undefined && syntax.heads.length !== words + 1)) {
      throw new ArcwiseError(
        "invalid-data",
        `training example ${index + 1}: expected a graph and a tree of ${words} words`,
      );
    }
  }
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
