import { type QuantizedNetwork, quantizeNetwork } from "../../scoring/network/quantized-network.ts";
import type { Checkpoints } from "../checkpoint.ts";
import { sum, type TrainingRun } from "../context.ts";
import {
  type NetworkState,
  type NetworkTask,
  type NetworkTrainOptions,
  trainNetwork,
} from "../network-training.ts";
import type { Settings } from "../settings.ts";
import { MARGIN_WEIGHT, type NetworkSettings, networkEpochs } from "../stage-settings.ts";

/** A trained network, with its state for checkpoints and its quantised form for the model. */
export interface ReadyNetwork {
  readonly state: NetworkState;
  readonly quantized: QuantizedNetwork;
}

/**
 * Heads less than 1/400 as probable as the likeliest one are not candidates in parsing: on development data
 * of Hungarian and Gothic the accuracy is the same, and parsing takes two thirds of the time.
 */
const MARGIN = 6;

/** Trains a network: `trainNetwork`, or a function that does so on another thread. */
export type TrainNetwork = (task: NetworkTask, options: NetworkTrainOptions) => Promise<NetworkState>;

/**
 * Trains the network of a parser.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function learnNetwork(
  task: NetworkTask,
  plan: NetworkSettings,
  { seed, prune, learner }: Settings,
  { report, signal }: TrainingRun,
  { checkpoints, train = trainNetwork }: { readonly checkpoints: Checkpoints; readonly train?: TrainNetwork },
): Promise<ReadyNetwork> {
  const { resume, keep } = checkpoints;
  const total = task.sentences.length;
  const epochs = networkEpochs(plan, sum(task.sentences.map(({ n }) => n)));
  const state = await train(task, {
    epochs,
    seed,
    onProgress: ({ epoch, done, loss }) => {
      const common = { stage: "network", epoch, epochs, done, total, trainingError: 0, loss } as const;
      report({ ...common, epochDone: done === total });
    },
    onEpoch: (reached) => keep({ network: reached }),
    resume: resume.network,
    signal,
  });
  const { units, labels } = task.shape;
  // Probabilities need the unlikely heads too.
  const margin = prune !== false && learner.unit !== "log-probability" ? MARGIN : undefined;
  const weights = { weight: plan.weight, labelWeight: MARGIN_WEIGHT };
  const { templates, columns, members = 1 } = task;
  const configuration = {
    ...{ units, labels, templates, ...weights, margin },
    ...(members > 1 && { members }),
    ...(columns && { columns }),
  };
  return {
    state,
    quantized: quantizeNetwork(configuration, task.codes, state.parameters, task.shape.vectors),
  };
}
