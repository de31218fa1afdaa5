import { type QuantizedWeights, quantize } from "@arcwise/core/container";
import { identityOf } from "@arcwise/core/encoders";
import { countErrors } from "../../decoding/decode.ts";
import type { TrainedModel } from "../../model/model.ts";
import { calibrate } from "../../reading/calibration.ts";
import { ParsingEngine } from "../../reading/engine.ts";
import { firstGlobal } from "../../scoring/model-weights.ts";
import { MIN_BYTE } from "../../scoring/quantize-rows.ts";
import type { ParserModel } from "../../types.ts";
import { type ParserStage, sum, type TrainingContext } from "../context.ts";
import { describeSettings } from "../settings-description.ts";
import { parsingNetwork } from "../tree-network.ts";
import { labellerConfiguration } from "./label.ts";
import type { NetworkEvaluation, ReadyNetwork } from "./network.ts";
import type { Pruning } from "./prune.ts";

/** The outputs of the stages that a model is made of. */
export interface ModelParts {
  /** Undefined, as the weights: a network alone scores. */
  readonly prune: Pruning | undefined;
  readonly network: ReadyNetwork | undefined;
  readonly weights: Float32Array | undefined;
  readonly labels: QuantizedWeights | undefined;
}

/** Quantises the weights and makes the model. */
export const modelStage: ParserStage<ModelParts, TrainedModel> = {
  run: async (context, { prune, network, labels, weights }) =>
    modelOf(context, {
      prune: await prune,
      network: await network,
      labels: await labels,
      weights: await weights,
    }),
};

function modelOf(
  context: TrainingContext,
  { prune, network, labels: labeller, ...of }: ModelParts,
): TrainedModel {
  const { configuration, labels, encoder, filter, settings } = context;
  const weights = quantized(of.weights ?? new Float32Array(0), context);
  const tables = [weights.arcWeights, weights.partWeights, weights.globalWeights, labeller];
  return {
    description: {
      ...describeSettings(settings.plain, network?.state.epoch),
      labels: labels.strings,
      ...describeData(context),
      columns: context.columns,
      encoder: network?.quantized.encoder && identityOf(network.quantized.encoder),
      pruning: prune?.description ?? false,
      nonZeroWeights: sum(tables.map((table) => (table ? nonZero(table.values) : 0))),
    },
    configuration: { ...configuration, pruning: prune?.options ?? false },
    labels: labels.strings,
    encoder: encoder.data,
    filter: prune && filter,
    ...weights,
    prunerWeights: prune?.weights ?? { values: new Int8Array(0), scale: 1 },
    reach: prune?.reach ?? new Int32Array(0),
    labeller: labeller && {
      configuration: context.base?.labeller?.configuration ?? labellerConfiguration(settings),
      weights: labeller,
    },
    network: network && parsingNetwork(network.quantized),
  };
}

/** Describes the training data: of a model that was continued its own, and all data that it was continued with. */
function describeData({ sentences: { length }, words, base }: TrainingContext) {
  if (base === undefined) return { trainingSentences: length, trainingWords: words };
  const { trainingSentences, trainingWords, continued, calibration } = base.description;
  const before = { times: 0, sentences: 0, words: 0, ...(continued as Partial<Continued> | undefined) };
  const all: Continued = {
    times: before.times + 1,
    sentences: before.sentences + length,
    words: before.words + words,
  };
  return { trainingSentences, trainingWords, continued: all, calibration };
}

/** How often the training of a model was continued, and with how much. */
interface Continued {
  readonly times: number;
  readonly sentences: number;
  readonly words: number;
}

/** Returns a function that returns the scores of a network alone on the development set; undefined if that is empty. */
export function networkEvaluation(context: TrainingContext): NetworkEvaluation | undefined {
  const { run, labels, settings } = context;
  if (run.dev.length === 0 || settings.terms.includes("features")) return undefined;
  return (network) => {
    const parts = { network, prune: undefined, weights: undefined, labels: undefined };
    const engine = new ParsingEngine(modelOf(context, parts), settings.decoder, undefined);
    const read = engine.read(run.dev.map(({ sentence }) => sentence));
    const wrong = read.map((sentence, s) =>
      countErrors(labels.encode(run.dev[s].tree), engine.best(engine.score(sentence, undefined))),
    );
    const words = sum(read.map(({ encoded }) => encoded.n));
    const share = (errors: readonly number[]) => (100 * (words - sum(errors))) / Math.max(1, words);
    return { uas: share(wrong.map(({ heads }) => heads)), las: share(wrong.map(({ labelled }) => labelled)) };
  };
}

function quantized(weights: Float32Array, context: TrainingContext) {
  const { dimensions, configuration, settings } = context;
  const { arcs, parts } = dimensions;
  const { learner, learning } = settings;
  // Learners that are not driven by errors give many small weights, which matter together.
  const least = learner.unit === "margin" && !learner.batch ? MIN_BYTE : 1;
  const { minWeight = least } = learning;
  return {
    arcWeights: quantize(weights.subarray(0, arcs), minWeight),
    partWeights: quantize(weights.subarray(arcs, arcs + parts), minWeight),
    globalWeights: configuration.global && quantize(weights.subarray(firstGlobal(dimensions))),
  };
}

function nonZero(values: Int8Array): number {
  return values.reduce((count, value) => count + (value === 0 ? 0 : 1), 0);
}

/** Adds to a model the temperature of its probabilities, learned on the development set. */
export const calibrationStage: ParserStage<{ readonly model: TrainedModel }, ParserModel> = {
  async run({ run, settings }, of) {
    const model = await of.model;
    const calibration = calibrate(model, run.dev, settings.decoder, settings.treeFeatures);
    if (calibration === undefined) return model;
    return { ...model, description: { ...model.description, calibration } };
  },
};
