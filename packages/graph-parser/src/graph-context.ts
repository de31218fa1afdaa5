import type { GraphDecoder } from "@arcwise/core";
import { bitsFor } from "@arcwise/core/arithmetic";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  buildEncoder,
  GRAPH_TEMPLATES,
  hashString,
  type SentenceEncoder,
  type SyntaxInput,
} from "@arcwise/core/features";
import { checkLearned } from "@arcwise/core/options";
import {
  columnShares,
  encodedInput,
  type FamilyContext,
  LABELS,
  modelVectors,
  networkEpochs,
  printOfEncoder,
  shapedWork,
  statesOf,
  withInputs,
} from "@arcwise/parser/shared";
import { type EncodedGraph, GraphLabels } from "./encoded-graph.ts";
import { learnedExample } from "./enhanced-input.ts";
import { graphDecoderOf, storedGraphDecoder } from "./graph-decoders.ts";
import { uniqueLabels } from "./graph-labels.ts";
import { graphDimension, SENSE_INVENTORY } from "./graph-model.ts";
import { graphNetworkTask } from "./graph-network-jobs.ts";
import type { GraphFeatureConfiguration } from "./graph-scorer.ts";
import type { CompleteGraphSettings, GraphTrainOptions } from "./graph-settings.ts";
import type { GraphExample } from "./graph-types.ts";
import { senseSettings } from "./train-senses.ts";

/** Forms and lemmas seen fewer times are unknown words. */
const MIN_COUNT = 2;
const ARC_BITS = { min: 16, max: 19 };
const PREDICATE_BITS = 18;
const PART_BITS = 20;
/** Weight of a network's log-probabilities of labels next to the scores of features. */
const LABEL_WEIGHT = 0.3;

/** The data that all stages of a training of graphs share. */
export interface GraphTraining extends FamilyContext<GraphExample, EncodedGraph> {
  readonly settings: CompleteGraphSettings;
  readonly examples: readonly GraphExample[];
  readonly labels: GraphLabels;
  /** One entry per label: 1 where a predicate has at most one arc of it. */
  readonly unique: Uint8Array;
  readonly encoder: SentenceEncoder;
  readonly features: GraphFeatureConfiguration;
  readonly decoder: GraphDecoder;
}

/** Encodes the examples of a training. O(words + edges). */
export function graphTraining(
  given: readonly GraphExample[],
  settings: CompleteGraphSettings,
  run: GraphTraining["run"],
  options: GraphTrainOptions,
): GraphTraining {
  const { graphs, rules } = settings;
  const examples = given.map((example) => learnedExample(example, { graphs, rules }));
  const vectors = modelVectors(options.network?.vectors);
  const { network } = settings;
  const known = examples.map(({ sentence }) => sentence);
  const encoder = withInputs(buildEncoder(known, MIN_COUNT), { network, vectors, reader: options.encoder });
  const labels = labelsOf(examples);
  const sentences = examples.map(({ sentence }) => encoder.encode(sentence));
  const golds = examples.map(({ graph }) => labels.encode(graph));
  const words = sentences.reduce((sum, { n }) => sum + n, 0);
  const context = {
    ...{ settings, examples, labels, encoder, sentences, golds, words },
    unique: settings.unique
      ? uniqueLabels({ labels, sentences, golds })
      : new Uint8Array(labels.strings.length),
    features: featuresOf(examples, settings, words),
    decoder: graphDecoderOf(settings.decoder, { purpose: "training" }),
    network: networkOf(
      { examples, sentences, golds, labels, settings },
      { vectors, encoder: options.encoder && encodedInput(options.encoder, sentences) },
      words,
    ),
    run,
  };
  return { ...context, states: graphStates(context, options.encoder) };
}

/** Returns all labels of the examples. */
function labelsOf(examples: readonly GraphExample[]): GraphLabels {
  const labels = GraphLabels.collect(examples.map(({ graph }) => graph));
  if (labels.strings.length === 0)
    throw new ArcwiseError("invalid-data", "expected training graphs with edges, got none");
  checkLearned(LABELS, labels.strings, "labels");
  const senses = senseSettings(examples);
  if (senses !== undefined) checkLearned(SENSE_INVENTORY, senses.inventory, "senses");
  return labels;
}

function featuresOf(
  examples: readonly GraphExample[],
  { terms, parts }: CompleteGraphSettings,
  words: number,
): GraphFeatureConfiguration {
  const scorePredicates = examples.some(({ graph }) => graph.predicates.length > 0);
  if (!terms.includes("features")) {
    const none = { arcs: [], predicates: [], parts: {} };
    return { ...none, arcBits: 0, predicateBits: 0, partBits: 0, scorePredicates };
  }
  return {
    arcs: GRAPH_TEMPLATES.arcs,
    predicates: GRAPH_TEMPLATES.predicates,
    parts: Object.fromEntries(parts.map((kind) => [kind, GRAPH_TEMPLATES.parts[kind]])),
    syntax: examples[0].syntax && GRAPH_TEMPLATES.syntax,
    arcBits: Math.max(ARC_BITS.min, Math.min(ARC_BITS.max, bitsFor(5 * Math.max(1, words)))),
    predicateBits: PREDICATE_BITS,
    partBits: PART_BITS,
    scorePredicates,
  };
}

function networkOf(
  {
    examples,
    sentences,
    golds,
    labels,
    settings: { network, terms },
  }: Pick<GraphTraining, "examples" | "sentences" | "golds" | "labels" | "settings">,
  inputs: Omit<Parameters<typeof shapedWork>[1], "labels">,
  words: number,
): GraphTraining["network"] {
  if (network === false) return undefined;
  const hasFeatures = terms.includes("features");
  // A network alone does not read columns that are empty.
  const shares = hasFeatures ? undefined : columnShares(examples.map(({ sentence }) => sentence));
  // One more label: whether a word is a predicate.
  const work = shapedWork(
    { ...network, firstLayerColumns: false },
    { labels: labels.strings.length + 1, ...inputs },
    shares,
  );
  const scores = { weight: network.weight, labelWeight: hasFeatures ? LABEL_WEIGHT : 1 };
  const task = graphNetworkTask({ sentences, golds, ...work });
  return { task, epochs: networkEpochs(network, words), scores };
}

function graphStates(
  context: Omit<GraphTraining, "states">,
  words: GraphTrainOptions["encoder"],
): GraphTraining["states"] {
  const { examples, labels, settings, decoder, features, unique, golds } = context;
  const learner = settings.learner.name;
  const made = { ...settings, learner, decoder: storedGraphDecoder(settings.decoder, decoder), epochs: 0 };
  return statesOf({
    ...context,
    facts: [features, [...unique], labels.strings, senseSettings(examples), made, ...printOfEncoder(words)],
    golds: golds.map(({ predicates, start, head, label }, i) => [
      ...[predicates, start, head, label],
      ...syntaxColumns(examples[i].syntax),
    ]),
    dimension: graphDimension(features, labels.strings.length),
  });
}

function syntaxColumns(syntax: SyntaxInput | undefined): ArrayLike<number>[] {
  if (syntax === undefined) return [];
  const { heads, labels, suggested = [] } = syntax;
  const edges = suggested.map(({ head, modifier, label }) => hashString(label, 31 * head + modifier));
  return [heads, labels.map((label) => hashString(label, 0)), edges];
}
