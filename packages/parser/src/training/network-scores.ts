import type { QuantizedNetwork } from "../scoring/network/quantized-network.ts";
import type { NetworkPlan } from "./family.ts";
import { MARGIN_WEIGHT, type NetworkSettings, type Settings } from "./settings.ts";

/** Heads less than 1/400 as probable as the likeliest one are not candidates in the stages that follow. */
const MARGIN = 6;
/**
 * In parsing, heads less than 1/55 as probable are not candidates: on development data, from raw text, LAS is 83.05
 * instead of 83.01 for English, 76.71 instead of 76.87 for Hungarian, 72.79 instead of 72.88 for Gothic.
 * English words have 2.0 candidates instead of 2.8, and half as many parts.
 */
const PARSING_MARGIN = 4;

/** Returns the weights of the scores of a network of trees, and its margin in training. */
export function networkScores(
  { weight }: NetworkSettings,
  { terms, prune, learner, labeller }: Pick<Settings, "terms" | "prune" | "learner" | "labeller">,
): NetworkPlan["scores"] {
  // Log-probabilities, of all heads.
  if (!terms.includes("features")) return { weight: 1, labelWeight: 1, margin: undefined };
  return {
    weight,
    // The labeller "sequence" always learns margins; labels with the arcs are learned as these are.
    labelWeight: labeller === "joint" ? weight : MARGIN_WEIGHT,
    // Probabilities need the unlikely heads too.
    margin: prune && learner.unit !== "log-probability" ? MARGIN : undefined,
  };
}

/** Returns the network of the model that training ends with: it leaves fewer candidates than in training. */
export function parsingNetwork(network: QuantizedNetwork): QuantizedNetwork {
  const { configuration } = network;
  if (configuration.margin === undefined) return network;
  return { ...network, configuration: { ...configuration, margin: PARSING_MARGIN } };
}
