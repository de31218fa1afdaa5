import { type QuantizedNetwork, quantizeNetwork } from "../../scoring/network/quantized-network.ts";
import { type ParserStage, sum } from "../context.ts";
import type { NetworkState } from "../network-state.ts";
import type { NetworkTask } from "../network-task.ts";
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

/** Estimated microseconds per word and epoch of a network: the work of its states grows with the square of its units. */
const WORK = { fixed: 30, square: 0.03 };

/** Trains the networks of a parser, if it has some. */
export const networkStage: ParserStage<object, ReadyNetwork | undefined> = {
  work: (words, { network }) =>
    network
      ? network.members *
        networkEpochs(network, words) *
        words *
        (WORK.fixed + WORK.square * network.units * network.units)
      : 0,
  async run({ network: task, settings, run, checkpoints: { resume, keep } }) {
    const own = settings.network;
    if (task === undefined || own === false) return undefined;
    const { reporter, signal, place } = run;
    const state = await trainNetwork(task, {
      epochs: networkEpochs(own, sum(task.sentences.map(({ n }) => n))),
      seed: settings.seed,
      onProgress: (at) => reporter.report("network", at),
      onEpoch: (network) => keep({ network }),
      resume: resume.network,
      signal,
      place,
    });
    reporter.finish("network");
    return { state, quantized: quantized(task, state, own, settings) };
  },
};

/** Quantises the networks, with the weights of their scores. */
function quantized(
  { shape, codes, templates, columns, combinations }: NetworkTask,
  { parameters }: NetworkState,
  { weight, members }: NetworkSettings,
  { prune, learner, labels: { labeller } }: Settings,
): QuantizedNetwork {
  const { units, embeddingUnits, labels, vectors } = shape;
  // Probabilities need the unlikely heads too.
  const margin = prune !== false && learner.unit !== "log-probability" ? MARGIN : undefined;
  // The labeller "sequence" always learns margins; labels with the arcs are learned as these are.
  const labelWeight = labeller === "joint" ? weight : MARGIN_WEIGHT;
  const configuration = {
    ...{ units, embeddingUnits, labels, templates, weight, labelWeight, margin },
    members: members > 1 ? members : undefined,
    columns,
    combinations,
  };
  return quantizeNetwork(configuration, codes, parameters, vectors);
}

/** Returns the network of the model that training ends with: it leaves fewer candidates than in training. */
export function parsingNetwork({ quantized }: ReadyNetwork): QuantizedNetwork {
  const { configuration } = quantized;
  if (configuration.margin === undefined) return quantized;
  return { ...quantized, configuration: { ...configuration, margin: PARSING_MARGIN } };
}
