import {
  checkAscending,
  type FilePart,
  int8,
  int32,
  ModelError,
  quantize,
  type SectionRow,
  type SectionRows,
  type Vector,
  type VectorsOf,
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

const HEADER = record<ChainHeader>({
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
 * How a model that `compactChain` made is stored in a file. Numbers of keys follow from the length of the file,
 * all others from the header and from these.
 */
export const CHAIN: FilePart<ChainModel, ChainHeader, SectionRows> = {
  header: checkHeader,
  headerOf: ({ configuration, space, scale: unit = 1, dictionary, gazetteers }) => ({
    configuration,
    pairs: space.pairs,
    scale: unit,
    levels: dictionary?.levels,
    gazetteers: gazetteers?.map(({ ignoreCase, longest }) => ({ ignoreCase, longest })),
  }),
  sections: sectionsOf,
  read: readChain,
};

function checkHeader(value: unknown, at: string): void {
  HEADER(value, at);
  const { labels, bio } = (value as ChainHeader).configuration;
  if (bio && labels.length > MAX_BIO_LABELS)
    refuse(`${at}.configuration.labels`, `${MAX_BIO_LABELS} at most`, labels);
}

/** Makes a row for keys, which are unique: one of them may be 0. */
function keysRow(vector: Int32Array | undefined) {
  return int32({ maxZeros: 1, check: checkAscending, vector });
}

/** Makes a row for ascending numbers, which may begin with 0. */
function numbersRow(vector: Int32Array | undefined) {
  return int32({ maxZeros: 1, vector });
}

function sectionsOf(
  header: ChainHeader,
  entriesOf: (name: string) => number,
  model?: ChainModel,
): SectionRows {
  const { configuration, pairs, levels, gazetteers = [] } = header;
  const L = configuration.labels.length;
  const { order, constants } = shapeOf(configuration.templates);
  const hasKeys = pairs === "all";
  if (!hasKeys && entriesOf("keys") > 0)
    throw new ModelError("the tagger is of an earlier version of Arcwise; train it again");
  // The number of weights is known after the other sections, which follow them in the file.
  const rows: Record<string, SectionRow | undefined> = {
    frequent: numbersRow(model?.frequentForms),
    weights: undefined,
    keys: hasKeys ? keysRow(model?.space.keys) : undefined,
  };
  let dimension = hasKeys ? entriesOf("keys") * L : 0;
  for (let arity = firstArity(pairs); arity <= order; arity++) {
    const line = model?.space.lines[arity - firstArity(pairs)];
    const lines = entriesOf(`lineKeys${arity}`);
    rows[`lineKeys${arity}`] = keysRow(line?.keys);
    rows[`lineStart${arity}`] = int32({ entries: lines + 1, vector: line?.start });
    const names = gramNames(arity, configuration);
    const count = entriesOf(names[0]);
    if (arity > 1) rows[names[0]] = int32({ maxZeros: lines, vector: line?.grams });
    else
      for (const [p, name] of names.entries()) {
        // Labels are stored by bytes, which have a short code.
        const vector = line && Int8Array.from(line.grams, (label) => label >> (8 * p));
        rows[name] = int8({ entries: count, maxEntries: lines * L, vector });
      }
    dimension += count + (hasKeys ? constants[arity - 1] * gramsOf(arity, L) : 0);
  }
  rows.weights = int8({ entries: Math.max(1, dimension), vector: model?.weights as Int8Array });
  if (levels !== undefined) {
    const { keys, start, labels } = model?.dictionary ?? {};
    const entries = entriesOf("dictionaryKeys");
    rows.dictionaryKeys = keysRow(keys);
    rows.dictionaryStart = int32({ entries: entries + 1, vector: start });
    rows.dictionaryLabels = int32({ maxZeros: entries, vector: labels });
  }
  for (const k of gazetteers.keys()) {
    rows[`names${k + 1}`] = numbersRow(model?.gazetteers?.[k].keys);
    rows[`first${k + 1}`] = numbersRow(model?.gazetteers?.[k].first);
  }
  return rows;
}

function readChain(header: ChainHeader, vectors: VectorsOf<SectionRows>): ChainModel {
  const { configuration, pairs, scale: unit, levels, gazetteers } = header;
  const L = configuration.labels.length;
  const ints = (name: string) => vectors[name] as Int32Array;
  const lines: GramLines[] = [];
  for (let arity = firstArity(pairs); vectors[`lineKeys${arity}`] !== undefined; arity++) {
    const parts = gramNames(arity, configuration).map((name) => vectors[name] as Int32Array | Int8Array);
    const grams = arity > 1 ? (parts[0] as Int32Array) : joined(parts);
    const line = { keys: ints(`lineKeys${arity}`), start: ints(`lineStart${arity}`), grams };
    checkLists(line.start, grams, gramsOf(arity, L));
    lines.push(line);
  }
  const model: ChainModel = {
    configuration,
    frequentForms: ints("frequent"),
    space: { pairs, keys: pairs === "all" ? ints("keys") : new Int32Array(0), lines },
    weights: vectors.weights as Int8Array,
    scale: unit,
    gazetteers: gazetteers?.map((one, k) => ({
      ...one,
      keys: ints(`names${k + 1}`),
      first: ints(`first${k + 1}`),
    })),
  };
  if (levels === undefined) return model;
  const [keys, start, labels] = [ints("dictionaryKeys"), ints("dictionaryStart"), ints("dictionaryLabels")];
  checkLists(start, labels, L);
  return { ...model, dictionary: { levels, keys, start, labels } };
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

/**
 * Returns the names of the sections of the label k-grams of an arity: of single labels, sections of their low
 * bytes, and of high ones if needed.
 */
function gramNames(arity: number, { labels }: ChainConfiguration): readonly [string, ...string[]] {
  if (arity > 1) return [`lineGrams${arity}`];
  return labels.length > 2 ** 8 ? ["lineLabels", "lineLabelsHigh"] : ["lineLabels"];
}

/** Returns numbers of which there are the bytes, low ones first. */
function joined(planes: readonly Vector[]): Int32Array {
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

/** Checks lists of ascending integers below a bound, of which `start` has the beginnings and the end. */
function checkLists(start: Int32Array, items: Int32Array, bound: number): void {
  let sound = start[0] === 0 && start.at(-1) === items.length;
  for (let k = 0; k + 1 < start.length && sound; k++) {
    sound = start[k + 1] > start[k];
    for (let j = start[k]; j < start[k + 1] && sound; j++) {
      sound = items[j] >= 0 && items[j] < bound && (j === start[k] || items[j] > items[j - 1]);
    }
  }
  if (!sound) throw new ModelError("damaged tagger file: a list is not ascending");
}
