import { bitsFor } from "@arcwise/core/arithmetic";
import { quantize } from "@arcwise/core/container";
import { type EncodedSentence, GRAPH_TEMPLATES } from "@arcwise/core/features";
import { crfLearner } from "@arcwise/learn";
import { type SenseConfiguration, type SenseModel, SenseScorer, senseInventory } from "./graph-senses.ts";
import type { GraphExample } from "./graph-types.ts";
import { senseTask } from "./sense-task.ts";

const EPOCHS = 3;
/** Steps of AdaGrad, and the penalty of the weights. */
const CRF = { rate: 0.1, l2: 1e-5, damping: 0.1 };
/** There are 2^bits weights, some for each predicate of the training graphs. */
const BITS = { min: 14, max: 20, each: 64 };

/**
 * Returns the senses and the features of a classifier of senses; undefined if the graphs do not have senses.
 * O(predicates).
 */
export function senseSettings(examples: readonly GraphExample[]): Omit<SenseModel, "weights"> | undefined {
  const predicates = examples.flatMap(({ graph }) => graph.predicates);
  if (predicates.every(({ sense }) => sense === "")) return undefined;
  const bits = bitsFor(BITS.each * predicates.length);
  const { predicates: templates, pairs, syntax } = GRAPH_TEMPLATES.senses;
  const configuration: SenseConfiguration = {
    predicates: templates,
    pairs,
    syntax: examples[0].syntax && syntax,
    bits: Math.max(BITS.min, Math.min(BITS.max, bits)),
  };
  return { inventory: senseInventory(examples), configuration };
}

/**
 * Learns the senses of predicates by maximum entropy: `crf` of `@arcwise/learn` over single decisions. The
 * arguments come from the gold graphs. O(epochs · predicates · features · senses).
 */
export async function trainSenses(
  examples: readonly GraphExample[],
  sentences: readonly EncodedSentence[],
  { seed, signal }: { readonly seed: number; readonly signal?: AbortSignal | undefined },
): Promise<SenseModel | undefined> {
  const settings = senseSettings(examples);
  if (settings === undefined) return undefined;
  const { inventory, configuration } = settings;
  const prepared = examples.map(({ sentence: words, syntax, graph }, i) => ({
    words,
    sentence: sentences[i],
    syntax,
    edges: graph.edges,
    predicates: graph.predicates,
  }));
  const dimension = 2 ** configuration.bits;
  const task = senseTask(prepared, new SenseScorer(inventory, configuration), dimension);
  const weights =
    task.size === 0
      ? new Float32Array(dimension)
      : Float32Array.from(await crfLearner(CRF).train(task, { epochs: EPOCHS, seed, signal }));
  return { ...settings, weights: quantize(weights) };
}
