import type { Settings } from "./settings.ts";
import { COSTS, LABELLER_EPOCHS } from "./stage-settings.ts";

/**
 * Returns settings as the description of a model lists them: one level deep, and without those that are off.
 *
 * @param epochsOfNetwork epochs that the network was trained for, if there is one
 */
export function describeSettings(
  settings: Settings,
  epochsOfNetwork: number | undefined,
): Pick<Settings, "order" | "epochs" | "seed"> & {
  readonly decoder: string;
  readonly learner: string;
  readonly [more: string]: unknown;
} {
  const { decoder, order, learner, epochs, seed, learning, labels, parts, global, tensor, network } =
    settings;
  const { treeFeatures, templateChanges } = settings;
  const { name, specifier } = treeFeatures ?? {};
  const { count: shards, ...mixing } = settings.shards;
  const { costs, dropout, restarts, fractional, reference } = learning;
  const isDefault = costs.head === COSTS.head && costs.label === COSTS.label;
  const optional = {
    decoderModule: settings.decoderModule,
    parts: parts.length === 0 ? undefined : parts,
    dropout: dropout === 0 ? undefined : dropout,
    tensor,
    network: network && { ...network, epochs: epochsOfNetwork },
    restarts,
    fractional: fractional || undefined,
    global: treeFeatures === undefined ? global || undefined : { module: name, specifier },
    templates: templateChanges.length === 0 ? undefined : templateChanges,
    costs: isDefault ? undefined : costs,
    l2: reference?.l2,
    tolerance: reference?.tolerance,
    labellerEpochs: labels.epochs === LABELLER_EPOCHS ? undefined : labels.epochs,
    ...(shards === 1 ? {} : { ...mixing, shards }),
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    decoder: decoder.name,
    order,
    learner: learner.name,
    epochs,
    seed,
    labeller: labels.labeller,
    ...Object.fromEntries(given),
  };
}
