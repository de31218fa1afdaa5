import type { GraphChoice } from "@arcwise/core";
import { quantize } from "@arcwise/core/container";
import { identityOf } from "@arcwise/core/encoders";
import { ArcwiseError } from "@arcwise/core/errors";
import { PRUNER_TEMPLATES } from "@arcwise/core/features";
import { checkEncoder } from "@arcwise/parser";
import {
  columnShares,
  differences,
  type Family,
  learnWeights,
  networkEpochs,
  type QuantizedNetwork,
  trainFamily,
  trainNetworks,
  type WeightsPlan,
} from "@arcwise/parser/shared";
import type { EncodedGraph } from "./encoded-graph.ts";
import { type GraphTraining, graphTraining } from "./graph-context.ts";
import { storedGraphDecoder } from "./graph-decoders.ts";
import { checkGraphExamples, labelledF1 } from "./graph-examples.ts";
import { labelFilter } from "./graph-labels.ts";
import type { GraphModel } from "./graph-model.ts";
import { pairsOfEdges } from "./graph-pruner.ts";
import { crossFitGraphPruner, type TrainedGraphPruner } from "./graph-pruner-jobs.ts";
import { GraphScorer } from "./graph-scorer.ts";
import type { SenseModel } from "./graph-senses.ts";
import {
  type CompleteGraphSettings,
  checkGraphTrainOptions,
  type GraphTrainOptions,
  SHARED_NETWORK,
} from "./graph-settings.ts";
import { graphTask } from "./graph-task.ts";
import type { GraphExample } from "./graph-types.ts";
import { graphTrainingWarnings } from "./graph-warnings.ts";
import { trainSenses } from "./train-senses.ts";

const PRUNER_BITS = 17;
/** Share of the gold edges that are candidates, and the maximum number of candidates per word to reach it. */
const CANDIDATES = { recall: 0.985, most: 4 };
/** Log-odds from which arcs are candidates of a network alone: probabilities of at least 1/400. */
const MIN_ODDS = -6;
/** Estimated microseconds per word and epoch of each stage. */
const WORK = { prune: 100, network: { fixed: 60, unit: 4 }, weights: 60, parts: 4 };
/** Pruners of the cross-fitting. */
const PRUNERS = 5;

/** The outputs of the stages of a training. */
interface Outputs {
  /** Undefined, as the weights: a network alone scores. */
  readonly prune: TrainedGraphPruner | undefined;
  readonly network: Awaited<ReturnType<typeof trainNetworks>>;
  readonly weights: Float32Array | undefined;
  readonly senses: SenseModel | undefined;
  readonly model: GraphModel;
}

/** Checks examples and options. With trees, presets of networks alone have features as well. */
function checkedSettings(
  examples: readonly GraphExample[],
  options: GraphTrainOptions,
): CompleteGraphSettings {
  // Options are checked before examples, which may be anything.
  const settings = checkGraphTrainOptions(options, examples?.[0]?.syntax !== undefined);
  checkGraphExamples(examples, options);
  if (settings.rules && examples[0].syntax === undefined)
    throw new ArcwiseError("invalid-option", "trainGraphParser: rules requires examples with syntax trees", {
      at: "rules",
    });
  checkEncoder(options.encoder, settings.network !== false);
  return settings;
}

/** The training of graphs. */
const GRAPHS: Family<GraphExample, GraphTrainOptions, GraphTraining, CompleteGraphSettings, Outputs> = {
  stages: {
    prune: {
      work: (words, { terms }) => (terms.includes("features") ? PRUNERS * words * WORK.prune : 0),
      run: (context) => (context.settings.terms.includes("features") ? prune(context) : undefined),
    },
    network: {
      work(words, { network }) {
        if (network === false) return 0;
        const { fixed, unit } = WORK.network;
        return network.members * networkEpochs(network, words) * words * (fixed + unit * network.units);
      },
      run: (context) => trainNetworks(context, networkEvaluation(context)),
    },
    weights: {
      work: (words, { terms, epochs, parts }) =>
        terms.includes("features") ? epochs * words * WORK.weights * (parts.length > 0 ? WORK.parts : 1) : 0,
      async run(context, { prune: pruning, network }) {
        const pruner = await pruning;
        return pruner && learnWeights(context, graphWeights(context, pruner), network);
      },
    },
    senses: {
      run: ({ examples, sentences, settings, run }) =>
        trainSenses(examples, sentences, { seed: settings.seed, signal: run.signal }),
    },
    model: {
      async run(context, of) {
        const [pruner, network, weights] = [await of.prune, await of.network, await of.weights];
        return modelOf(context, pruner, {
          weights: weights ?? new Float32Array(0),
          network: network?.quantized,
          senses: await of.senses,
        });
      },
    },
  },
  check: checkedSettings,
  prepare: graphTraining,
  warnings: (examples) => graphTrainingWarnings(examples),
};

/**
 * Trains a parser of dependency graphs: a pruner of arcs, a recurrent network if asked for, and the sparse
 * weights of predicates, arcs, labels and parts, cost-augmented. The same examples, options and seed give the
 * same model, in every place.
 *
 * Memory: the weights (4 bytes each, two vectors) and some 500 bytes per training word.
 *
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 * @throws ArcwiseError `invalid-argument` without examples; `invalid-data` on an example of another shape, or
 *   when only some examples have a tree
 * @throws ModelError when `options.resume` is damaged or comes from another training
 * @throws UnsupportedPart when the decoder does not handle the parts or unique labels
 * @throws the reason of `options.signal`, between two sentences, when that is aborted
 */
export async function trainGraphParser(
  examples: readonly GraphExample[],
  options: GraphTrainOptions = {},
): Promise<GraphModel> {
  const { model } = await trainFamily(GRAPHS, examples, options);
  return model;
}

function prune({ examples, sentences, golds, settings, run }: GraphTraining): Promise<TrainedGraphPruner> {
  return crossFitGraphPruner({
    ...{ sentences, golds },
    configuration: {
      templates: PRUNER_TEMPLATES,
      bits: PRUNER_BITS,
      root: hasRoots(golds),
    },
    ...CANDIDATES,
    seed: settings.seed,
    place: run.place,
    also: settings.rules ? examples.map(({ syntax }) => pairsOfEdges(syntax?.suggested ?? [])) : undefined,
    onProgress: (at) => run.reporter.report("prune", at),
    signal: run.signal,
  });
}

/** Returns whether the root is a head. O(edges). */
function hasRoots(golds: readonly EncodedGraph[]): boolean {
  return golds.some(({ head }) => head.includes(0));
}

/** Returns the plan for learning the weights of predicates, arcs, labels and parts. */
function graphWeights(context: GraphTraining, pruner: TrainedGraphPruner): WeightsPlan<GraphChoice> {
  const { examples, sentences, golds, settings, features, unique, decoder, run } = context;
  const prepared = examples.map(({ syntax }, i) => ({
    ...{ sentence: sentences[i], syntax, arcs: pruner.arcs[i], gold: golds[i] },
  }));
  return {
    task: () =>
      graphTask(prepared, new GraphScorer(features, labelFilter(context), unique), decoder, settings),
    evaluator: (network) => (weightsOf) => {
      if (run.dev.length === 0) return undefined;
      const model = modelOf(context, pruner, { weights: weightsOf(), network });
      return { f1: labelledF1(model, { dev: run.dev, decoder: settings.decoder }) };
    },
  };
}

/** Returns a function that returns the F1 of a network alone on the development set; undefined without any. */
function networkEvaluation(context: GraphTraining): Parameters<typeof trainNetworks>[1] {
  const { run, settings } = context;
  if (run.dev.length === 0 || settings.terms.includes("features")) return undefined;
  return ({ quantized: network }) => {
    const model = modelOf(context, undefined, { weights: new Float32Array(0), network });
    return { f1: labelledF1(model, { dev: run.dev, decoder: settings.decoder }) };
  };
}

/** The parts of a model that stages learned. */
interface LearnedParts {
  readonly weights: Float32Array;
  readonly network: QuantizedNetwork | undefined;
  readonly senses?: SenseModel | undefined;
}

function modelOf(
  context: GraphTraining,
  pruner: TrainedGraphPruner | undefined,
  learned: LearnedParts,
): GraphModel {
  const { settings, labels, unique, encoder, features, decoder, golds } = context;
  return {
    description: describe(context, pruner),
    decoder: storedGraphDecoder(settings.decoder, decoder),
    graphs: settings.graphs,
    rules: settings.rules,
    features,
    pruner: pruner
      ? {
          templates: PRUNER_TEMPLATES,
          bits: PRUNER_BITS,
          root: hasRoots(golds),
          threshold: pruner.threshold,
        }
      : { templates: [], bits: 0, root: hasRoots(golds), threshold: MIN_ODDS },
    labels: labels.strings,
    unique,
    encoder: encoder.data,
    filter: pruner && labelFilter(context),
    prunerWeights: quantize(pruner?.weights ?? new Float32Array(0)),
    ...learned,
    weights: quantize(learned.weights),
  };
}

function describe(
  training: GraphTraining,
  pruner: TrainedGraphPruner | undefined,
): GraphModel["description"] {
  const { examples, settings, words, labels, decoder } = training;
  const { terms, parts, unique, learner, costs, network, epochs, seed } = settings;
  const { name, module } = storedGraphDecoder(settings.decoder, decoder);
  const { encoder } = training.network?.task.shape ?? {};
  const described = network === false ? undefined : describeNetwork(network, training.network!.epochs);
  const data = {
    labels: labels.strings,
    columns: columnShares(examples.map(({ sentence }) => sentence)),
    trainingSentences: examples.length,
    trainingWords: words,
    encoder: encoder && identityOf(encoder),
  };
  return {
    ...(pruner === undefined && { terms }),
    decoder: name,
    decoderModule: module,
    ...(pruner && { parts }),
    unique,
    ...(pruner && { learner: learner.name, costs }),
    network: described,
    ...(pruner && { trees: examples[0].syntax !== undefined, epochs }),
    seed,
    ...data,
    ...(pruner && {
      pruning: { threshold: pruner.threshold, recall: pruner.recall, candidates: pruner.candidates },
    }),
  };
}

function describeNetwork(network: Exclude<CompleteGraphSettings["network"], false>, epochs: number): object {
  const { units, members, weight } = network;
  return {
    ...{ units, members: members > 1 ? members : undefined, epochs, weight },
    ...differences(SHARED_NETWORK, network),
  };
}
