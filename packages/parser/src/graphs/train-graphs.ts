import type { GraphDecoder } from "@arcwise/core";
import { bitsFor } from "@arcwise/core/arithmetic";
import { quantize } from "@arcwise/core/container";
import {
  buildEncoder,
  type EncodedSentence,
  GRAPH_ARC_TEMPLATES,
  GRAPH_PART_TEMPLATES,
  GRAPH_PRUNER_TEMPLATES,
  PREDICATE_TEMPLATES,
  type SentenceEncoder,
  SYNTAX_PREDICATE_TEMPLATES,
  SYNTAX_TEMPLATES,
} from "@arcwise/core/features";
import { checkLearned } from "@arcwise/core/options";
import { epochShare, TrainingReporter, type TrainingStep } from "@arcwise/core/training";
import { checkNeeds, requireWeights } from "@arcwise/learn";
import { here, type Place } from "@arcwise/work";
import { columnShares } from "../model/column-shares.ts";
import { LABELS } from "../model/common-checks.ts";
import { networkSize } from "../scoring/network/network-layout.ts";
import { NETWORK_TEMPLATES } from "../scoring/network/network-reader.ts";
import { type QuantizedNetwork, quantizeNetwork } from "../scoring/network/quantized-network.ts";
import { type Checkpoints, trainFrom } from "../training/checkpoint.ts";
import type { NetworkState } from "../training/network-state.ts";
import { type NetworkTask, PLAIN } from "../training/network-task.ts";
import { trainNetwork } from "../training/network-training.ts";
import { type EncodedGraph, GraphLabels } from "./encoded-graph.ts";
import { learnedExample } from "./enhanced-input.ts";
import { graphCheckpoints } from "./graph-checkpoints.ts";
import { graphDecoderOf, storedGraphDecoder } from "./graph-decoders.ts";
import { checkExamples, labelledF1 } from "./graph-examples.ts";
import { labelFilter, uniqueLabels } from "./graph-labels.ts";
import { type GraphModel, graphDimension, SENSE_INVENTORY } from "./graph-model.ts";
import { graphNetworkTask } from "./graph-network.ts";
import { pairsOfEdges } from "./graph-parser.ts";
import { crossFitGraphPruner, type TrainedGraphPruner } from "./graph-pruner-training.ts";
import { type GraphFeatureConfiguration, GraphScorer } from "./graph-scorer.ts";
import {
  type CompleteGraphSettings,
  checkGraphTrainOptions,
  type GraphTrainOptions,
} from "./graph-settings.ts";
import { graphTask } from "./graph-task.ts";
import type { GraphExample } from "./graph-types.ts";
import { graphTrainingWarnings } from "./graph-warnings.ts";
import { senseSettings, trainSenses } from "./train-senses.ts";

/** Forms and lemmas seen fewer times are unknown words. */
const MIN_COUNT = 2;
const ARC_BITS = { min: 16, max: 19 };
const PREDICATE_BITS = 18;
const PART_BITS = 20;
const PRUNER_BITS = 17;

/** The data that all stages of training use. */
interface GraphTraining {
  readonly examples: readonly GraphExample[];
  readonly settings: CompleteGraphSettings;
  /** Callbacks, development set and checkpoint. */
  readonly options: GraphTrainOptions;
  readonly labels: GraphLabels;
  readonly sentences: readonly EncodedSentence[];
  readonly golds: readonly EncodedGraph[];
  readonly decoder: GraphDecoder;
  readonly place: Place;
  readonly reporter: TrainingReporter;
}

/**
 * Trains a parser of dependency graphs: a pruner of arcs, a recurrent network if asked for, and the sparse
 * weights of predicates, arcs, labels and parts, cost-augmented. The same examples, options and seed give the
 * same model.
 *
 * Memory: the weights (4 bytes each, two vectors) and some 500 bytes a training word.
 *
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 * @throws RangeError when there is no example, or some examples have a tree and others none
 * @throws ModelError when `options.resume` is damaged or comes from another training
 * @throws UnsupportedPart when the decoder does not handle the parts or unique labels
 * @throws the reason of `options.signal`, between two sentences, when that is aborted
 */
export async function trainGraphParser(
  given: readonly GraphExample[],
  options: GraphTrainOptions = {},
): Promise<GraphModel> {
  const settings = checkGraphTrainOptions(options);
  const { graphs, rules } = settings;
  checkExamples(given);
  for (const warning of graphTrainingWarnings(given)) options.onWarning?.(warning);
  if (rules && given[0]!.syntax === undefined)
    throw new RangeError("rules requires examples with syntax trees");
  const examples = given.map((example) => learnedExample(example, { graphs, rules }));
  const encoder = buildEncoder(
    examples.map(({ sentence }) => sentence),
    MIN_COUNT,
  );
  const labels = GraphLabels.collect(examples.map(({ graph }) => graph));
  if (labels.strings.length === 0) throw new RangeError("expected training graphs with edges, got none");
  checkLearned(LABELS, labels.strings, "labels");
  const senses = senseSettings(examples);
  if (senses !== undefined) checkLearned(SENSE_INVENTORY, senses.inventory, "senses");
  const training: GraphTraining = {
    examples,
    settings,
    options,
    labels,
    sentences: examples.map(({ sentence }) => encoder.encode(sentence)),
    golds: examples.map(({ graph }) => labels.encode(graph)),
    decoder: graphDecoderOf(settings.decoder, { purpose: "training" }),
    place: options.place ?? here(),
    reporter: new TrainingReporter(graphWork(examples, settings), options.onProgress),
  };
  const features = featuresOf(training);
  const unique = settings.unique ? uniqueLabels(training) : new Uint8Array(labels.strings.length);
  const task = networkTaskOf(training);
  const checkpoints = checkpointsOf(training, { features, unique }, task);
  return trainFrom(options.resume, () =>
    trainStages(training, { features, unique, encoder, task, checkpoints }),
  );
}

/** Estimated microseconds per word and epoch of each step. */
const WORK = { prune: 100, network: { fixed: 60, unit: 4 }, weights: 60, parts: 4 };

/** Returns the estimated work of the steps. */
function graphWork(
  examples: readonly GraphExample[],
  { network, epochs, parts }: CompleteGraphSettings,
): Readonly<Partial<Record<TrainingStep, number>>> {
  const words = examples.reduce((sum, { sentence }) => sum + sentence.length, 0);
  const { fixed, unit } = WORK.network;
  return {
    prune: 5 * words * WORK.prune,
    network: network ? network.members * network.epochs * words * (fixed + unit * network.units) : 0,
    weights: epochs * words * WORK.weights * (parts.length > 0 ? WORK.parts : 1),
  };
}

/** What the stages of a training need beside what it works on. */
interface Stages extends Pick<GraphModel, "features" | "unique"> {
  readonly encoder: SentenceEncoder;
  readonly task: NetworkTask | undefined;
  readonly checkpoints: Checkpoints;
}

async function trainStages(
  training: GraphTraining,
  { features, unique, encoder, task, checkpoints }: Stages,
): Promise<GraphModel> {
  const { examples, sentences, labels, options, settings } = training;
  const { graphs, rules, seed } = settings;
  const pruner = await prune(training);
  const network =
    task && settings.network ? await learnNetwork(training, settings.network, task, checkpoints) : undefined;
  const { values: prunerValues, scale } = quantize(pruner.pruner.weights as Float32Array);
  const untrained: Omit<GraphModel, "weights"> = {
    description: describe(training, pruner),
    decoder: storedGraphDecoder(settings.decoder, training.decoder),
    graphs,
    rules,
    features,
    pruner: {
      templates: GRAPH_PRUNER_TEMPLATES,
      bits: PRUNER_BITS,
      root: pruner.pruner.root,
      threshold: pruner.threshold,
    },
    labels: labels.strings,
    unique,
    encoder: encoder.data,
    filter: labelFilter(training),
    senses: await trainSenses(examples, sentences, { seed, signal: options.signal }),
    prunerWeights: { values: prunerValues, scale },
    network: network?.quantized,
  };
  return learn(training, { pruner, untrained, network: network?.state, checkpoints });
}

/** Returns the checkpoints of a training: the network, then the sparse weights, after each epoch. */
function checkpointsOf(
  { examples, sentences, golds, labels, options, settings, decoder }: GraphTraining,
  { features, unique }: Pick<GraphModel, "features" | "unique">,
  network: NetworkTask | undefined,
): Checkpoints {
  const learner = settings.learner.name;
  const made = { ...settings, learner, decoder: storedGraphDecoder(settings.decoder, decoder), epochs: 0 };
  return graphCheckpoints({
    settings: [features, [...unique], labels.strings, senseSettings(examples), made],
    examples: examples.map(({ syntax }, i) => ({ sentence: sentences[i]!, gold: golds[i]!, syntax })),
    longest: Math.max(
      graphDimension(features, labels.strings.length),
      network ? network.settings.members * networkSize(network.shape) : 0,
    ),
    resume: options.resume,
    keep: options.onCheckpoint,
  });
}

async function prune({
  examples,
  sentences,
  golds,
  settings,
  options,
  reporter,
  place,
}: GraphTraining): Promise<TrainedGraphPruner> {
  return crossFitGraphPruner(sentences, golds, {
    configuration: {
      templates: GRAPH_PRUNER_TEMPLATES,
      bits: PRUNER_BITS,
      root: golds.some(({ head }) => head.includes(0)),
    },
    ...settings.prune,
    seed: settings.seed,
    place,
    also: settings.rules ? examples.map(({ syntax }) => pairsOfEdges(syntax?.suggested ?? [])) : undefined,
    onProgress: (at) => reporter.report("prune", at),
    signal: options.signal,
  });
}

/** Returns what a model states of a number of members: nothing of one. */
function severalOrNone(members: number): number | undefined {
  return members > 1 ? members : undefined;
}

function networkTaskOf({ sentences, golds, labels, settings }: GraphTraining): NetworkTask | undefined {
  const { network } = settings;
  if (network === false) return undefined;
  const { units, members } = network;
  const shape = { units, labels: labels.strings.length + 1 };
  return graphNetworkTask({ family: "graphs", sentences, golds, shape, settings: { ...PLAIN, members } });
}

/** A trained network: its state for checkpoints, and its quantised form for the model. */
interface ReadyNetwork {
  readonly state: NetworkState;
  readonly quantized: QuantizedNetwork;
}

async function learnNetwork(
  { options, settings, reporter, place }: GraphTraining,
  { members, epochs, weight, labelWeight }: Exclude<CompleteGraphSettings["network"], false>,
  task: NetworkTask,
  { resume, keep }: Checkpoints,
): Promise<ReadyNetwork> {
  const state = await trainNetwork(task, {
    epochs,
    seed: settings.seed,
    onProgress: (at) => reporter.report("network", at),
    onEpoch: (reached) => keep({ network: reached }),
    resume: resume.network,
    signal: options.signal,
    place,
  });
  reporter.finish("network");
  const { units, labels } = task.shape;
  const configuration = {
    ...{ units, labels, templates: NETWORK_TEMPLATES, weight, labelWeight },
    members: severalOrNone(members),
  };
  return { state, quantized: quantizeNetwork(configuration, task.codes, state.parameters) };
}

function featuresOf({ examples, settings, sentences }: GraphTraining): GraphFeatureConfiguration {
  const words = sentences.reduce((sum, { n }) => sum + n, 0);
  return {
    arcs: GRAPH_ARC_TEMPLATES,
    predicates: PREDICATE_TEMPLATES,
    parts: Object.fromEntries(settings.parts.map((kind) => [kind, GRAPH_PART_TEMPLATES[kind]])),
    syntax: examples[0]!.syntax && { arcs: SYNTAX_TEMPLATES, predicates: SYNTAX_PREDICATE_TEMPLATES },
    arcBits: Math.max(ARC_BITS.min, Math.min(ARC_BITS.max, bitsFor(5 * Math.max(1, words)))),
    predicateBits: PREDICATE_BITS,
    partBits: PART_BITS,
    scorePredicates: examples.some(({ graph }) => graph.predicates.length > 0),
  };
}

function describe(training: GraphTraining, pruner: TrainedGraphPruner) {
  const { examples, settings, sentences, labels, decoder } = training;
  const { parts, unique, learner, costs, network, epochs, seed } = settings;
  const { name, module } = storedGraphDecoder(settings.decoder, decoder);
  return {
    decoder: name,
    decoderModule: module,
    parts,
    unique,
    learner: learner.name,
    costs,
    network: network === false ? undefined : { ...network, members: severalOrNone(network.members) },
    trees: examples[0]!.syntax !== undefined,
    epochs,
    seed,
    labels: labels.strings,
    columns: columnShares(examples.map(({ sentence }) => sentence)),
    trainingSentences: examples.length,
    trainingWords: sentences.reduce((sum, { n }) => sum + n, 0),
    pruning: { threshold: pruner.threshold, recall: pruner.recall, candidates: pruner.candidates },
  };
}

/** The results of the stages before the sparse weights. */
interface LearningStage {
  readonly pruner: TrainedGraphPruner;
  readonly untrained: Omit<GraphModel, "weights">;
  readonly network: NetworkState | undefined;
  readonly checkpoints: Checkpoints;
}

/** Learns the sparse weights. */
async function learn(
  { examples, settings, options, sentences, golds, decoder, reporter }: GraphTraining,
  { pruner, untrained, network, checkpoints }: LearningStage,
): Promise<GraphModel> {
  const { features, filter, unique } = untrained;
  const { learner, costs, epochs, basicEpochs, seed } = settings;
  const prepared = examples.map(({ syntax }, i) => ({
    sentence: sentences[i]!,
    syntax,
    arcs: pruner.arcs[i]!,
    gold: golds[i]!,
  }));
  const scorer = new GraphScorer(features, filter, unique);
  const task = graphTask(prepared, scorer, decoder, costs);
  task.leaveOutParts((checkpoints.resume.weights?.epoch ?? 0) < basicEpochs);
  checkNeeds(learner, task);
  const modelOf = (weights: Float32Array): GraphModel => ({ ...untrained, weights: quantize(weights) });
  const total = examples.length;
  const report = (epoch: number, done: number, cost: number, f1?: number): void => {
    const share = epochShare(epoch, epochs, done, total);
    const common = { step: "weights", epoch, epochs, epochDone: done === total, share } as const;
    const dev = f1 === undefined ? undefined : { f1 };
    reporter.report("weights", { ...common, loss: { value: cost, per: "sentence" }, dev });
  };
  const weights = await learner.train(task, {
    epochs,
    seed,
    resume: checkpoints.resume.weights,
    signal: options.signal,
    onProgress: ({ epoch, done }) => {
      if (done < total) report(epoch, done, task.takeMeanCost(false));
    },
    onEpoch: async (state, weightsOf) => {
      const { epoch } = state;
      const cost = task.takeMeanCost(true);
      const dev = options.dev?.length
        ? labelledF1(modelOf(Float32Array.from(weightsOf())), options)
        : undefined;
      report(epoch, total, cost, dev);
      task.leaveOutParts(epoch < basicEpochs);
      await checkpoints.keep({ network, weights: state });
    },
  });
  return modelOf(Float32Array.from(requireWeights(weights, task.dimension, learner)));
}
