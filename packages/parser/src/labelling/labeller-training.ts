import { counted } from "@arcwise/core/errors";
import type { EncodedSentence } from "@arcwise/core/features";
import { mira, type OnlineTrainingOptions, type StructuredTask, trainOnline } from "@arcwise/learn";
import type { EncodedTree, LabelFilter } from "../scoring/arcs/label-filter.ts";
import { Labeller } from "./labeller.ts";
import {
  LABELLER_CONFIGURATION,
  type LabellerConfiguration,
  labellerDimension,
} from "./labeller-configuration.ts";

/** Data and options of the training of a labeller. */
export interface LabellerTraining extends OnlineTrainingOptions {
  /** Number of labels. */
  readonly labels: number;
  /** The labels that an arc may have: those that `buildLabelFilter` finds in the gold trees. */
  readonly filter: LabelFilter;
  /**
   * Heads from parsers that were not trained on the sentence, one tree a sentence. The labeller is trained on
   * these besides the gold trees, so that it works in trees with errors. Words with a wrong head may have any
   * label there.
   */
  readonly heads?: readonly Int32Array[] | undefined;
  readonly configuration?: LabellerConfiguration | undefined;
}

const AGGRESSIVENESS = 0.1;
const COST = 1;

interface LabelExample {
  readonly sentence: EncodedSentence;
  readonly heads: Int32Array;
  /** Gold labels, -1 where any label is right. */
  readonly labels: Int32Array;
}

/**
 * Trains the weights of a labeller by one-best MIRA, averaged over all steps. The same input and seed give
 * the same weights.
 *
 * Cost: `epochs` times the cost of labelling all trees; memory: two vectors of weights.
 */
export async function trainLabeller(
  sentences: readonly EncodedSentence[],
  trees: readonly EncodedTree[],
  options: LabellerTraining,
): Promise<Float32Array> {
  const configuration = options.configuration ?? LABELLER_CONFIGURATION;
  const dimension = labellerDimension(configuration, options.labels);
  const learner = mira(dimension, { aggressiveness: AGGRESSIVENESS });
  const weights = { values: learner.weights.values, scale: 1 };
  const labeller = new Labeller({ configuration, weights }, options.labels, options.filter);
  await trainOnline(
    labellingTask(examplesOf(sentences, trees, options), labeller, dimension),
    learner,
    options,
  );
  return learner.weights.average();
}

function examplesOf(
  sentences: readonly EncodedSentence[],
  trees: readonly EncodedTree[],
  { heads: parsed }: LabellerTraining,
): LabelExample[] {
  if (trees.length !== sentences.length || (parsed && parsed.length !== sentences.length)) {
    throw new RangeError(
      `expected ${counted(sentences.length, "tree")}, got ${trees.length} gold ones and ` +
        `${parsed?.length ?? "no"} others`,
    );
  }
  const examples = sentences.map((sentence, index) => ({ sentence, ...trees[index] }));
  for (const [index, heads] of (parsed ?? []).entries()) {
    const gold = trees[index];
    const labels = gold.labels.map((label, m) => (heads[m] === gold.heads[m] ? label : -1));
    examples.push({ sentence: sentences[index], heads, labels });
  }
  return examples;
}

/** Labelling as a structured task. */
function labellingTask(
  examples: readonly LabelExample[],
  labeller: Labeller,
  dimension: number,
): StructuredTask<Int32Array> {
  return {
    size: examples.length,
    dimension,
    decode(example, weights: Float32Array, costAugmented) {
      labeller.weights = weights;
      const { sentence, heads, labels } = examples[example];
      return labeller.label(sentence, heads, { labels, cost: costAugmented ? COST : 0 });
    },
    difference(example, predicted, into) {
      const { heads, labels } = examples[example];
      return COST * labeller.addDifference(heads, labels, predicted, into);
    },
  };
}
