import { type Container, ModelError, quantize, type Section, type Vector } from "@arcwise/core/container";
import type { DictionaryLevel } from "../features/dictionary.ts";
import { KeyExtractor } from "../features/extraction.ts";
import { gramsOf } from "../features/feature-space.ts";
import { indexOf } from "../features/hash-index.ts";
import type { ChainConfiguration, ChainModel } from "./chain-model.ts";

/** What the header of a file says of a chain model. */
export interface ChainHeader {
  readonly configuration: ChainConfiguration;
  readonly pairs: "all" | "observed";
  /** What a weight of 1 in the file is worth. */
  readonly scale: number;
  readonly levels?: readonly DictionaryLevel[];
}

/**
 * The model with weights rounded to a byte each, and without what is true of the input where all its weights
 * are zero. O(weights).
 */
export function compactChain(model: ChainModel): ChainModel {
  const { values, scale } = quantize(model.weights);
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
    for (let y = 0; y < width; y++) weights[k * width + y] = values[old * width + y]! * scale;
  }
  for (let k = 0; k < rest.length; k++) weights[kept.length * width + k] = rest[k]! * scale;
  return {
    ...model,
    space: { ...model.space, keys: Int32Array.from(kept, (k) => keys[k]!) },
    weights,
    scale,
  };
}

/** The header and the vectors of a model that `compactChain` made; names begin with `prefix`. */
export function chainSections(
  { configuration, frequentForms, space, dictionary, weights, scale = 1 }: ChainModel,
  prefix: string,
): { readonly header: ChainHeader; readonly vectors: Record<string, Vector> } {
  const vectors: Record<string, Vector> = {
    [`${prefix}.frequent`]: frequentForms,
    [`${prefix}.keys`]: space.keys,
    [`${prefix}.weights`]: Int8Array.from(weights, (weight) => Math.round(weight / scale)),
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
    scale,
    ...(dictionary && { levels: dictionary.levels }),
  };
  return { header, vectors };
}

/**
 * Checks the header of a model, and what its vectors would be, before they are allocated.
 *
 * @throws ModelError
 */
export function checkChain(value: unknown, sections: readonly Section[], prefix: string): void {
  const { configuration, pairs, scale, levels } = (value ?? {}) as Partial<ChainHeader>;
  const { templates, labels, bio, normalisation } = configuration ?? {};
  expect("templates", isStrings(templates));
  expect("labels", isStrings(labels) && labels!.length > 0 && new Set(labels).size === labels!.length);
  expect(
    "configuration",
    typeof bio === "boolean" && (normalisation === "global" || normalisation === "local"),
  );
  expect("pairs", pairs === "all" || pairs === "observed");
  expect("scale", Number.isFinite(scale) && scale! > 0);
  expect("dictionary", levels === undefined || (Array.isArray(levels) && levels.every(isLevel)));
  const extractor = extractorOf(templates!);
  const size = (name: string, type: Section["type"]): number => {
    const section = sections.find((one) => one.name === `${prefix}.${name}`);
    expect(`section "${prefix}.${name}"`, section?.type === type);
    return section!.entries;
  };
  size("frequent", "int32");
  const L = labels!.length;
  let dimension = size("keys", "int32") * (pairs === "all" ? L : 1);
  for (let arity = 2; arity <= extractor.order && pairs === "all"; arity++) {
    const keys = size(`lineKeys${arity}`, "int32");
    expect("lines", size(`lineStart${arity}`, "int32") === keys + 1);
    dimension += size(`lineGrams${arity}`, "int32") + extractor.constants(arity).length * gramsOf(arity, L);
  }
  expect("number of weights", size("weights", "int8") === Math.max(1, dimension));
  if (levels === undefined) return;
  size("dictionaryLabels", "int32");
  expect("dictionary", size("dictionaryStart", "int32") === size("dictionaryKeys", "int32") + 1);
}

function extractorOf(templates: readonly string[]): KeyExtractor {
  try {
    return new KeyExtractor(templates);
  } catch (error) {
    throw new ModelError(`the model file needs another version of Arcwise: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Reads a model whose header has been checked. @throws ModelError when its vectors do not fit together */
export function readChain(header: ChainHeader, { vectors }: Container, prefix: string): ChainModel {
  const { configuration, pairs, scale, levels } = header;
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
    weights: Float32Array.from(quantized, (weight) => weight * scale),
    scale,
  };
  if (levels === undefined) return model;
  const [own, start, labels] = [ints("dictionaryKeys"), ints("dictionaryStart"), ints("dictionaryLabels")];
  checkLists(own, start, labels, L);
  return { ...model, dictionary: { levels, keys: own, start, labels } };
}

function checkKeys(keys: Int32Array): void {
  if (indexOf(keys).size !== keys.length) throw new ModelError("damaged model file: a key comes twice");
}

/** Lists of ascending numbers under a bound, one a key. */
function checkLists(keys: Int32Array, start: Int32Array, items: Int32Array, bound: number): void {
  checkKeys(keys);
  let sound = start[0] === 0 && start.at(-1) === items.length;
  for (let k = 0; k < keys.length && sound; k++) {
    sound = start[k + 1]! > start[k]!;
    for (let j = start[k]!; j < start[k + 1]! && sound; j++) {
      sound = items[j]! >= 0 && items[j]! < bound && (j === start[k] || items[j]! > items[j - 1]!);
    }
  }
  if (!sound) throw new ModelError("damaged model file: a list is not in order");
}

function isLevel(value: unknown): boolean {
  const { template, minimum } = (value ?? {}) as Partial<DictionaryLevel>;
  return typeof template === "string" && Number.isInteger(minimum);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function expect(what: string, sound: boolean): void {
  if (!sound) throw new ModelError(`damaged model file: its header has no sound ${what}`);
}
