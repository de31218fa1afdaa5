import { type QuantizedNetwork, quantizeNetwork } from "../../scoring/network/quantized-network.ts";
import type { FamilyContext, NetworkPlan } from "../family.ts";
import type { NetworkState } from "../network-state.ts";
import { trainNetwork } from "../network-training.ts";

/** A trained network, with its state for checkpoints and its quantised form for the model. */
export interface ReadyNetwork {
  readonly state: NetworkState;
  readonly quantized: QuantizedNetwork;
}

/** Trains the networks of a parser, if it has some. */
export async function trainNetworks({
  network: plan,
  settings: { seed },
  run: { reporter, signal, place },
  checkpoints: { resume, keep },
}: FamilyContext<unknown, unknown>): Promise<ReadyNetwork | undefined> {
  if (plan === undefined) return undefined;
  const state = await trainNetwork(plan.task, {
    epochs: plan.epochs,
    seed,
    onProgress: (at) => reporter.report("network", at),
    onEpoch: (network) => keep({ network }),
    resume: resume.network,
    signal,
    place,
  });
  reporter.finish("network");
  return { state, quantized: quantized(plan, state) };
}

/** Quantises the networks, with the weights of their scores. */
function quantized({ task, scores }: NetworkPlan, { parameters }: NetworkState): QuantizedNetwork {
  const { shape, codes, templates, columns, combinations, settings } = task;
  const { units, embeddingUnits, hiddenUnits, firstLayerColumns, labels, vectors } = shape;
  const { weight, labelWeight, margin } = scores;
  const configuration = {
    ...{
      units,
      embeddingUnits,
      hiddenUnits,
      firstLayerColumns,
      labels,
      templates,
      weight,
      labelWeight,
      margin,
    },
    members: settings.members > 1 ? settings.members : undefined,
    columns,
    combinations,
  };
  return quantizeNetwork(configuration, codes, parameters, vectors);
}
