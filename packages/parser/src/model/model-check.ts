import { PART_KINDS } from "@arcwise/core";
import { ModelError } from "@arcwise/core/container";
import {
  type Anchor,
  GLOBAL_VIEWS,
  GLOBAL_WORDS,
  PART_FEATURES,
  parsePartTemplate,
} from "@arcwise/core/features";
import {
  type Check,
  either,
  facts,
  field,
  integer,
  list,
  number,
  oneOf,
  optional,
  partial,
  record,
  refuse,
  scale,
  string,
} from "@arcwise/core/options";
import type { LabellerConfiguration } from "../labelling/labeller-configuration.ts";
import type { PruneOptions } from "../pruning/pruner.ts";
import { TAGS } from "../scoring/arcs/label-filter.ts";
import { parseTreeTemplate } from "../scoring/templates/labeller-templates.ts";
import type { GlobalConfiguration } from "../scoring/trees/global-scorer.ts";
import type { TreeFeatureTable } from "../scoring/trees/tree-features.ts";
import { CALIBRATION } from "./calibration.ts";
import type { ColumnShares } from "./column-shares.ts";
import {
  ARC_TEMPLATES,
  checkFeatureNames,
  ENCODER,
  LABEL_FILTER,
  LABELS,
  MAX_INTEGER,
  templates,
} from "./common-checks.ts";
import { FEATURES } from "./features-version.ts";
import { type ModelConfiguration, type ModelHeader, scoresFeatures } from "./model-header.ts";
import { NETWORK } from "./network-model.ts";

const MAX_BITS = 26;
/** Logarithm of the number of lines of a table; 0 if a model does not have it. */
const BITS = integer(0, MAX_BITS);
/** Logarithm of the number of lines of a table that a model has: codes are shifted by 32 less this number. */
const OWN_BITS = integer(1, MAX_BITS);

/** An object with a list of templates for some of its keys. */
function templatesBy<Key extends string>(
  keys: readonly Key[],
  wordsOf: (key: Key) => readonly Anchor[],
): Check {
  const check = (key: Key) => templates((template) => parsePartTemplate(template, wordsOf(key)));
  return partial(Object.fromEntries(keys.map((key) => [key, check(key)])));
}

const CONFIGURATION = record<ModelConfiguration>({
  order: integer(1, 3),
  decoder: field,
  decoderModule: optional(field),
  decoderGiven: optional(oneOf(true)),
  multipleRoots: optional(oneOf(true)),
  arcTemplates: ARC_TEMPLATES,
  partTemplates: templatesBy(PART_KINDS, (kind) => PART_FEATURES[kind].words),
  prunerTemplates: ARC_TEMPLATES,
  arcBits: BITS,
  partBits: BITS,
  prunerBits: BITS,
  global: optional(
    record<GlobalConfiguration>({
      templates: templatesBy(GLOBAL_VIEWS, (view) => GLOBAL_WORDS[view]),
      bits: BITS,
      module: optional(
        record<TreeFeatureTable>({
          name: field,
          specifier: optional(field),
          features: list(string, { min: 1, distinct: true }),
          bits: OWN_BITS,
        }),
      ),
    }),
  ),
  pruning: either(
    false,
    record<PruneOptions>({ ratio: number(Number.MIN_VALUE, 1), most: integer(1, MAX_INTEGER) }),
  ),
});

const SHARE = number(0, 1);
const COLUMNS = optional(record<ColumnShares>({ upos: SHARE, xpos: SHARE, feats: SHARE, lemma: SHARE }));

/** Facts, of which only the shares of columns and the calibration are used. */
const description: Check = (value, at) => {
  facts(value, at);
  const { columns, calibration } = value as ModelHeader["description"];
  COLUMNS(columns, `${at}.columns`);
  optional(CALIBRATION)(calibration, `${at}.calibration`);
};

const HEADER = record<ModelHeader>({
  features: integer(FEATURES, FEATURES),
  description,
  configuration: CONFIGURATION,
  labels: LABELS,
  encoder: ENCODER,
  filter: optional(LABEL_FILTER.check),
  reach: list(integer(0, MAX_INTEGER), { max: 2 * TAGS * TAGS }),
  scales: record<ModelHeader["scales"]>({
    arcs: scale,
    parts: scale,
    pruner: scale,
    global: optional(scale),
  }),
  labeller: optional(
    record<NonNullable<ModelHeader["labeller"]>>({
      configuration: record<LabellerConfiguration>({
        arcTemplates: ARC_TEMPLATES,
        treeTemplates: templates(parseTreeTemplate),
        bits: OWN_BITS,
        most: integer(1, 255),
        margin: number(0, Number.MAX_VALUE),
      }),
      scale,
    }),
  ),
  network: NETWORK.header,
});

/** Checks the header of a model file. */
export function checkHeader(value: unknown, at: string): void {
  checkVersion(value);
  HEADER(value, at);
  const header = value as ModelHeader;
  const { configuration, labels, labeller, network, encoder, filter, reach, scales } = header;
  checkTables(configuration, `${at}.configuration`);
  checkFeatureNames(templatesOf(configuration, labeller?.configuration), encoder, at);
  if (scoresFeatures(configuration)) {
    LABEL_FILTER.check(filter, `${at}.filter`);
    LABEL_FILTER.checkLabels(filter!, labels.length, { at: `${at}.filter`, leastLabels: 1 });
  } else checkAlone(header, at);
  // A distance for each pair of tags and direction, if the model has a pruner.
  const distances = configuration.pruning === false ? 0 : 2 * TAGS * TAGS;
  if (reach.length !== distances) refuse(`${at}.reach`, `a list of ${distances}`, reach);
  if (configuration.global !== undefined) scale(scales.global, `${at}.scales.global`);
  if (network !== undefined) integer(labels.length, labels.length)(network.labels, `${at}.network.labels`);
}

/** Checks a model whose scores are the scores of a network alone. */
function checkAlone({ configuration, filter, labeller, network }: ModelHeader, at: string): void {
  const { arcTemplates, partTemplates, prunerTemplates, pruning, global = {} } = configuration;
  if (network === undefined) refuse(`${at}.configuration.arcBits`, "at least 1 without a network", 0);
  if (pruning !== false) refuse(`${at}.configuration.pruning`, "false with a network alone", pruning);
  for (const [name, found] of Object.entries({ arcTemplates, partTemplates, prunerTemplates, global }))
    if (Object.keys(found).length > 0)
      refuse(`${at}.configuration.${name}`, "none with a network alone", found);
  for (const [name, found] of Object.entries({ filter, labeller }))
    if (found !== undefined) refuse(`${at}.${name}`, "none with a network alone", found);
}

/** Refuses models of other versions, whose headers differ, with a message about the version. */
function checkVersion(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if ("tensor" in value) {
    throw new ModelError(
      "expected a model without a low-rank tensor, found one with it: " +
        "this version of Arcwise does not score tensors; train the model again",
    );
  }
  const { features = 1 } = value as Partial<ModelHeader>;
  if (!Number.isInteger(features) || features === FEATURES) return;
  const other = features < FEATURES ? "an earlier" : "a later";
  throw new ModelError(
    `expected a model with features of version ${FEATURES}, found version ${features}, of ${other} ` +
      "version of Arcwise: train the model again",
  );
}

/** Checks that tables with templates have lines. */
function checkTables(configuration: ModelConfiguration, at: string): void {
  const { partTemplates, partBits, pruning, prunerBits, global } = configuration;
  if (Object.keys(partTemplates).length > 0) OWN_BITS(partBits, `${at}.partBits`);
  if (pruning !== false) OWN_BITS(prunerBits, `${at}.prunerBits`);
  if (Object.keys(global?.templates ?? {}).length > 0) OWN_BITS(global?.bits, `${at}.global.bits`);
}

/** Returns all templates of a model. */
function templatesOf(
  configuration: ModelConfiguration,
  labeller: LabellerConfiguration | undefined,
): string[] {
  const { arcTemplates, prunerTemplates, partTemplates, global } = configuration;
  return [
    ...arcTemplates,
    ...prunerTemplates,
    ...Object.values(partTemplates).flat(),
    ...Object.values(global?.templates ?? {}).flat(),
    ...(labeller ? [...labeller.arcTemplates, ...labeller.treeTemplates] : []),
  ];
}
