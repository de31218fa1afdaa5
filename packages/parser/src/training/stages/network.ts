import { epochShare } from "@arcwise/core/training";
import { type QuantizedNetwork, quantizeNetwork } from "../../scoring/network/quantized-network.ts";
import type { Checkpoints } from "../checkpoint.ts";
import { sum, type TrainingRun } from "../context.ts";
import type { NetworkState } from "../network-state.ts";
import type { NetworkTask, NetworkTrainOptions } from "../network-task.ts";
import { trainNetwork } from "../network-training.ts";
import { MARGIN_WEIGHT, type NetworkSettings, networkEpochs, type Settings } from "../settings.ts";

/** A trained network, with its state for checkpoints and its quantised form for the model. */
export interface ReadyNetwork {
  readonly state: NetworkState;
  readonly quantized: QuantizedNetwork;
}

/** Heads less than 1/400 as probable as the likeliest one are not candidates in the stages that follow. */
const MARGIN = 6;
/**
 * In parsing, heads less than 1/55 as probable are none: on development data, from raw text, LAS is 83.05
 * instead of 83.01 for English, 76.71 instead of 76.87 for Hungarian, 72.79 instead of 72.88 for Gothic.
 * English words have 2.0 candidates instead of 2.8, and half as many parts.
 */
const PARSING_MARGIN = 4;

/** Trains a network: `trainNetwork`, or a function that does so on another thread. */
export type TrainNetwork = (task: NetworkTask, options: NetworkTrainOptions) => Promise<NetworkState>;

/**
 * Trains the network of a parser.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function learnNetwork(
  task: NetworkTask,
  settings: NetworkSettings,
  { seed, prune, learner, labels: { labeller } }: Settings,
  { reporter, signal }: TrainingRun,
  {
    checkpoints,
    train = trainNetwork,
  }: { readonly checkpoints: Checkpoints; readonly train: TrainNetwork | undefined },
): Promise<ReadyNetwork> {
  const { resume, keep } = checkpoints;
  const total = task.sentences.length;
  const epochs = networkEpochs(settings, sum(task.sentences.map(({ n }) => n)));
  const state = await train(task, {
    epochs,
    seed,
    onProgress: ({ epoch, done, loss }) => {
      const share = epochShare(epoch, epochs, done, total);
      const common = { step: "network", epoch, epochs, epochDone: done === total, share } as const;
      reporter.report("network", { ...common, loss: { value: loss, per: "word" } });
    },
    onEpoch: (reached) => keep({ network: reached }),
    resume: resume.network,
    signal,
  });
  reporter.finish("network");
  const { units, embeddingUnits, labels } = task.shape;
  // Probabilities need the unlikely heads too.
  const margin = prune !== false && learner.unit !== "log-probability" ? MARGIN : undefined;
  // The labeller "sequence" always learns margins; labels with the arcs are learned as these are.
  const { weight, members } = settings;
  const labelWeight = labeller === "joint" ? weight : MARGIN_WEIGHT;
  const { templates, columns, combinations } = task;
  const configuration = {
    ...{ units, embeddingUnits, labels, templates, weight, labelWeight, margin },
    members: members > 1 ? members : undefined,
    columns,
    combinations,
  };
  return {
    state,
    quantized: quantizeNetwork(configuration, task.codes, state.parameters, task.shape.vectors),
  };
}

/** Returns the network of the model that training ends with: it leaves fewer candidates than in training. */
export function parsingNetwork({ quantized }: ReadyNetwork): QuantizedNetwork {
  const { configuration } = quantized;
  if (configuration.margin === undefined) return quantized;
  return { ...quantized, configuration: { ...configuration, margin: PARSING_MARGIN } };
}
