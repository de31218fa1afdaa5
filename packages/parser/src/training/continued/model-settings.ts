import type { PartKind } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import type { OptionTable } from "@arcwise/core/options";
import type { TrainedModel } from "../../model/model.ts";
import { scoresFeatures } from "../../model/model-header.ts";
import { CHARACTERS } from "../../scoring/network/character-features.ts";
import { widthSettings } from "../../scoring/network/network-layout.ts";
import type { TemplateSets } from "../../scoring/templates/feature-templates.ts";
import type { VectorsDescription } from "../../scoring/vectors/word-vectors.ts";
import { PARSER_SETTINGS, type ParserSettings } from "../train-options.ts";

/** The rate and the epochs of a network that is continued: chosen in docs/notes, *What corrected sentences bring*. */
const CONTINUED = { rate: 0.001, epochs: 10 };
/** The epochs of the learner of a model that is continued. */
const LEARNER_EPOCHS = 3;

/** Settings that a training chooses when it continues a model; the model has all others. */
const CHOSEN: readonly string[] = [
  ...["seed", "decoder", "global", "learner", "epochs", "learning", "shards"],
  ...["epochs", "minEpochs", "dropout", "rate", "columns"].map((name) => `network.${name}`),
];

/**
 * Returns the settings of a training that continues a model: the settings of the model, and of the training.
 *
 * @param given settings of the training; those that the model has must be equal to them
 */
export function modelSettings(model: TrainedModel, given: ParserSettings): ParserSettings {
  const { configuration, description, network } = model;
  const hasFeatures = scoresFeatures(configuration);
  const { global, pruning, partTemplates } = configuration;
  return {
    terms: [...(network ? (["network"] as const) : []), ...(hasFeatures ? (["features"] as const) : [])],
    decoder: given.decoder ?? configuration.decoder,
    multipleRoots: configuration.multipleRoots ?? false,
    seed: given.seed,
    ...(hasFeatures
      ? {
          order: configuration.order as 1 | 2 | 3,
          parts: Object.keys(partTemplates) as PartKind[],
          global: given.global ?? global !== undefined,
          learner: given.learner ?? description.learner,
          epochs: given.epochs ?? LEARNER_EPOCHS,
          shards: given.shards,
          learning: given.learning ?? (description.learning as ParserSettings["learning"]),
          prune: pruning !== false,
          labeller: model.labeller ? ("sequence" as const) : ("joint" as const),
        }
      : {}),
    network: network && { ...networkSettings(model), ...given.network, ...fixedNetwork(model) },
  };
}

/** Returns the settings of the training of the network of a model, where the training does not choose them. */
function networkSettings({ description }: TrainedModel): ParserSettings["network"] {
  const { dropout } = (description.network ?? {}) as NonNullable<ParserSettings["network"]>;
  return { dropout, ...CONTINUED };
}

/** Returns the settings of a network that its parameters depend on. */
function fixedNetwork({ network }: TrainedModel): ParserSettings["network"] {
  const { members, weight, templates } = network!.configuration;
  return {
    ...widthSettings(network!.configuration),
    ...{ members, weight },
    characters: templates.includes(CHARACTERS),
    vectors: undefined,
  };
}

/** Returns the description of the given vectors of a model; undefined if it does not have them. */
export function vectorsOfModel({ description, network }: TrainedModel): VectorsDescription | undefined {
  if (network?.vectors === undefined) return undefined;
  return (description.network as { readonly vectors?: VectorsDescription } | undefined)?.vectors;
}

/** Returns the templates of a model. */
export function templatesOfModel({ configuration, labeller }: TrainedModel): TemplateSets {
  const { arcTemplates, partTemplates, prunerTemplates, global } = configuration;
  const { arcTemplates: arc, treeTemplates: tree } = labeller?.configuration ?? {};
  return {
    arc: arcTemplates,
    parts: partTemplates,
    pruner: prunerTemplates.length > 0 ? prunerTemplates : undefined,
    global: global?.templates,
    labeller: arc && tree && { arc, tree },
  };
}

/**
 * Checks that settings do not contradict the model that is continued.
 *
 * @param plain all settings of the training, which has the settings of the model
 */
export function checkAgainstModel(
  given: ParserSettings,
  plain: object & { readonly decoder: string },
  { configuration: { decoder } }: TrainedModel,
): void {
  if (plain.decoder !== decoder) throw contradicts("decoder", decoder, plain.decoder);
  checkTable(PARSER_SETTINGS, given, plain, "");
}

function checkTable(table: OptionTable<object>, given: object, found: unknown, prefix: string): void {
  for (const { name, options } of table) {
    const at = prefix + name;
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || CHOSEN.includes(at)) continue;
    const own = (found as Readonly<Record<string, unknown>> | false)?.[name as never];
    if (options !== undefined && typeof value === "object" && value !== null) {
      checkTable(options, value, own, `${at}.`);
    } else if (JSON.stringify(value) !== JSON.stringify(own)) throw contradicts(at, own, value);
  }
}

function contradicts(at: string, own: unknown, given: unknown): ArcwiseError {
  const [expected, found] = [own, given].map((value) => JSON.stringify(value) ?? "none");
  return new ArcwiseError(
    "invalid-option",
    `trainParser: ${at}: expected ${expected}, as the model that is continued has it, got ${found}: leave it out`,
    { at },
  );
}
