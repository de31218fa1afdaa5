import type { StepProgress } from "@arcwise/core/training";
import { type QuantizedNetwork, quantizeNetwork } from "../../scoring/network/quantized-network.ts";
import type { FamilyContext, NetworkPlan } from "../family.ts";
import type { NetworkState } from "../network-state.ts";
import { trainNetwork } from "../network-training.ts";

/** A trained network, with its state for checkpoints and its quantised form for the model. */
export interface ReadyNetwork {
  readonly state: NetworkState;
  readonly quantized: QuantizedNetwork;
}

/** Returns scores of a network alone on the development set, in percent, by name. */
export type NetworkEvaluation = (network: ReadyNetwork) => Readonly<Record<string, number>>;

/**
 * Trains the networks of a parser, if it has some.
 *
 * @param evaluate scores the finished network, for the last report
 */
export async function trainNetworks(
  {
    network: plan,
    settings: { seed },
    run: { reporter, signal, place },
    checkpoints: { resume, keep },
  }: FamilyContext<unknown, unknown>,
  evaluate?: NetworkEvaluation,
): Promise<ReadyNetwork | undefined> {
  if (plan === undefined) return undefined;
  let last: StepProgress | undefined;
  const state = await trainNetwork(plan.task, {
    epochs: plan.epochs,
    seed,
    onProgress(at) {
      if (evaluate !== undefined && at.share === 1) last = at;
      else reporter.report("network", at);
    },
    onEpoch: (network) => keep({ network }),
    resume: resume.network,
    signal,
    place,
  });
  const network = { state, quantized: quantized(plan, state) };
  if (last !== undefined) reporter.report("network", { ...last, dev: evaluate?.(network) });
  reporter.finish("network");
  return network;
}

/** Quantises the networks, with the weights of their scores. */
function quantized({ task, scores }: NetworkPlan, { parameters }: NetworkState): QuantizedNetwork {
  const { shape, codes, templates, columns, combinations, settings } = task;
  const { units, embeddingUnits, hiddenUnits, firstLayerColumns, labels, vectors, encoder } = shape;
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
  return quantizeNetwork(configuration, codes, parameters, { vectors, encoder });
}
