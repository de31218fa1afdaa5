import {
  type Container,
  type EntryType,
  ModelError,
  quantize,
  type SectionTable,
  type Vector,
} from "@arcwise/core/container";
import { flag, integer, list, oneOf, optional, readable, record, refuse, scale } from "@arcwise/core/options";
import type { DictionaryLevel } from "../features/dictionary.ts";
import { KeyExtractor } from "../features/extraction.ts";
import { firstArity, type GramLines, gramsOf, linesOf } from "../features/feature-space.ts";
import { MAX_GAZETTEERS, MAX_NAME_WORDS } from "../features/gazetteers.ts";
import { parseSequenceTemplate } from "../features/templates.ts";
import { CHAIN_LABELS, type ChainConfiguration, type ChainModel } from "./chain-model.ts";

/** Header of a chain model in a file. */
export interface ChainHeader {
  readonly configuration: ChainConfiguration;
  readonly pairs: "all" | "observed";
  /** Unit of the stored weights. */
  readonly scale: number;
  readonly levels?: readonly DictionaryLevel[] | undefined;
  readonly gazetteers?: readonly GazetteerHeader[] | undefined;
}

/** Header of a list of names in a file. */
interface GazetteerHeader {
  readonly ignoreCase: boolean;
  readonly longest: number;
}

/**
 * Rounds the weights of a model to one byte each, removes input keys, and k-grams of input keys, whose weights
 * are all zero, and sorts the keys: files have few bytes for ascending numbers. O(weights + keys log keys).
 */
export function compactChain(model: ChainModel): ChainModel {
  const { weights, scale = 1 } = model;
  const { values, scale: unit } =
    weights instanceof Int8Array ? { values: weights, scale } : quantize(weights);
  const { keys, lines } = model.space;
  const width = model.configuration.labels.length;
  const kept = new Int8Array(values.length);
  let size = 0;
  const keep = (from: number, to: number): void => {
    for (let k = from; k < to; k++) kept[size++] = values[k];
  };
  const usedKeys = keyOrder(keys).filter((k) => {
    const from = k * width;
    const isUsed = values.subarray(from, from + width).some((value) => value !== 0);
    if (isUsed) keep(from, from + width);
    return isUsed;
  });
  let first = values.length - lines.reduce((sum, { grams }) => sum + grams.length, 0);
  keep(keys.length * width, first);
  const usedLines = lines.map((line) => {
    const order = keyOrder(line.keys);
    const ranks = new Int32Array(line.grams.length);
    const grams = new Int32Array(line.grams.length);
    let count = 0;
    for (const [rank, k] of order.entries()) {
      for (let j = line.start[k]; j < line.start[k + 1]; j++) {
        if (values[first + j] === 0) continue;
        ranks[count] = rank;
        grams[count++] = line.grams[j];
        keep(first + j, first + j + 1);
      }
    }
    first += line.grams.length;
    const sorted = order.map((k) => line.keys[k]);
    return linesOf(sorted, ranks.subarray(0, count), grams.slice(0, count));
  });
  return {
    ...model,
    space: { ...model.space, keys: usedKeys.map((k) => keys[k]), lines: usedLines },
    weights: kept.slice(0, Math.max(1, size)),
    scale: unit,
  };
}

/**
 * Returns the header and the vectors of a model that `compactChain` made; names of vectors begin with
 * `prefix`.
 */
export function chainSections(
  { configuration, frequentForms, space, dictionary, gazetteers, weights, scale: unit = 1 }: ChainModel,
  prefix: string,
): { readonly header: ChainHeader; readonly vectors: Record<string, Vector> } {
  const vectors: Record<string, Vector> = {
    [`${prefix}.frequent`]: frequentForms,
    [`${prefix}.weights`]: weights,
  };
  if (space.pairs === "all") vectors[`${prefix}.keys`] = space.keys;
  for (const [k, { keys, start, grams }] of space.lines.entries()) {
    const arity = firstArity(space.pairs) + k;
    vectors[`${prefix}.lineKeys${arity}`] = keys;
    vectors[`${prefix}.lineStart${arity}`] = start;
    if (arity > 1) vectors[`${prefix}.lineGrams${arity}`] = grams;
    else Object.assign(vectors, labelPlanes(configuration, grams, prefix));
  }
  if (dictionary !== undefined) {
    vectors[`${prefix}.dictionaryKeys`] = dictionary.keys;
    vectors[`${prefix}.dictionaryStart`] = dictionary.start;
    vectors[`${prefix}.dictionaryLabels`] = dictionary.labels;
  }
  for (const [k, { keys, first }] of (gazetteers ?? []).entries()) {
    vectors[`${prefix}.names${k + 1}`] = keys;
    vectors[`${prefix}.first${k + 1}`] = first;
  }
  const header = {
    configuration,
    pairs: space.pairs,
    scale: unit,
    levels: dictionary?.levels,
    gazetteers: gazetteers?.map(({ ignoreCase, longest }) => ({ ignoreCase, longest })),
  };
  return { header, vectors };
}

/** Maximum number of labels in BIO notation: there is a table of all pairs. */
const MAX_BIO_LABELS = 2 ** 12;
const MAX_TEMPLATES = 2 ** 10;

const TEMPLATES = list(
  readable((template) => parseSequenceTemplate(template)),
  { max: MAX_TEMPLATES, distinct: true },
);

/** Checks a dictionary level. Keys are looked up one by one, by attributes of the input only. */
const LEVEL = record<DictionaryLevel>({
  template: readable((template) => new KeyExtractor([template])),
  minimum: integer(0, 2 ** 31 - 1),
});

const CHAIN = record<ChainHeader>({
  configuration: record<ChainConfiguration>({
    templates: TEMPLATES,
    labels: CHAIN_LABELS,
    bio: flag,
    normalisation: oneOf("global", "local"),
  }),
  pairs: oneOf("all", "observed"),
  scale,
  levels: optional(list(LEVEL, { max: MAX_TEMPLATES })),
  gazetteers: optional(
    list(record<GazetteerHeader>({ ignoreCase: flag, longest: integer(1, MAX_NAME_WORDS) }), {
      max: MAX_GAZETTEERS,
    }),
  ),
});

/**
 * Checks the header of a model and declares its sections, before they are allocated. Numbers of keys follow
 * from the length of the file, all others from the header and from these.
 *
 * @param at name of the header in messages
 */
export function checkChain(value: unknown, sections: SectionTable, prefix: string, at: string): void {
  CHAIN(value, at);
  const { configuration, pairs, levels, gazetteers = [] } = value as ChainHeader;
  const { templates, labels, bio } = configuration;
  const L = labels.length;
  if (bio && L > MAX_BIO_LABELS) refuse(`${at}.configuration.labels`, `${MAX_BIO_LABELS} at most`, labels);
  const { order, constants } = shapeOf(templates);
  // Keys are unique: one of them may be 0. A list of ascending numbers may begin with 0.
  const keys = (name: string) => sections.takeDense(`${prefix}.${name}`, "int32", 1);
  const expect = (name: string, type: EntryType, entries: number) =>
    sections.expect(`${prefix}.${name}`, type, entries);
  keys("frequent");
  if (pairs === "observed" && sections.all.some(({ name }) => name === `${prefix}.keys`)) {
    throw new ModelError("the tagger is of an earlier version of Arcwise; train it again");
  }
  let dimension = pairs === "all" ? keys("keys") * L : 0;
  for (let arity = firstArity(pairs); arity <= order; arity++) {
    const lines = keys(`lineKeys${arity}`);
    expect(`lineStart${arity}`, "int32", lines + 1);
    if (arity === 1) {
      const [low, ...high] = planesOf(configuration);
      const pairsOfLabels = sections.takeAtMost(`${prefix}.${low}`, "int8", lines * L);
      for (const plane of high) expect(plane, "int8", pairsOfLabels);
      dimension += pairsOfLabels;
    } else dimension += sections.takeDense(`${prefix}.lineGrams${arity}`, "int32", lines);
    if (pairs === "all") dimension += constants[arity - 1] * gramsOf(arity, L);
  }
  expect("weights", "int8", Math.max(1, dimension));
  if (levels !== undefined) {
    const entries = keys("dictionaryKeys");
    expect("dictionaryStart", "int32", entries + 1);
    sections.takeDense(`${prefix}.dictionaryLabels`, "int32", entries);
  }
  for (const k of gazetteers.keys()) {
    keys(`names${k + 1}`);
    keys(`first${k + 1}`);
  }
}

/**
 * Returns the largest number of labels in a template, and the number of templates of each arity without
 * input.
 */
function shapeOf(templates: readonly string[]): { readonly order: number; readonly constants: number[] } {
  const extractor = new KeyExtractor(templates);
  const constants = [1, 2, 3].map((arity) => extractor.constants(arity).length);
  return { order: extractor.order, constants };
}

/** Reads a model whose header has been checked. */
export function readChain(header: ChainHeader, { vectors }: Container, prefix: string): ChainModel {
  const { configuration, pairs, scale: unit, levels, gazetteers } = header;
  const L = configuration.labels.length;
  const ints = (name: string): Int32Array => vectors[`${prefix}.${name}`] as Int32Array;
  const lines: GramLines[] = [];
  for (let arity = firstArity(pairs); vectors[`${prefix}.lineKeys${arity}`] !== undefined; arity++) {
    const line = {
      keys: ints(`lineKeys${arity}`),
      start: ints(`lineStart${arity}`),
      grams:
        arity > 1
          ? ints(`lineGrams${arity}`)
          : joined(planesOf(configuration).map((plane) => vectors[`${prefix}.${plane}`] as Int8Array)),
    };
    checkLists(line.keys, line.start, line.grams, gramsOf(arity, L));
    lines.push(line);
  }
  const keys = pairs === "all" ? ints("keys") : new Int32Array(0);
  checkKeys(keys);
  const model: ChainModel = {
    configuration,
    frequentForms: ints("frequent"),
    space: { pairs, keys, lines },
    weights: vectors[`${prefix}.weights`] as Int8Array,
    scale: unit,
    gazetteers: gazetteers?.map((one, k) => ({
      ...one,
      keys: ints(`names${k + 1}`),
      first: ints(`first${k + 1}`),
    })),
  };
  if (levels === undefined) return model;
  const [own, start, labels] = [ints("dictionaryKeys"), ints("dictionaryStart"), ints("dictionaryLabels")];
  checkLists(own, start, labels, L);
  return { ...model, dictionary: { levels, keys: own, start, labels } };
}

/** Names of the sections of the labels that input keys were seen with: low bytes, and high ones if needed. */
function planesOf({ labels }: ChainConfiguration): readonly string[] {
  return labels.length > 2 ** 8 ? ["lineLabels", "lineLabelsHigh"] : ["lineLabels"];
}

/** Returns the sections of labels: by bytes, which have a short code. */
function labelPlanes(
  configuration: ChainConfiguration,
  labels: Int32Array,
  prefix: string,
): Record<string, Vector> {
  const planes = planesOf(configuration).map((plane, p) => [
    `${prefix}.${plane}`,
    Int8Array.from(labels, (label) => label >> (8 * p)),
  ]);
  return Object.fromEntries(planes) as Record<string, Vector>;
}

/** Returns numbers of which there are the bytes, low ones first. */
function joined(planes: readonly Int8Array[]): Int32Array {
  const numbers = new Int32Array(planes[0].length);
  for (const [p, plane] of planes.entries()) {
    for (let k = 0; k < plane.length; k++) numbers[k] |= (plane[k] & 255) << (8 * p);
  }
  return numbers;
}

/** Returns the indices of keys in ascending order of the keys. */
function keyOrder(keys: Int32Array): Int32Array {
  return Int32Array.from(keys, (_, k) => k).sort((a, b) => keys[a] - keys[b]);
}

/** Checks that each key is above the one before it, so that keys are distinct. */
function checkKeys(keys: Int32Array): void {
  for (let k = 1; k < keys.length; k++) {
    if (keys[k] <= keys[k - 1])
      throw new ModelError("the keys of the tagger are not ascending: train it again");
  }
}

/** Checks lists of ascending integers below a bound, one per key. */
function checkLists(keys: Int32Array, start: Int32Array, items: Int32Array, bound: number): void {
  checkKeys(keys);
  let sound = start[0] === 0 && start.at(-1) === items.length;
  for (let k = 0; k < keys.length && sound; k++) {
    sound = start[k + 1] > start[k];
    for (let j = start[k]; j < start[k + 1] && sound; j++) {
      sound = items[j] >= 0 && items[j] < bound && (j === start[k] || items[j] > items[j - 1]);
    }
  }
  if (!sound) throw new ModelError("damaged tagger file: a list is not ascending");
}
