import { fileFormat, int8, type QuantizedWeights, readModel, writeModel } from "@arcwise/core/container";
import { type EncoderIdentity, identityOf } from "@arcwise/core/encoders";
import {
  type EncoderData,
  GRAPH_TEMPLATES,
  type GraphFeaturedKind,
  GraphPartFeatures,
  lineLength,
  SyntaxFeatures,
} from "@arcwise/core/features";
import {
  facts,
  field,
  flag,
  integer,
  list,
  number,
  oneOf,
  optional,
  partial,
  record,
  refuse,
  scale,
} from "@arcwise/core/options";
import { decoderNames } from "@arcwise/parser/decoding";
import {
  ARC_TEMPLATES,
  checkFeatureNames,
  ENCODER,
  FEATURES,
  LABEL_FILTER,
  LABELS,
  type LabelFilter,
  NETWORK,
  type QuantizedNetwork,
  templates,
} from "@arcwise/parser/shared";
import { graphDecoderOf, type StoredGraphDecoder } from "./graph-decoders.ts";
import type { GraphPrunerConfiguration } from "./graph-pruner.ts";
import type { GraphFeatureConfiguration } from "./graph-scorer.ts";
import type { SenseConfiguration, SenseInventory, SenseModel } from "./graph-senses.ts";
import type { GraphKind } from "./graph-types.ts";

/** The pruner of a model: its features, and the log-odds from which an arc is a candidate. */
export interface StoredGraphPruner extends GraphPrunerConfiguration {
  readonly threshold: number;
}

/** A trained graph parser, its weights quantised. */
export interface GraphModel {
  readonly description: Readonly<Record<string, unknown>>;
  readonly decoder: StoredGraphDecoder;
  readonly graphs: GraphKind;
  /** Whether the edges that rules make of the basic tree are candidates and features. */
  readonly rules: boolean;
  readonly features: GraphFeatureConfiguration;
  readonly pruner: StoredGraphPruner;
  readonly labels: readonly string[];
  /** One entry per label: 1 where a predicate has at most one arc of it. */
  readonly unique: Uint8Array;
  readonly encoder: EncoderData;
  /** The labels that arcs may have by the tags of their words. Undefined: a network alone scores arcs and labels. */
  readonly filter: LabelFilter | undefined;
  /** The senses of predicates; absent if the training graphs do not have senses. */
  readonly senses?: SenseModel | undefined;
  readonly weights: QuantizedWeights;
  readonly prunerWeights: QuantizedWeights;
  readonly network?: QuantizedNetwork | undefined;
}

/** Returns the encoder that a model was trained with; undefined if it does not need one. */
export function encoderOfGraphs({ network }: GraphModel): EncoderIdentity | undefined {
  return network?.encoder && identityOf(network.encoder);
}

/** The header of a file of a graph model. */
interface GraphHeader
  extends Pick<
    GraphModel,
    "description" | "decoder" | "graphs" | "rules" | "features" | "pruner" | "labels" | "encoder"
  > {
  readonly version: number;
  readonly unique: readonly number[];
  readonly filter?: ReturnType<typeof LABEL_FILTER.stored> | undefined;
  readonly senses?: StoredSenses | undefined;
  readonly scales: {
    readonly weights: number;
    readonly pruner: number;
    readonly senses?: number | undefined;
  };
  readonly network?: ReturnType<typeof NETWORK.headerOf>;
}

/** A classifier of senses without its weights. */
type StoredSenses = Pick<SenseModel, "inventory" | "configuration">;

const BITS = integer(1, 26);
/** Logarithm of the length of a table; 0 with a network alone. */
const TABLE_BITS = integer(0, 26);

const SYNTAX = templates((text) => new SyntaxFeatures([text], 1, 1));

/** Checks the senses that predicates may have. */
export const SENSE_INVENTORY = record<SenseInventory>({
  lemmas: list(list(field, { min: 2 })),
  pattern: field,
});

const HEADER = record<GraphHeader>({
  version: integer(FEATURES, FEATURES),
  description: facts,
  decoder: record<StoredGraphDecoder>({
    name: field,
    module: optional(field),
    given: optional(oneOf(true)),
  }),
  graphs: oneOf("semantic", "enhanced"),
  rules: flag,
  features: record<GraphFeatureConfiguration>({
    arcs: ARC_TEMPLATES,
    predicates: ARC_TEMPLATES,
    parts: partial(
      Object.fromEntries(
        Object.keys(GRAPH_TEMPLATES.parts).map((kind) => [
          kind,
          templates((text) => new GraphPartFeatures(kind as GraphFeaturedKind, [text], 1)),
        ]),
      ),
    ),
    syntax: optional(
      record<NonNullable<GraphFeatureConfiguration["syntax"]>>({ arcs: SYNTAX, predicates: SYNTAX }),
    ),
    arcBits: TABLE_BITS,
    predicateBits: TABLE_BITS,
    partBits: TABLE_BITS,
    scorePredicates: flag,
  }),
  pruner: record<StoredGraphPruner>({
    templates: ARC_TEMPLATES,
    bits: TABLE_BITS,
    root: flag,
    threshold: number(-(2 ** 20), 2 ** 20),
  }),
  labels: LABELS,
  unique: list(oneOf(0, 1)),
  encoder: ENCODER,
  filter: optional(LABEL_FILTER.check),
  senses: optional(
    record<StoredSenses>({
      inventory: SENSE_INVENTORY,
      configuration: record<SenseConfiguration>({
        predicates: ARC_TEMPLATES,
        pairs: ARC_TEMPLATES,
        syntax: optional(
          record<NonNullable<SenseConfiguration["syntax"]>>({ predicates: SYNTAX, pairs: SYNTAX }),
        ),
        bits: BITS,
      }),
    }),
  ),
  scales: record<GraphHeader["scales"]>({ weights: scale, pruner: scale, senses: optional(scale) }),
  network: NETWORK.header,
});

/** How a graph parser is stored in a file. */
const GRAPH_FILE = fileFormat({
  kind: "graph model",
  header: checkHeader,
  headerOf({ unique, filter, senses, weights, prunerWeights, network, ...model }: GraphModel): GraphHeader {
    const { description, decoder, graphs, rules, features, pruner, labels, encoder } = model;
    return {
      ...{ version: FEATURES, description, decoder, graphs, rules, features, pruner, labels },
      unique: [...unique],
      encoder,
      filter: filter && LABEL_FILTER.stored(filter),
      senses: senses && { inventory: senses.inventory, configuration: senses.configuration },
      scales: { weights: weights.scale, pruner: prunerWeights.scale, senses: senses?.weights.scale },
      network: NETWORK.headerOf(network),
    };
  },
  sections({ features, labels, pruner, senses, network }: GraphHeader, entriesOf, model?: GraphModel) {
    return {
      weights: int8({ entries: graphDimension(features, labels.length), vector: model?.weights.values }),
      pruner: int8({
        entries: pruner.bits === 0 ? 0 : lineLength(0) * 2 ** pruner.bits,
        vector: model?.prunerWeights.values,
      }),
      senses:
        senses && int8({ entries: 2 ** senses.configuration.bits, vector: model?.senses?.weights.values }),
      ...NETWORK.sections(network, entriesOf, model?.network),
    };
  },
  read({ version: _, unique, filter, senses, scales, network, ...header }, sections): GraphModel {
    return {
      ...header,
      unique: Uint8Array.from(unique),
      filter: filter && LABEL_FILTER.read(filter),
      senses: senses && { ...senses, weights: { values: sections.senses!, scale: scales.senses ?? 1 } },
      weights: { values: sections.weights, scale: scales.weights },
      prunerWeights: { values: sections.pruner, scale: scales.pruner },
      network: NETWORK.read(network, sections),
    };
  },
});

/** Returns the bytes of a file of a graph model. O(weights). */
export function saveGraphParser(model: GraphModel): Uint8Array {
  return writeModel(GRAPH_FILE, model);
}

/**
 * Reads the bytes of a file of a graph model.
 *
 * @throws ModelError when the bytes are not a graph model, are damaged, cut short, or of another version
 */
export function loadGraphParser(bytes: Uint8Array): GraphModel {
  return readModel(GRAPH_FILE, bytes);
}

function checkHeader(value: unknown, at: string): void {
  HEADER(value, at);
  const header = value as GraphHeader;
  const { labels, unique, features, filter, pruner, network, encoder } = header;
  if (unique.length !== labels.length) refuse(`${at}.unique`, `${labels.length} entries`, unique);
  if (filter === undefined) checkAlone(header, at);
  else {
    LABEL_FILTER.checkLabels(filter, labels.length, { at: `${at}.filter`, leastLabels: 0 });
    for (const name of ["arcBits", "predicateBits", "partBits"] as const)
      BITS(features[name], `${at}.features.${name}`);
    BITS(pruner.bits, `${at}.pruner.bits`);
  }
  checkFeatureNames(templatesOf(header), encoder, at);
  checkDecoder(header, at);
  const classes = labels.length + 1;
  if (network !== undefined) integer(classes, classes)(network.labels, `${at}.network.labels`);
}

/** Checks a model whose scores are the scores of a network alone: it does not have templates or tables. */
function checkAlone({ network, features, pruner }: GraphHeader, at: string): void {
  if (network === undefined) refuse(`${at}.filter`, "labels by tags without a network", undefined);
  const { arcs, predicates, parts, arcBits, predicateBits, partBits, syntax } = features;
  const empty = { arcs, predicates, parts, syntax: syntax ?? [] };
  for (const [name, found] of Object.entries(empty))
    if (Object.keys(found).length > 0) refuse(`${at}.features.${name}`, "none with a network alone", found);
  const bits = { arcBits, predicateBits, partBits };
  for (const [name, found] of Object.entries(bits))
    if (found !== 0) refuse(`${at}.features.${name}`, "0 with a network alone", found);
  if (pruner.templates.length > 0 || pruner.bits !== 0)
    refuse(`${at}.pruner`, "neither templates nor lines with a network alone", pruner);
}

/** Returns all templates of a model. */
function templatesOf({ features, pruner, senses }: GraphHeader): string[] {
  const { arcs, predicates, parts, syntax } = features;
  const senseTemplates = [senses?.configuration, senses?.configuration.syntax];
  return [
    ...arcs,
    ...predicates,
    ...Object.values(parts).flat(),
    ...(syntax ? [...syntax.arcs, ...syntax.predicates] : []),
    ...pruner.templates,
    ...senseTemplates.flatMap((lists) => (lists ? [...lists.predicates, ...lists.pairs] : [])),
  ];
}

/**
 * Checks that a built-in decoder handles all that the model scores. Other decoders are checked when they are
 * given.
 */
function checkDecoder({ decoder, features, unique }: GraphHeader, at: string): void {
  const { name, module, given } = decoder;
  if (module !== undefined || given !== undefined) return;
  const names = decoderNames("graphs", "parsing");
  if (!names.includes(name)) refuse(`${at}.decoder.name`, names.join(" or "), name);
  const { handles } = graphDecoderOf(name, { purpose: "parsing" });
  const parts = Object.keys(features.parts) as GraphFeaturedKind[];
  const needed = unique.includes(1) ? [...parts, "unique" as const] : parts;
  const missing = needed.find((one) => !handles.has(one));
  if (missing !== undefined) refuse(`${at}.decoder.name`, `a decoder that handles ${missing}`, name);
}

/** Returns the number of weights of a graph parser, without pruner and network. */
export function graphDimension(features: GraphFeatureConfiguration, labels: number): number {
  const { arcBits, predicateBits, partBits, parts } = features;
  if (arcBits === 0) return 0;
  return lineLength(labels) * 2 ** arcBits + 2 ** predicateBits + Object.keys(parts).length * 2 ** partBits;
}
