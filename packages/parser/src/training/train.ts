import { requireSameEncoder } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import { hashString, mix } from "@arcwise/core/features";
import { shaped, tree, words } from "@arcwise/core/options";
import type { TrainedModel } from "../model/model.ts";
import { totalDimension } from "../scoring/model-weights.ts";
import type { ParserModel, TrainingExample } from "../types.ts";
import { statesOf } from "./checkpoint.ts";
import { workOf as parsingWorkOf, sum, type Training, trainingContext } from "./context.ts";
import { modelToContinue } from "./continued/continue-options.ts";
import { evaluator } from "./evaluation.ts";
import { checkExamples, treeFault } from "./examples.ts";
import { type Family, trainFamily } from "./family.ts";
import type { NetworkColumn } from "./network-options.ts";
import type { ParsingWork } from "./parsing-work.ts";
import { checkEncoder, printOfEncoder, runOf, type TrainingRun, workOf } from "./run.ts";
import { networkEpochs, type Settings, settingsOf } from "./settings.ts";
import { labelStage } from "./stages/label.ts";
import { calibrationStage, type ModelParts, modelStage, networkEvaluation } from "./stages/model.ts";
import { trainNetworks } from "./stages/network.ts";
import { pruneStage } from "./stages/prune.ts";
import type { Stages } from "./stages/stage.ts";
import { learnWeights } from "./stages/weights.ts";
import { incompatible } from "./terms.ts";
import type { TrainOptions } from "./train-options.ts";
import { treeWeights } from "./tree-weights.ts";
import { exampleWarnings } from "./warnings.ts";

/** The outputs of the stages of a training. */
interface Outputs extends ModelParts {
  readonly model: TrainedModel;
  readonly calibrated: ParserModel;
}

/** Estimated microseconds per word and epoch. The work of the states of a network grows with the square of its units. */
const WORK = { network: { fixed: 30, square: 0.03 }, weights: { 1: 110, 2: 190, 3: 280 } } as const;
/** Factors of slower decoders. */
const SEARCH: Readonly<Record<string, number>> = { hillclimb: 1.5, ad3: 2 };

/** The stages of a training. A new one is a file of `stages`, and a row. */
const STAGES: Stages<Training, Settings, Outputs> = {
  prune: pruneStage,
  network: {
    work(words, { network }) {
      if (network === false) return 0;
      const { fixed, square } = WORK.network;
      return (
        network.members *
        networkEpochs(network, words) *
        words *
        (fixed + square * network.units * network.units)
      );
    },
    run: (context) => trainNetworks(context, networkEvaluation(context)),
  },
  weights: {
    work: (words, { terms, decoder: { name }, order, epochs }) =>
      terms.includes("features")
        ? epochs * words * WORK.weights[order] * (Object.hasOwn(SEARCH, name) ? SEARCH[name] : 1)
        : 0,
    async run(context, { prune, network }) {
      const pruning = await prune;
      return pruning && learnWeights(context, treeWeights(context, pruning), network);
    },
  },
  labels: labelStage,
  model: modelStage,
  calibrated: calibrationStage,
};

/** The training of trees. */
const TREES: Family<TrainingExample, TrainOptions, Training, Settings, Outputs> = {
  stages: STAGES,
  check: checkedSettings,
  prepare: preparedTraining,
  warnings: (examples, { settings }) => exampleWarnings(examples, settings.decoder),
};

/**
 * Trains a parser. The same examples, options and seed give the same model, byte for byte, in every place.
 *
 * In a place for several jobs, such as `onThreads(4)`, the pruners, the members of the network, the labeller and the
 * shards are jobs, and the weights are learned in this thread in parallel with the network: there are no scores on the
 * development set as long as the network is being trained. With shards, the decoder and the learner must be built in or
 * modules (`loadDecoder`, `loadLearner`), which threads can load.
 *
 * Memory: the weights (4 bytes each, two vectors) and some 200 bytes per training word; the training sentences once
 * more in each thread.
 *
 * @throws ArcwiseError `unknown-option` or `invalid-option`; `invalid-argument` without examples; `invalid-data` on an
 *   example of another shape, or whose heads do not form a tree
 * @throws the reason of `options.signal`, between two sentences, when that is aborted
 *
 * @example
 * const place = onThreads(4);
 * const model = await trainParser(examples, { preset: "balanced", place });
 * await place.close();
 */
export async function trainParser(
  examples: readonly TrainingExample[],
  options: TrainOptions = {},
): Promise<ParserModel> {
  const { calibrated } = await trainFamily(TREES, examples, options);
  return calibrated;
}

/**
 * Returns the estimated work of a training on `words` words, in microseconds on one thread: to weigh it
 * against the training of a tagger and a tokeniser.
 *
 * @throws as `checkTrainOptions`
 */
export function trainingWork(words: number, options: TrainOptions = {}): number {
  return sum(Object.values(workOf(STAGES, settingsOf(options), options, words)));
}

/** The data that the weights of a parser are learned from, for other ways of learning them. */
export interface PreparedTraining {
  readonly work: ParsingWork;
  /**
   * Attachment scores of weights on `options.dev`, or on other examples, in percent; undefined without any.
   */
  evaluate(
    weights: Float32Array,
    examples?: readonly TrainingExample[],
  ): { readonly uas: number; readonly las: number } | undefined;
}

/**
 * Does what `trainParser` does before it learns the weights of arcs and parts: encodes the sentences and
 * trains the pruner. The result is plain data: `createParsingWork` makes a task and a learner of it, on
 * another thread or machine too.
 *
 * @throws as `trainParser`
 */
export async function prepareTraining(
  examples: readonly TrainingExample[],
  options: TrainOptions = {},
): Promise<PreparedTraining> {
  const settings = checkedSettings(examples, options);
  if (settings.network)
    throw incompatible("prepareTraining", "terms", "a network is trained by trainParser alone");
  const context = preparedTraining(examples, settings, runOf(STAGES, settings, examples, options), options);
  const pruning = (await pruneStage.run(context, {}))!;
  const evaluate = evaluator(context, pruning, undefined);
  return {
    work: parsingWorkOf(context, pruning.arcs),
    evaluate: (weights, others) =>
      (others ? evaluator(context, pruning, undefined, others) : evaluate)(() => weights),
  };
}

/** Checks examples and options. */
function checkedSettings(examples: readonly TrainingExample[], options: TrainOptions): Settings {
  const settings = settingsOf(options);
  checkExamples(examplesOf(options), "trainParser", examples, options.dev);
  const { count } = settings.shards;
  if (count > examples.length)
    throw new ArcwiseError(
      "invalid-option",
      `trainParser: expected at most one shard per example, got ${count} shards of ${examples.length} examples`,
    );
  checkEncoder(options.encoder, settings.network !== false);
  const base = modelToContinue(options);
  if (base) requireSameEncoder(base.network?.encoder, options.encoder);
  return settings;
}

function preparedTraining(
  examples: readonly TrainingExample[],
  settings: Settings,
  run: TrainingRun<TrainingExample>,
  options: TrainOptions,
): Training {
  const context = trainingContext(examples, settings, run, options);
  const { configuration, golds, network, base } = context;
  const { columns = [] } = network ? (options.network ?? {}) : {};
  const given = [...printOfEncoder(options.encoder), ...(base ? [printOfModel(base)] : [])];
  const states = statesOf({
    ...context,
    facts: [configuration, { ...settings.plain, epochs: 0 }, ...given],
    golds: [...golds.map(({ heads, labels }) => [heads, labels]), ...columns.flatMap(printOf)],
    dimension: totalDimension(context.dimensions),
  });
  return { ...context, states };
}

const EXAMPLE = shaped<TrainingExample>("an example with sentence and tree", { sentence: words, tree });

/** How the examples of a training are checked. */
function examplesOf({ partial = false }: TrainOptions) {
  return {
    check: EXAMPLE,
    faultOf: ({ sentence, tree }: TrainingExample) =>
      treeFault(partial ? { ...tree, heads: completed(tree.heads) } : tree, sentence.length),
  };
}

/** Returns heads with the root for words that are not annotated: a tree if the annotated ones do not form a cycle. */
function completed(heads: Int32Array): Int32Array {
  return heads.map((head, m) => (m > 0 && head === -1 ? 0 : head));
}

/** Returns a hash of the weights of a model. */
function printOfModel({ network, arcWeights, partWeights }: TrainedModel): number {
  let hash = 0;
  for (const values of [network?.values, arcWeights.values, partWeights.values])
    for (const value of values ?? []) hash = mix(hash ^ value);
  return hash;
}

/** Hashes of the labels of each sentence in a column. */
function printOf({ labels, given }: NetworkColumn): number[][][] {
  const hashes = (own: readonly (string | undefined)[]) =>
    own.map((label) => (label === undefined ? -1 : hashString(label)));
  return labels.map((own, s) =>
    given ? [hashes(own), hashes(given.labels[s]), [given.trust]] : [hashes(own)],
  );
}
