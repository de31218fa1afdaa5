import { lineLength, namedFeatures, PART_LINE, VIEW } from "@arcwise/core/features";
import { type LabellerConfiguration, labellerDimension } from "../labelling/labeller-configuration.ts";
import { PRUNER_LINE } from "../pruning/pruner.ts";
import { TAGS } from "../scoring/arcs/label-filter.ts";
import { globalDimension } from "../scoring/trees/global-scorer.ts";
import { ModelError, type Section } from "./container.ts";
import { FEATURES } from "./features-version.ts";
import type { ModelConfiguration, ModelHeader } from "./model-header.ts";
import { checkNetwork } from "./network-model.ts";
import { checkTensor } from "./tensor-model.ts";

/** Tables have at most 2^26 lines. */
const MAX_BITS = 26;

/**
 * Checks what the header of a model file says, and that the vectors which it announces have the sizes that
 * follow: before they are allocated.
 *
 * @throws ModelError that names the first thing that is wrong
 */
export function checkModel(header: unknown, sections: readonly Section[]): void {
  const {
    features,
    description,
    configuration,
    labels,
    encoder,
    filter,
    reach,
    scales,
    labeller,
    tensor,
    network,
  } = (header ?? {}) as Partial<ModelHeader>;
  expect("description", typeof description === "object" && description !== null);
  expect("version of features", features === undefined || Number.isInteger(features));
  if (features !== FEATURES) {
    throw new ModelError(
      `the model's features are those of ${(features ?? 1) < FEATURES ? "an earlier" : "a later"} version ` +
        "of Arcwise, whose weights mean something else to this one: train it again",
    );
  }
  expect("labels", isStrings(labels));
  expect("encoder", isStrings(encoder?.words) && isStrings(encoder?.lemmas) && isStrings(encoder?.tags));
  expect("encoder", encoder!.fine === undefined || isStrings(encoder!.fine));
  expect("encoder", encoder!.features === undefined || isStrings(encoder!.features));
  expect("configuration", isConfiguration(configuration));
  const named = namedFeatures(templatesOf(configuration!, labeller?.configuration));
  expect(
    "encoder",
    named.every((name) => encoder!.features?.includes(name)),
  );
  expect("filter", isFilter(filter, labels!.length));
  const tagPairs = configuration!.pruning === false ? 0 : 2 * TAGS * TAGS;
  const isDistance = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  expect("reach", Array.isArray(reach) && reach.length === tagPairs && reach.every(isDistance));
  for (const [name, entries] of sizesOf(configuration!, labels!.length)) {
    checkWeights(name, entries, scales?.[name], sections);
  }
  if (tensor !== undefined) checkTensor(tensor, sections);
  if (network !== undefined) checkNetwork(network, labels!.length, sections);
  if (labeller === undefined) return;
  expect("labeller", isLabeller(labeller?.configuration));
  const entries = labellerDimension(labeller.configuration, labels!.length);
  checkWeights("labeller", entries, labeller.scale, sections);
}

function checkWeights(
  name: string,
  entries: number,
  scale: number | undefined,
  sections: readonly Section[],
): void {
  const section = sections.find((candidate) => candidate.name === name);
  expect(`"${name}" weights`, section?.type === "int8" && section.entries === entries);
  expect(`scale of the "${name}" weights`, Number.isFinite(scale) && scale! > 0);
}

/** Number of weights of each table. */
function sizesOf(
  configuration: ModelConfiguration,
  labels: number,
): ["arcs" | "parts" | "pruner" | "global", number][] {
  const { arcBits, partBits, prunerBits, partTemplates, pruning, global } = configuration;
  const sizes: ReturnType<typeof sizesOf> = [
    ["arcs", lineLength(labels) * 2 ** arcBits],
    ["parts", Object.keys(partTemplates).length === 0 ? 0 : PART_LINE * 2 ** partBits],
    ["pruner", pruning === false ? 0 : PRUNER_LINE * 2 ** prunerBits],
  ];
  if (global !== undefined) sizes.push(["global", globalDimension(global)]);
  return sizes;
}

function isConfiguration(value: ModelConfiguration | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { decoder, decoderModule, arcTemplates, partTemplates, prunerTemplates, pruning, global } = value;
  const bits = [value.arcBits, value.partBits, value.prunerBits];
  return (
    typeof decoder === "string" &&
    (decoderModule === undefined || typeof decoderModule === "string") &&
    isStrings(arcTemplates) &&
    isStrings(prunerTemplates) &&
    typeof partTemplates === "object" &&
    partTemplates !== null &&
    Object.values(partTemplates).every(isStrings) &&
    bits.every(isBits) &&
    (global === undefined || isGlobal(global)) &&
    (pruning === false || (Number.isFinite(pruning?.ratio) && Number.isFinite(pruning?.most)))
  );
}

function isGlobal(value: ModelConfiguration["global"] | null): boolean {
  const { templates, bits, module } = value ?? {};
  const isModule =
    module === undefined ||
    (typeof module?.name === "string" && isStrings(module.features) && isBits(module.bits));
  return (
    isModule &&
    typeof templates === "object" &&
    templates !== null &&
    Object.entries(templates).every(([view, list]) => Object.hasOwn(VIEW, view) && isStrings(list)) &&
    isBits(bits)
  );
}

/** All templates, of what is sound so far. */
function templatesOf(configuration: ModelConfiguration, labeller?: LabellerConfiguration): string[] {
  const { arcTemplates, partTemplates, prunerTemplates, global } = configuration;
  const lists = [...Object.values(partTemplates), ...Object.values(global?.templates ?? {})];
  const ofLabels = isLabeller(labeller) ? [...labeller!.arcTemplates, ...labeller!.treeTemplates] : [];
  return [...arcTemplates, ...prunerTemplates, ...lists.flat(), ...ofLabels];
}

function isLabeller(value: LabellerConfiguration | undefined): boolean {
  const { arcTemplates, treeTemplates, bits, most, margin } = value ?? {};
  return (
    isStrings(arcTemplates) &&
    isStrings(treeTemplates) &&
    isBits(bits) &&
    Number.isInteger(most) &&
    most! >= 1 &&
    most! <= 255 &&
    Number.isFinite(margin)
  );
}

/** Ascending places in a list of labels, one more than pairs of tags. */
function isFilter(value: ModelHeader["filter"] | undefined, labels: number): boolean {
  const { start, list } = value ?? {};
  if (!Array.isArray(start) || !Array.isArray(list)) return false;
  const isPlace = (place: unknown, i: number) =>
    Number.isInteger(place) && (i === 0 ? place === 0 : (place as number) >= start[i - 1]);
  const isLabel = (label: unknown) =>
    Number.isInteger(label) && (label as number) >= 0 && (label as number) < labels;
  return (
    start.length === TAGS * TAGS + 1 &&
    start.every(isPlace) &&
    start.at(-1) === list.length &&
    list.every(isLabel)
  );
}

function isBits(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_BITS;
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function expect(what: string, sound: boolean): void {
  if (!sound) throw new ModelError(`damaged model file: its header has no sound ${what}`);
}
