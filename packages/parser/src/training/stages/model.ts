import { type QuantizedWeights, quantize } from "@arcwise/core/container";
import type { TrainedModel } from "../../model/model.ts";
import { calibrate } from "../../reading/calibration.ts";
import { firstGlobal } from "../../scoring/model-weights.ts";
import { MIN_BYTE } from "../../scoring/quantize-rows.ts";
import type { ParserModel } from "../../types.ts";
import { dimensionsOf, type ParserStage, sum, type TrainingContext } from "../context.ts";
import { parsingNetwork } from "../network-scores.ts";
import { describeSettings } from "../settings-description.ts";
import { labellerConfiguration } from "./label.ts";
import type { ReadyNetwork } from "./network.ts";
import type { Pruning } from "./prune.ts";

/** The outputs of the stages that a model is made of. */
export interface ModelParts {
  readonly prune: Pruning;
  readonly network: ReadyNetwork | undefined;
  readonly weights: Float32Array;
  readonly labels: QuantizedWeights | undefined;
}

/** Quantises the weights and makes the model. */
export const modelStage: ParserStage<ModelParts, TrainedModel> = {
  async run(context, of) {
    const { configuration, labels, encoder, filter, sentences, settings } = context;
    const [pruning, network, labeller, weights] = [
      await of.prune,
      await of.network,
      await of.labels,
      quantized(await of.weights, context),
    ];
    const tables = [weights.arcWeights, weights.partWeights, weights.globalWeights, labeller];
    return {
      description: {
        ...describeSettings(settings.plain, network?.state.epoch),
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
      ...weights,
      prunerWeights: pruning.weights,
      reach: pruning.reach,
      labeller: labeller && { configuration: labellerConfiguration(settings), weights: labeller },
      network: network && parsingNetwork(network.quantized),
    };
  },
};

function quantized(weights: Float32Array, context: TrainingContext) {
  const dimensions = dimensionsOf(context);
  const { arcs, parts } = dimensions;
  const { learner, learning } = context.settings;
  // Learners that are not driven by errors give many small weights, which matter together.
  const least = learner.unit === "margin" && !learner.batch ? MIN_BYTE : 1;
  const { minWeight = least } = learning;
  return {
    arcWeights: quantize(weights.subarray(0, arcs), minWeight),
    partWeights: quantize(weights.subarray(arcs, arcs + parts), minWeight),
    globalWeights: context.configuration.global && quantize(weights.subarray(firstGlobal(dimensions))),
  };
}

function nonZero(values: Int8Array): number {
  return values.reduce((count, value) => count + (value === 0 ? 0 : 1), 0);
}

/** Adds to a model the temperature of its probabilities, learned on the development set. */
export const calibrationStage: ParserStage<{ readonly model: TrainedModel }, ParserModel> = {
  async run({ run, decoder, settings }, of) {
    const model = await of.model;
    const calibration = calibrate(model, run.dev, decoder, settings.treeFeatures);
    if (calibration === undefined) return model;
    return { ...model, description: { ...model.description, calibration } };
  },
};
