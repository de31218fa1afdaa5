import {
  type Container,
  type EntryType,
  field,
  flag,
  integer,
  list,
  ModelError,
  oneOf,
  optional,
  quantize,
  readable,
  record,
  refuse,
  type SectionTable,
  scale,
  type Vector,
} from "@arcwise/core/container";
import type { DictionaryLevel } from "../features/dictionary.ts";
import { KeyExtractor } from "../features/extraction.ts";
import { gramsOf } from "../features/feature-space.ts";
import { indexOf } from "../features/hash-index.ts";
import { parseSequenceTemplate } from "../features/templates.ts";
import type { ChainConfiguration, ChainModel } from "./chain-model.ts";

/** Header of a chain model in a file. */
export interface ChainHeader {
  readonly configuration: ChainConfiguration;
  readonly pairs: "all" | "observed";
  /** Unit of the stored weights. */
  readonly scale: number;
  readonly levels?: readonly DictionaryLevel[];
}

/**
 * Rounds the weights of a model to one byte each, and removes input keys whose weights are all zero.
 * O(weights).
 */
export function compactChain(model: ChainModel): ChainModel {
  const { values, scale: unit } = quantize(model.weights);
  const L = model.configuration.labels.length;
  const width = model.space.pairs === "observed" ? 1 : L;
  const { keys } = model.space;
  const kept: number[] = [];
  for (let k = 0; k < keys.length; k++) {
    let y = 0;
    while (y < width && values[k * width + y] === 0) y++;
    if (y < width) kept.push(k);
  }
  const rest = values.subarray(keys.length * width);
  const weights = new Float32Array(Math.max(1, kept.length * width + rest.length));
  for (const [k, old] of kept.entries()) {
    for (let y = 0; y < width; y++) weights[k * width + y] = values[old * width + y]! * unit;
  }
  for (let k = 0; k < rest.length; k++) weights[kept.length * width + k] = rest[k]! * unit;
  return {
    ...model,
    space: { ...model.space, keys: Int32Array.from(kept, (k) => keys[k]!) },
    weights,
    scale: unit,
  };
}

/**
 * Returns the header and the vectors of a model that `compactChain` made; names of vectors begin with
 * `prefix`.
 */
export function chainSections(
  { configuration, frequentForms, space, dictionary, weights, scale: unit = 1 }: ChainModel,
  prefix: string,
): { readonly header: ChainHeader; readonly vectors: Record<string, Vector> } {
  const vectors: Record<string, Vector> = {
    [`${prefix}.frequent`]: frequentForms,
    [`${prefix}.keys`]: space.keys,
    [`${prefix}.weights`]: Int8Array.from(weights, (weight) => Math.round(weight / unit)),
  };
  for (const [k, { keys, start, grams }] of space.lines.entries()) {
    vectors[`${prefix}.lineKeys${k + 2}`] = keys;
    vectors[`${prefix}.lineStart${k + 2}`] = start;
    vectors[`${prefix}.lineGrams${k + 2}`] = grams;
  }
  if (dictionary !== undefined) {
    vectors[`${prefix}.dictionaryKeys`] = dictionary.keys;
    vectors[`${prefix}.dictionaryStart`] = dictionary.start;
    vectors[`${prefix}.dictionaryLabels`] = dictionary.labels;
  }
  const header = {
    configuration,
    pairs: space.pairs,
    scale: unit,
    ...(dictionary && { levels: dictionary.levels }),
  };
  return { header, vectors };
}

/** Maximum number of labels of a chain: all their pairs are read. */
const MAX_LABELS = 2 ** 16;
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
    labels: list(field, { min: 1, max: MAX_LABELS, distinct: true }),
    bio: flag,
    normalisation: oneOf("global", "local"),
  }),
  pairs: oneOf("all", "observed"),
  scale,
  levels: optional(list(LEVEL, { max: MAX_TEMPLATES })),
});

/**
 * Checks the header of a model and declares its sections, before they are allocated. Numbers of keys follow
 * from the length of the file, all others from the header and from these.
 *
 * @param at name of the header in messages
 *
 * @throws ModelError that names the first error
 */
export function checkChain(value: unknown, sections: SectionTable, prefix: string, at: string): void {
  CHAIN(value, at);
  const { configuration, pairs, levels } = value as ChainHeader;
  const { templates, labels, bio } = configuration;
  const L = labels.length;
  if (bio && L > MAX_BIO_LABELS) refuse(`${at}.configuration.labels`, `${MAX_BIO_LABELS} at most`, labels);
  const { order, constants } = shapeOf(templates);
  // Keys are unique: one of them may be 0. A list of ascending numbers may begin with 0.
  const keys = (name: string) => sections.takeDense(`${prefix}.${name}`, "int32", 1);
  const expect = (name: string, type: EntryType, entries: number) =>
    sections.expect(`${prefix}.${name}`, type, entries);
  keys("frequent");
  let dimension = keys("keys") * (pairs === "all" ? L : 1);
  for (let arity = 2; arity <= order && pairs === "all"; arity++) {
    const lines = keys(`lineKeys${arity}`);
    expect(`lineStart${arity}`, "int32", lines + 1);
    dimension += sections.takeDense(`${prefix}.lineGrams${arity}`, "int32", lines);
    dimension += constants[arity - 1]! * gramsOf(arity, L);
  }
  expect("weights", "int8", Math.max(1, dimension));
  if (levels === undefined) return;
  const entries = keys("dictionaryKeys");
  expect("dictionaryStart", "int32", entries + 1);
  sections.takeDense(`${prefix}.dictionaryLabels`, "int32", entries);
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

/** Reads a model whose header has been checked. @throws ModelError when its vectors do not fit together */
export function readChain(header: ChainHeader, { vectors }: Container, prefix: string): ChainModel {
  const { configuration, pairs, scale: unit, levels } = header;
  const L = configuration.labels.length;
  const ints = (name: string): Int32Array => vectors[`${prefix}.${name}`] as Int32Array;
  const lines = [];
  for (let arity = 2; vectors[`${prefix}.lineKeys${arity}`] !== undefined; arity++) {
    const line = {
      keys: ints(`lineKeys${arity}`),
      start: ints(`lineStart${arity}`),
      grams: ints(`lineGrams${arity}`),
    };
    checkLists(line.keys, line.start, line.grams, gramsOf(arity, L));
    lines.push(line);
  }
  const keys = ints("keys");
  checkKeys(keys);
  const quantized = vectors[`${prefix}.weights`] as Int8Array;
  const model: ChainModel = {
    configuration,
    frequentForms: ints("frequent"),
    space: { pairs, keys, lines },
    weights: restored(quantized, unit),
    scale: unit,
  };
  if (levels === undefined) return model;
  const [own, start, labels] = [ints("dictionaryKeys"), ints("dictionaryStart"), ints("dictionaryLabels")];
  checkLists(own, start, labels, L);
  return { ...model, dictionary: { levels, keys: own, start, labels } };
}

/** Returns weights as numbers. A loop: `Float32Array.from` with a function takes thirty times as long. */
function restored(quantized: Int8Array, unit: number): Float32Array {
  const weights = new Float32Array(quantized.length);
  for (let k = 0; k < quantized.length; k++) weights[k] = quantized[k]! * unit;
  return weights;
}

function checkKeys(keys: Int32Array): void {
  if (indexOf(keys).size !== keys.length) throw new ModelError("damaged tagger file: a key is duplicated");
}

/** Checks lists of ascending integers below a bound, one per key. */
function checkLists(keys: Int32Array, start: Int32Array, items: Int32Array, bound: number): void {
  checkKeys(keys);
  let sound = start[0] === 0 && start.at(-1) === items.length;
  for (let k = 0; k < keys.length && sound; k++) {
    sound = start[k + 1]! > start[k]!;
    for (let j = start[k]!; j < start[k + 1]! && sound; j++) {
      sound = items[j]! >= 0 && items[j]! < bound && (j === start[k] || items[j]! > items[j - 1]!);
    }
  }
  if (!sound) throw new ModelError("damaged tagger file: a list is not ascending");
}
