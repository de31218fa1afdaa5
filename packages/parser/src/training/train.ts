import { type Arcs, checkTree, type Decoder } from "@arcwise/core";
import {
  ARC_TEMPLATES,
  buildEncoder,
  type EncodedSentence,
  GLOBAL_TEMPLATES,
  LEAN_ARC_TEMPLATES,
  lineLength,
  PART_LINE,
  PART_TEMPLATES,
  PRUNER_TEMPLATES,
  type SentenceEncoder,
  vocabularyCounter,
} from "@arcwise/core/features";
import { type OnlineState, trainOnline } from "@arcwise/learn";
import { decoderNamed } from "../decoding/decoders.ts";
import { LABELLER_CONFIGURATION } from "../labelling/labeller.ts";
import { trainLabeller } from "../labelling/labeller-training.ts";
import { LabelSet, type ModelConfiguration, type TrainedModel } from "../model/model.ts";
import type { NetworkAtRest } from "../model/network-model.ts";
import { type QuantizedWeights, quantize } from "../model/quantize.ts";
import { tensorAtRest } from "../model/tensor-model.ts";
import { crossFitPruner, unprunedArcs } from "../pruning/prune-training.ts";
import { candidates, type PruneOptions } from "../pruning/pruner.ts";
import type { Reach } from "../pruning/reach.ts";
import { buildLabelFilter, type EncodedTree, type LabelFilter } from "../scoring/arcs/label-filter.ts";
import { networkSize } from "../scoring/network/network-layout.ts";
import { type NetworkTask, networkTask } from "../scoring/network/network-training.ts";
import type { PartTemplates } from "../scoring/parts/part-scorer.ts";
import type { TensorSettings } from "../scoring/tensor/tensor.ts";
import { startTensor, tensorSettings } from "../scoring/tensor/tensor-training.ts";
import { quantizeVectors, withVectors } from "../scoring/tensor/word-vectors.ts";
import type { ParserModel, TrainingExample, TrainingProgress, TrainOptions } from "../types.ts";
import { type Checkpoints, fingerprint, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { type Evaluation, evaluation } from "./evaluation.ts";
import { goldFor } from "./learners.ts";
import { type Dimensions, firstGlobal, firstTensor, type Scorers, totalDimension } from "./parsing-task.ts";
import { createParsingWork, createScorers, type ParsingWork } from "./parsing-work.ts";
import { inThisThread, learnByMixing, type MakeRunner } from "./train-mixing.ts";
import { learnNetwork, type ReadyNetwork } from "./train-network.ts";
import { KINDS_OF_ORDER, type Settings, settingsOf } from "./train-settings.ts";

/**
 * Models of the first order are for speed, those of higher orders for accuracy. So the first have fewer templates, a
 * smaller table of weights (2^18 lines at most, not 2^19), fewer candidates, and no second stage for the labels.
 */
const LEAST_ARC_BITS = 18;
const MOST_ARC_BITS: Readonly<Record<1 | 2 | 3, number>> = { 1: 18, 2: 19, 3: 19 };
const PRUNER_RECALL: Readonly<Record<1 | 2 | 3, number>> = { 1: 0.994, 2: 0.996, 3: 0.996 };
/** In parsing: on development data the model finds as good trees as with all candidates that it was trained with. */
const PARSING_RECALL: Readonly<Record<1 | 2 | 3, number>> = { 1: 0.98, 2: 0.996, 3: 0.996 };
const PART_BITS = 20;
const PRUNER_BITS = 16;
const GLOBAL_BITS = 16;
const LABELLER_EPOCHS = 5;
/** Forms and lemmas seen fewer times are unknown words. */
const MINIMAL_COUNT = 2;

/** Which arcs are looked at. */
interface Pruning {
  /** Of the training sentences, with those of their gold trees. */
  readonly arcs: readonly Arcs[];
  /** Rough parses of the training sentences, for the labeller to see trees with faults. */
  readonly trees?: readonly Int32Array[];
  readonly options: PruneOptions | false;
  readonly description: ParserModel["description"]["pruning"];
  readonly weights: QuantizedWeights;
  readonly reach: Reach;
  candidates(sentence: EncodedSentence): Arcs;
}

/** All that training works on. */
interface Workshop {
  readonly settings: Settings;
  readonly options: TrainOptions;
  /** What is known of the model before training: all but how much is pruned. */
  readonly configuration: Omit<ModelConfiguration, "pruning">;
  readonly labels: LabelSet;
  readonly encoder: SentenceEncoder;
  readonly filter: LabelFilter;
  readonly sentences: readonly EncodedSentence[];
  readonly golds: readonly EncodedTree[];
  readonly scorers: Scorers;
  readonly decoder: Decoder;
  readonly tensor?: TensorSettings;
  readonly network?: NetworkTask;
}

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
  return trainParserBy(inThisThread, examples, options);
}

/** `trainParser` with something else than this thread to do the work of shards, if there are any. */
export async function trainParserBy(
  makeRunner: MakeRunner,
  examples: readonly TrainingExample[],
  options: TrainOptions,
): Promise<ParserModel> {
  const settings = settingsOf(options);
  checkExamples(examples);
  checkShards(settings.shards, examples.length);
  const workshop = prepare(examples, settings, options);
  const kept = checkpointsOf(workshop);
  const pruned = await pruningOf(workshop);
  const network = workshop.network && (await learnNetwork(workshop.network, settings, options, kept));
  const weights = await learn(workshop, pruned, kept, network, makeRunner);
  const labeller = settings.labeller === "sequence" ? await learnLabels(workshop, pruned) : undefined;
  return assemble(workshop, examples, pruned, weights, labeller, network);
}

function checkpointsOf(workshop: Workshop): Checkpoints {
  const { configuration, settings, sentences, golds, network, options } = workshop;
  const run = fingerprint(configuration, settings, sentences, golds);
  const most = Math.max(totalDimension(dimensionsOf(workshop)), network ? networkSize(network.shape) : 0);
  return {
    resume: options.resume ? readCheckpoint(options.resume, run, most) : {},
    keep: async (state) => options.onCheckpoint?.(writeCheckpoint(run, state)),
  };
}

/** What the weights of a parser are learned from, for those who learn them in their own way. */
export interface PreparedTraining {
  readonly work: ParsingWork;
  /** Attachment scores of weights on `options.dev`, or on other examples, in percent; undefined where there are none. */
  evaluate(
    weights: Float32Array,
    examples?: readonly TrainingExample[],
  ): { readonly uas: number; readonly las: number } | undefined;
}

/**
 * Does what `trainParser` does before it learns the weights of arcs and parts: codes the sentences, trains the pruner. What
 * it prepares is plain data: `createParsingWork` makes a task and a learner of it, on another thread or machine as well.
 *
 * @throws as `trainParser`
 */
export async function prepareTraining(
  examples: readonly TrainingExample[],
  options: TrainOptions = {},
): Promise<PreparedTraining> {
  const settings = settingsOf(options);
  if (settings.tensor) throw new RangeError("a tensor begins from weights that only trainParser finds");
  if (settings.network) throw new RangeError("a network is trained by trainParser alone");
  checkExamples(examples);
  const workshop = prepare(examples, settings, options);
  const pruned = await pruningOf(workshop);
  const evaluate = devEvaluator(workshop, pruned);
  return {
    work: workOf(workshop, pruned),
    evaluate: (weights, others) =>
      (others ? devEvaluator(workshop, pruned, undefined, others) : evaluate)(() => weights),
  };
}

/** Probabilities want the unlikely heads too. */
function recallsOf({ order, learner }: Settings): { training: number; parsing: number } {
  const training = PRUNER_RECALL[order];
  return { training, parsing: learner === "crf" ? training : PARSING_RECALL[order] };
}

/** Trains the pruner, unless there shall be none. */
async function pruningOf({ sentences, golds, configuration, settings, options }: Workshop): Promise<Pruning> {
  if (settings.prune === false) {
    return {
      arcs: unprunedArcs(sentences),
      options: false,
      description: false,
      weights: { values: new Int8Array(0), scale: 1 },
      reach: new Int32Array(0),
      candidates: candidates(undefined, false),
    };
  }
  const heads = golds.map((gold) => gold.heads);
  const { pruner, pruning, arcs, trees, ...measured } = await crossFitPruner(sentences, heads, {
    configuration,
    most: settings.prune.most,
    recall: recallsOf(settings),
    seed: settings.seed,
    onProgress: (epoch, epochs, done, total) => {
      const common = { stage: "prune", epoch, epochs, done, total, trainingError: 0 } as const;
      options.onProgress?.({ ...common, epochDone: done === total });
    },
    ...(options.signal && { signal: options.signal }),
  });
  return {
    arcs,
    trees,
    options: pruning,
    description: { ...pruning, ...measured },
    weights: { values: pruner.weights as Int8Array, scale: pruner.scale },
    reach: pruner.reach,
    candidates: candidates(pruner, pruning),
  };
}

function checkShards(shards = 1, examples: number): void {
  if (shards > examples)
    throw new RangeError(
      `expected at most one shard an example, got ${shards} shards of ${examples} examples`,
    );
}

function checkExamples(examples: readonly TrainingExample[]): void {
  if (examples.length === 0) throw new RangeError("expected at least one training example, got none");
  for (const [index, { sentence, tree }] of examples.entries()) {
    const { heads, labels } = tree;
    const wrong =
      heads.length !== sentence.length + 1 || labels.length !== heads.length
        ? `${sentence.length} words, ${heads.length} heads and ${labels.length} labels (expected one more each than words)`
        : checkTree(heads, { singleRoot: false });
    if (wrong !== undefined) throw new RangeError(`training example ${index + 1} has no tree: ${wrong}`);
  }
}

function prepare(examples: readonly TrainingExample[], settings: Settings, options: TrainOptions): Workshop {
  const decoder = decoderNamed(settings.decoder, settings);
  const vectors = options.tensor?.vectors && quantizeVectors(options.tensor.vectors);
  const allWords = examples.map(({ sentence }) => sentence);
  const encoder = withVectors(buildEncoder(allWords, MINIMAL_COUNT, { fine: settings.order > 1 }), vectors);
  const counter = vocabularyCounter();
  for (const { tree } of examples) for (let m = 1; m < tree.labels.length; m++) counter.add(tree.labels[m]!);
  const labels = new LabelSet(counter.vocabulary().strings);
  const sentences = examples.map(({ sentence }) => encoder.encode(sentence));
  const golds = examples.map(({ tree }) => goldFor(settings.learner, settings.decoder, labels.encode(tree)));
  const filter = buildLabelFilter(sentences, golds, labels.strings.length);
  const kinds = [...KINDS_OF_ORDER[settings.order], ...(settings.parts ?? [])];
  const configuration = {
    order: settings.order,
    decoder: settings.decoder,
    arcTemplates: settings.order === 1 ? LEAN_ARC_TEMPLATES : ARC_TEMPLATES,
    partTemplates: Object.fromEntries(kinds.map((kind) => [kind, PART_TEMPLATES[kind]])) as PartTemplates,
    prunerTemplates: settings.prune === false ? [] : PRUNER_TEMPLATES,
    arcBits: arcBitsFor(settings.order, sum(sentences.map(({ n }) => n))),
    partBits: PART_BITS,
    prunerBits: settings.prune === false ? 0 : PRUNER_BITS,
    ...(settings.global && { global: { templates: GLOBAL_TEMPLATES, bits: GLOBAL_BITS } }),
  };
  const tensor = settings.tensor && { tensor: tensorSettings(sentences, settings.tensor, vectors) };
  const scorers = createScorers({ configuration, labels: labels.strings.length, filter, ...tensor });
  const shape = settings.network && { units: settings.network.units, labels: labels.strings.length };
  const network = shape && { network: networkTask(sentences, golds, shape) };
  const common = { settings, options, configuration, labels, encoder, filter, ...tensor, ...network };
  return { ...common, sentences, golds, scorers, decoder };
}

function arcBitsFor(order: 1 | 2 | 3, words: number): number {
  return Math.max(
    LEAST_ARC_BITS,
    Math.min(MOST_ARC_BITS[order], Math.ceil(Math.log2(5 * Math.max(1, words)))),
  );
}

/** What learning works on. */
function workOf(workshop: Workshop, pruned: Pruning): ParsingWork {
  const { sentences, golds, labels, filter, configuration, settings } = workshop;
  return {
    learner: settings.learner,
    ...(settings.restarts !== undefined && { restarts: settings.restarts }),
    ...(settings.fractional && { fractional: true }),
    ...(settings.dropout && { dropout: { rate: settings.dropout, seed: settings.seed } }),
    decoder: settings.decoder,
    configuration,
    labels: labels.strings.length,
    filter,
    ...(workshop.tensor && { tensor: workshop.tensor }),
    dimensions: dimensionsOf(workshop),
    examples: sentences.map((sentence, i) => ({ sentence, arcs: pruned.arcs[i]!, gold: golds[i]! })),
  };
}

/** Trains the weights of arcs and parts; returns their average over all steps. */
async function learn(
  workshop: Workshop,
  pruned: Pruning,
  checkpoints: Checkpoints,
  network: ReadyNetwork | undefined,
  makeRunner: MakeRunner,
): Promise<Float32Array> {
  const { sentences, settings, options } = workshop;
  const work = workOf(workshop, pruned);
  const { dimensions } = work;
  const evaluate = devEvaluator(workshop, pruned, network?.atRest);
  const common = { stage: "learn", epochs: settings.epochs, total: sentences.length } as const;
  let progress: TrainingProgress | undefined;
  function tell(epoch: number, done: number, trainingError: number): void {
    progress = { ...common, epoch, done, trainingError, epochDone: false };
    if (done < common.total) options.onProgress?.(progress);
  }
  async function finishEpoch(state: OnlineState, average: () => Float32Array): Promise<void> {
    const dev = evaluate(average);
    options.onProgress?.({ ...progress!, epochDone: true, ...(dev && { dev }) });
    await checkpoints.keep({ ...(network && { network: network.state }), weights: state });
  }
  const resume = checkpoints.resume.weights;
  const training = {
    epochs: settings.epochs,
    seed: settings.seed,
    ...(resume && { resume }),
    ...(options.signal && { signal: options.signal }),
  };
  const { shards, mixing = "changed", mixes = 1, averageAfter = 0 } = settings;
  if (shards !== undefined) {
    return learnByMixing(work, makeRunner, {
      ...training,
      shards,
      mixing,
      mixes,
      averageAfter,
      onProgress: ({ epoch, done, error }) => tell(epoch, done, error),
      onEpoch: async (state, average) => {
        const weights = options.dev?.length ? await average() : undefined;
        await finishEpoch(state, () => weights!);
      },
    });
  }
  const { task, learner } = createParsingWork(work, workshop.scorers, resume?.steps);
  if (settings.tensor && !resume) {
    const start = await startTensor(work, settings.tensor.start, settings.seed, options.signal);
    learner.weights.values.set(start, firstTensor(dimensions));
  }
  await trainOnline(task, learner, {
    ...training,
    onProgress: ({ epoch, done }) => tell(epoch, done, task.takeErrorRate(done === common.total)),
    onEpoch: (state) => finishEpoch(state, () => learner.result()),
  });
  return learner.result();
}

/** Trains the labeller, on gold trees and on rough parses. */
async function learnLabels(workshop: Workshop, { trees }: Pruning): Promise<QuantizedWeights> {
  const { sentences, golds, labels, filter, settings, options } = workshop;
  const weights = await trainLabeller(sentences, golds, {
    labels: labels.strings.length,
    filter,
    ...(trees && { heads: trees }),
    epochs: LABELLER_EPOCHS,
    seed: settings.seed,
    onProgress: ({ epoch, done }) => {
      const total = sentences.length * (trees ? 2 : 1);
      const common = { stage: "label", epoch, epochs: LABELLER_EPOCHS, done, total } as const;
      options.onProgress?.({ ...common, trainingError: 0, epochDone: done === total });
    },
    ...(options.signal && { signal: options.signal }),
  });
  return quantize(weights);
}

function dimensionsOf({ configuration, labels, scorers }: Workshop): Dimensions {
  const { arcBits, partBits, partTemplates, global } = configuration;
  return {
    arcs: lineLength(labels.strings.length) * 2 ** arcBits,
    parts: Object.keys(partTemplates).length === 0 ? 0 : PART_LINE * 2 ** partBits,
    ...(scorers.arcs.tensor && { tensor: scorers.arcs.tensor.dimension }),
    ...(global && { global: PART_LINE * 2 ** global.bits }),
  };
}

/** Attachment scores on the development set, in percent, by the averaged weights. */
function devEvaluator(
  workshop: Workshop,
  pruned: Pruning,
  network?: NetworkAtRest,
  examples = workshop.options.dev ?? [],
): Evaluation {
  const candidatesOf = (sentence: EncodedSentence) => pruned.candidates(sentence);
  return evaluation({ ...workshop, dimensions: dimensionsOf(workshop), candidatesOf }, examples, network);
}

function assemble(
  workshop: Workshop,
  examples: readonly TrainingExample[],
  pruning: Pruning,
  weights: Float32Array,
  labeller: QuantizedWeights | undefined,
  network: ReadyNetwork | undefined,
): TrainedModel {
  const { configuration, labels, encoder, filter, tensor } = workshop;
  const { prune: _, ...settings } = workshop.settings;
  const dimensions = dimensionsOf(workshop);
  const { arcs, parts } = dimensions;
  const arcWeights = quantize(weights.subarray(0, arcs));
  const partWeights = quantize(weights.subarray(arcs, arcs + parts));
  const globalWeights = configuration.global && quantize(weights.subarray(firstGlobal(dimensions)));
  const nonZero = (values: Int8Array) => values.reduce((count, value) => count + (value === 0 ? 0 : 1), 0);
  return {
    description: {
      ...settings,
      ...(network && { network: { ...settings.network, epochs: network.state.epoch } }),
      labels: labels.strings,
      trainingSentences: examples.length,
      trainingWords: sum(examples.map(({ sentence }) => sentence.length)),
      pruning: pruning.description,
      nonZeroWeights: sum(
        [arcWeights, partWeights, globalWeights, labeller].map((table) =>
          table ? nonZero(table.values) : 0,
        ),
      ),
    },
    configuration: { ...configuration, pruning: pruning.options },
    labels: labels.strings,
    encoder: encoder.data,
    filter,
    arcWeights,
    partWeights,
    prunerWeights: pruning.weights,
    ...(globalWeights && { globalWeights }),
    reach: pruning.reach,
    ...(labeller && { labeller: { configuration: LABELLER_CONFIGURATION, weights: labeller } }),
    ...(tensor && {
      tensor: tensorAtRest(tensor, weights.subarray(firstTensor(dimensions), firstGlobal(dimensions))),
    }),
    ...(network && { network: network.atRest }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
