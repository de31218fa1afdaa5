import { checkTree } from "@arcwise/core";
import { packVector, type QuantizedWeights, quantize } from "@arcwise/core/container";
import { hashString } from "@arcwise/core/features";
import type { LearnerState } from "@arcwise/learn";
import type { TrainedModel } from "../model/model.ts";
import { calibrate } from "../reading/calibration.ts";
import { firstGlobal, totalDimension } from "../scoring/model-weights.ts";
import { networkSize } from "../scoring/network/network-layout.ts";
import { MIN_BYTE } from "../scoring/quantize-rows.ts";
import type { ParserModel, TrainingExample } from "../types.ts";
import {
  type Checkpoints,
  checkpointPieces,
  fingerprint,
  type PackedState,
  readCheckpoint,
  trainFrom,
} from "./checkpoint.ts";
import { dimensionsOf, runOf, sum, type TrainingContext, trainingContext, workOf } from "./context.ts";
import type { NetworkColumn } from "./network-options.ts";
import type { NetworkTask } from "./network-task.ts";
import type { ParsingWork } from "./parsing-work.ts";
import { settingsOf } from "./settings.ts";
import { describeSettings } from "./settings-description.ts";
import { labellerConfiguration, learnLabels } from "./stages/label.ts";
import { inThisThread, type MakeRunner } from "./stages/mixing.ts";
import { learnNetwork, parsingNetwork, type ReadyNetwork, type TrainNetwork } from "./stages/network.ts";
import { type Pruning, trainPruning } from "./stages/prune.ts";
import { evaluator, learnWeights, type WeightsStage } from "./stages/weights.ts";
import type { TrainOptions } from "./train-options.ts";
import { stepWork } from "./training-work.ts";
import { exampleWarnings } from "./warnings.ts";

/**
 * Trains a parser. The same examples, options and seed give the same model, byte for byte.
 *
 * Memory: the weights (4 bytes each, two vectors) and some 200 bytes a training word.
 *
 * @throws RangeError on an option out of range, an empty training set, or an example whose tree is none
 * @throws the reason of `options.signal`, between two sentences, when that is aborted
 */
export async function trainParser(
  examples: readonly TrainingExample[],
  options: TrainOptions = {},
): Promise<ParserModel> {
  return trainParserBy({ makeRunner: inThisThread }, examples, options);
}

/** Who does the work of a training. */
export interface TrainingRunners {
  /** Makes the runner of shards. */
  readonly makeRunner: MakeRunner;
  /** Trains the network elsewhere, beside the other stages. Default: in this thread, before the weights. */
  readonly trainNetwork?: TrainNetwork | undefined;
}

/** `trainParser` with other runners. */
export async function trainParserBy(
  runners: TrainingRunners,
  examples: readonly TrainingExample[],
  options: TrainOptions,
): Promise<ParserModel> {
  const context = checkedContext(examples, options);
  const { decoder, run } = context;
  for (const warning of exampleWarnings(examples, decoder)) options.onWarning?.(warning);
  const checkpoints = checkpointsOf(context);
  const model = await trainFrom(run.resume, () => trainStages(runners, context, checkpoints));
  return calibrated(model, context);
}

/** Adds to a model the temperature of its probabilities, learned on the development set. */
function calibrated(model: TrainedModel, { run, decoder, settings }: TrainingContext): ParserModel {
  const calibration = calibrate(model, run.dev, decoder, settings.treeFeatures);
  if (calibration === undefined) return model;
  return { ...model, description: { ...model.description, calibration } };
}

async function trainStages(
  { makeRunner, trainNetwork }: TrainingRunners,
  context: TrainingContext,
  checkpoints: Checkpoints,
): Promise<TrainedModel> {
  if (trainNetwork !== undefined && context.network !== undefined)
    return trainBeside(makeRunner, trainNetwork, context, checkpoints);
  const pruning = await trainPruning(context);
  const network = await networkStage(context, checkpoints);
  const ready = network && Promise.resolve(network);
  return assemble(context, await learnRest({ context, pruning, network: ready, checkpoints, makeRunner }));
}

/** Trains the network beside the other stages. When one of both fails, the other one is stopped. */
async function trainBeside(
  makeRunner: MakeRunner,
  train: TrainNetwork,
  given: TrainingContext,
  checkpoints: Checkpoints,
): Promise<TrainedModel> {
  const stop = new AbortController();
  const { signal } = given.run;
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const context = { ...given, run: { ...given.run, signal: either } };
  const network = networkStage(context, checkpoints, train).then((ready) => ready!);
  const rest = trainPruning(context).then((pruning) =>
    learnRest({ context, pruning, network, checkpoints, makeRunner }),
  );
  try {
    await Promise.all([network, rest]);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled([network, rest]);
    throw error;
  }
  return assemble(context, await rest);
}

async function networkStage(
  { network, settings, run }: TrainingContext,
  checkpoints: Checkpoints,
  train?: TrainNetwork,
): Promise<ReadyNetwork | undefined> {
  const own = settings.network;
  return network && own ? learnNetwork(network, own, settings, run, { checkpoints, train }) : undefined;
}

/** Learns what comes after pruning, and waits for the network. */
async function learnRest(stage: WeightsStage): Promise<TrainedStages> {
  const { context, pruning } = stage;
  const weights = await learnWeights(stage);
  const labeller =
    context.settings.labels.labeller === "sequence" ? await learnLabels(context, pruning) : undefined;
  return { pruning, weights, labeller, network: await stage.network };
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
  const { network } = settingsOf(options);
  if (network) throw new RangeError("a network is trained by trainParser alone");
  const context = checkedContext(examples, options);
  const pruning = await trainPruning(context);
  const evaluate = evaluator(context, pruning, undefined);
  return {
    work: workOf(context, pruning.arcs),
    evaluate: (weights, others) =>
      (others ? evaluator(context, pruning, undefined, others) : evaluate)(() => weights),
  };
}

function checkedContext(examples: readonly TrainingExample[], options: TrainOptions): TrainingContext {
  const settings = settingsOf(options);
  checkExamples(examples);
  const { count } = settings.shards;
  if (count > examples.length)
    throw new RangeError(
      `expected at most one shard per example, got ${count} shards of ${examples.length} examples`,
    );
  const words = sum(examples.map(({ sentence }) => sentence.length));
  return trainingContext(examples, settings, runOf(options, stepWork(words, settings.plain)));
}

function checkExamples(examples: readonly TrainingExample[]): void {
  if (examples.length === 0) throw new RangeError("expected at least one training example, got none");
  for (const [index, { sentence, tree }] of examples.entries()) {
    const { heads, labels } = tree;
    const wrong =
      heads.length !== sentence.length + 1 || labels.length !== heads.length
        ? `${sentence.length} words, ${heads.length} heads and ${labels.length} labels ` +
          "(expected one more each than words)"
        : checkTree(heads, { singleRoot: false });
    if (wrong !== undefined) throw new RangeError(`training example ${index + 1} has no tree: ${wrong}`);
  }
}

function checkpointsOf(context: TrainingContext): Checkpoints {
  const { configuration, settings, sentences, golds, network, run } = context;
  const print = fingerprint([configuration, { ...settings.plain, epochs: 0 }], sentences, [
    ...golds.map(({ heads, labels }) => [heads, labels]),
    ...run.columns.flatMap(printOf),
  ]);
  const most = Math.max(totalDimension(dimensionsOf(context)), networkParameters(network));
  const resume = run.resume ? readCheckpoint(run.resume, print, most) : {};
  let { network: reached } = resume;
  let learning = resume.weights !== undefined;
  let learned: PackedState | undefined = isLast(resume.weights) ? packed(resume.weights!) : undefined;
  let written: Promise<void> = Promise.resolve();
  function isLast(weights: LearnerState | undefined): boolean {
    return weights?.epoch === settings.epochs;
  }
  return {
    resume,
    keep({ network = reached, weights }) {
      reached = network;
      learning ||= weights !== undefined;
      // Weights that are being learned can be kept at the end of an epoch only.
      if (weights === undefined && learned === undefined && learning) return written;
      // The epochs of the network that are left are kept beside the weights, whose memory may be used again.
      if (context.network !== undefined && isLast(weights)) learned ??= packed(weights!);
      const state = { network, weights: weights ?? learned };
      written = written.then(() => run.keep?.(checkpointPieces(print, state)));
      return written;
    },
  };
}

function packed({ vectors, ...state }: LearnerState): PackedState {
  const all = Object.entries(vectors).map(([name, vector]) => [name, packVector(vector)] as const);
  return { ...state, vectors: Object.fromEntries(all) };
}

function networkParameters(task: NetworkTask | undefined): number {
  return task ? task.settings.members * networkSize(task.shape) : 0;
}

/** Hashes of the labels of each sentence in a column. */
function printOf({ labels, given }: NetworkColumn): number[][][] {
  const hashes = (own: readonly string[]) => own.map((label) => hashString(label));
  return labels.map((own, s) =>
    given ? [hashes(own), hashes(given.labels[s]!), [given.trust]] : [hashes(own)],
  );
}

/** The results of the stages of training. */
interface TrainedStages {
  readonly pruning: Pruning;
  readonly weights: Float32Array;
  readonly labeller: QuantizedWeights | undefined;
  readonly network: ReadyNetwork | undefined;
}

/** Quantises the weights and makes the model. */
function assemble(context: TrainingContext, stages: TrainedStages): TrainedModel {
  const { configuration, labels, encoder, filter, sentences } = context;
  const { pruning, weights, labeller, network } = stages;
  const dimensions = dimensionsOf(context);
  const { arcs, parts } = dimensions;
  const { learner, learning } = context.settings;
  // Learners that are not driven by errors give many small weights, which matter together.
  const least = learner.unit === "margin" && !learner.batch ? MIN_BYTE : 1;
  const { minWeight = least } = learning;
  const arcWeights = quantize(weights.subarray(0, arcs), minWeight);
  const partWeights = quantize(weights.subarray(arcs, arcs + parts), minWeight);
  const globalWeights = configuration.global && quantize(weights.subarray(firstGlobal(dimensions)));
  const tables = [arcWeights, partWeights, globalWeights, labeller];
  return {
    description: {
      ...describeSettings(context.settings.plain, network?.state.epoch),
      labels: labels.strings,
      trainingSentences: sentences.length,
      trainingWords: sum(sentences.map(({ n }) => n)),
      columns: context.columns,
      pruning: pruning.description,
      nonZeroWeights: sum(tables.map((table) => (table ? nonZero(table.values) : 0))),
    },
    configuration: { ...configuration, pruning: pruning.options },
    labels: labels.strings,
    encoder: encoder.data,
    filter,
    arcWeights,
    partWeights,
    prunerWeights: pruning.weights,
    globalWeights,
    reach: pruning.reach,
    labeller: labeller && { configuration: labellerConfiguration(context.settings), weights: labeller },
    network: network && parsingNetwork(network),
  };
}

function nonZero(values: Int8Array): number {
  return values.reduce((count, value) => count + (value === 0 ? 0 : 1), 0);
}
