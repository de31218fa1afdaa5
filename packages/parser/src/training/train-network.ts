import { type NetworkAtRest, networkAtRest } from "../model/network-model.ts";
import { NETWORK_TEMPLATES } from "../scoring/network/network-reader.ts";
import { type NetworkState, type NetworkTask, trainNetwork } from "../scoring/network/network-training.ts";
import type { TrainOptions } from "../types.ts";
import type { Checkpoints } from "./checkpoint.ts";
import { MARGIN_WEIGHT, networkEpochs, type Settings } from "./train-settings.ts";

/** A network as it was learned, and as it will be in the model. */
export interface ReadyNetwork {
  readonly state: NetworkState;
  readonly atRest: NetworkAtRest;
}

/**
 * Heads less than 1/400 as probable as the likeliest one are not looked at in parsing: on development data of Hungarian and Gothic
 * the trees are as good, and parsing takes two thirds of the time.
 */
const MARGIN = 6;

/**
 * Trains the network of a parser: a stage of its own.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function learnNetwork(
  task: NetworkTask,
  { network, seed, prune, learner }: Settings,
  { onProgress, signal }: TrainOptions,
  { resume, keep }: Checkpoints,
): Promise<ReadyNetwork> {
  const total = task.sentences.length;
  const words = task.sentences.reduce((sum, { n }) => sum + n, 0);
  const epochs = networkEpochs(network!, words);
  const state = await trainNetwork(task, {
    epochs,
    seed,
    onProgress: ({ epoch, done, loss }) => {
      const common = { stage: "network", epoch, epochs, done, total, trainingError: 0, loss } as const;
      onProgress?.({ ...common, epochDone: done === total });
    },
    onEpoch: (reached) => keep({ network: reached }),
    ...(resume.network && { resume: resume.network }),
    ...(signal && { signal }),
  });
  const { units, labels } = task.shape;
  // Probabilities want the unlikely heads too.
  const margin = prune !== false && learner !== "crf" ? { margin: MARGIN } : {};
  const weights = { weight: network!.weight, labelWeight: MARGIN_WEIGHT };
  const configuration = { units, labels, templates: NETWORK_TEMPLATES, ...weights, ...margin };
  return { state, atRest: networkAtRest(configuration, task.codes, state.parameters) };
}
