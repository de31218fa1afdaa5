import type { Learner } from "@arcwise/learn";
import type { GraphModel } from "./graph-model.ts";
import { createGraphParser } from "./graph-parser.ts";
import type { GraphExample, GraphTrainOptions } from "./graph-types.ts";

/** Epochs of a training by default, and how many of them, the last ones, learn parts where there are any. */
const EPOCHS = 8;
const EPOCHS_WITH_PARTS = 2;

/** Epochs over the sentences, and how many of them, the first ones, leave parts and unique labels out. */
export interface GraphEpochs {
  readonly epochs: number;
  readonly basicEpochs: number;
}

/**
 * Returns the epochs of a training.
 *
 * @param hasParts whether there are parts of several arcs or unique labels
 * @throws RangeError on numbers out of range, or basic epochs of a learner that learns from all parts at once
 */
export function graphEpochs(
  options: Pick<GraphTrainOptions, "epochs" | "basicEpochs">,
  hasParts: boolean,
  { name, batch }: Learner,
): GraphEpochs {
  const { epochs = EPOCHS } = options;
  if (!Number.isInteger(epochs) || epochs < 1) throw new RangeError(`expected epochs >= 1, got ${epochs}`);
  const isSplit = hasParts && !batch;
  const { basicEpochs = isSplit ? Math.max(0, epochs - EPOCHS_WITH_PARTS) : 0 } = options;
  if (!Number.isInteger(basicEpochs) || basicEpochs < 0) {
    throw new RangeError(`expected basicEpochs >= 0, got ${basicEpochs}`);
  }
  if (basicEpochs > 0 && batch) {
    throw new RangeError(`the learner "${name}" learns from all parts at once: it takes no basicEpochs`);
  }
  return { epochs, basicEpochs };
}

/**
 * Checks the examples of a training.
 *
 * @throws RangeError when there is none, trees of some are missing, or a graph or tree is of other words
 */
export function checkExamples(examples: readonly GraphExample[]): void {
  if (examples.length === 0) throw new RangeError("expected at least one training example, got none");
  const withTree = examples.filter(({ syntax }) => syntax !== undefined).length;
  if (withTree !== 0 && withTree !== examples.length) {
    throw new RangeError(`expected trees for all ${examples.length} examples or for none, got ${withTree}`);
  }
  for (const [index, { sentence, graph, syntax }] of examples.entries()) {
    const words = sentence.length;
    if (graph.n !== words || (syntax !== undefined && syntax.heads.length !== words + 1)) {
      throw new RangeError(`training example ${index + 1}: expected a graph and a tree of ${words} words`);
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
