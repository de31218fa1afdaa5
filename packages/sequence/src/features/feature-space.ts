import { power } from "@arcwise/core/arithmetic";
import { codeOf, extend, mix } from "@arcwise/core/features";
import type { EncodedSequence } from "./attributes.ts";
import type { KeyExtractor } from "./extraction.ts";
import { HashIndex, indexOf, KeyCounter, type KeyIndex } from "./hash-index.ts";

/** Maximum number of k-grams of labels that are looked up once, instead of each time. */
const MAX_GRAMS = 2 ** 18;

/** The k-grams of labels that input keys were seen with. */
export interface GramLines {
  readonly keys: Int32Array;
  /** The k-grams of key j, ascending: `grams[start[j] .. start[j + 1] - 1]`. */
  readonly start: Int32Array;
  readonly grams: Int32Array;
}

/** The features of a model. Plain data. */
export interface FeatureSpaceData {
  /**
   * "all": an input key is a feature with every label, and with every bigram or trigram of labels that it was
   * seen with. "observed": only with labels that it was seen with, which keeps models with hundreds of labels
   * small.
   */
  readonly pairs: "all" | "observed";
  /** With "all", the input keys of features of single labels. */
  readonly keys: Int32Array;
  /**
   * The features that have only the k-grams which they were seen with: with "all", the features of bigrams, and of
   * trigrams, that depend on the input; with "observed", all of single labels, of bigrams and of trigrams.
   */
  readonly lines: readonly GramLines[];
}

/** A sequence with its gold labels. */
export interface EncodedExample {
  readonly sequence: EncodedSequence;
  readonly labels: Int32Array;
}

/** The lines of an arity, with the index of the weight of their first k-gram; the others follow in order. */
export interface WeightLines extends GramLines {
  readonly base: number;
}

/**
 * Indices of the weights of features in a chain model. The label before the beginning has index `labels`. A
 * k-gram of labels has the code ((a (L + 1) + b) L + c) for labels a, b, c. With all pairs, first come the
 * weights of input keys, one per label; then weights of k-grams alone. Then come weights of the k-grams that the
 * input was seen with.
 */
export class FeatureSpace {
  readonly data: FeatureSpaceData;
  readonly labels: number;
  /** Number of weights. */
  readonly dimension: number;
  readonly observed: boolean;
  readonly #index: KeyIndex;
  /** For each arity, the index of the keys of its lines, if it has any. */
  readonly #indices: readonly (KeyIndex | undefined)[];
  readonly #lines: readonly (WeightLines | undefined)[];
  /** Offset of the weights of k-grams alone, for each template of bigrams, and of trigrams. */
  readonly #constants: readonly (readonly number[])[];
  /**
   * With observed pairs: the weights of k-grams alone of the first such template of each arity, if they are
   * few, and its line.
   */
  readonly #grams: readonly { readonly line: number; readonly weights: Int32Array }[];
  /** Scratch memory: what `findAll` of an index writes. */
  #matches = new Int32Array(0);

  constructor(data: FeatureSpaceData, labels: number, extractor: KeyExtractor) {
    this.data = data;
    this.labels = labels;
    this.observed = data.pairs === "observed";
    this.#index = indexOf(data.keys);
    let size = data.keys.length * labels;
    this.#constants = [1, 2, 3].map((arity) => {
      if (arity === 1 || this.observed) return [];
      return Array.from(extractor.constants(arity), () => {
        const base = size;
        size += gramsOf(arity, labels);
        return base;
      });
    });
    const first = firstArity(data.pairs);
    this.#lines = [1, 2, 3].map((arity) => {
      const lines = data.lines[arity - first];
      if (lines === undefined) return undefined;
      const base = size;
      size += lines.grams.length;
      return { ...lines, base };
    });
    this.#indices = this.#lines.map((lines) => lines && indexOf(lines.keys));
    this.dimension = Math.max(1, size);
    if (this.dimension >= 2 ** 31) {
      throw new RangeError(
        `a model of ${this.dimension} weights is too large; use observed pairs or a cut-off`,
      );
    }
    this.#grams = [1, 2, 3].map((arity) => this.#gramWeights(arity, extractor.constants(arity)[0]));
  }

  #gramWeights(arity: number, key = 0): { readonly line: number; readonly weights: Int32Array } {
    const size = gramsOf(arity, this.labels);
    const line = this.observed ? this.slot(arity, key) : -1;
    if (line < 0 || arity === 1 || size > MAX_GRAMS) return { line: -1, weights: new Int32Array(0) };
    const { start, grams, base } = this.lines(arity)!;
    const weights = new Int32Array(size).fill(-1);
    for (let j = start[line]; j < start[line + 1]; j++) weights[grams[j]] = base + j;
    return { line, weights };
  }

  /**
   * Returns the slot of a key: the index of its line where features have only the k-grams which they were
   * seen with, or else the offset of the weights of the labels; -1 when the key lacks weights.
   */
  slot(arity: number, key: number): number {
    const lines = this.#indices[arity - 1];
    if (lines !== undefined) return lines.find(key);
    const id = arity === 1 ? this.#index.find(key) : -1;
    return id < 0 ? -1 : id * this.labels;
  }

  /**
   * Writes the slots of several keys that have one, in turn, from `at` on; returns the index after them. As
   * `slot`, in less time.
   */
  slots(arity: number, keys: Int32Array, count: number, into: Int32Array, at: number): number {
    if (this.#matches.length < 2 * count) this.#matches = new Int32Array(4 * count);
    const matches = this.#matches;
    const lines = this.#indices[arity - 1];
    const size = (lines ?? this.#index).findAll(keys, count, matches);
    const weights = lines === undefined ? this.labels : 1;
    for (let j = 0; j < size; j++) into[at + j] = matches[2 * j + 1] * weights;
    return at + size;
  }

  /**
   * Offsets of the weights of the templates of k-grams alone; the weight of a k-gram is at offset plus code.
   */
  constants(arity: number): readonly number[] {
    return this.#constants[arity - 1];
  }

  /** The lines of the features of an arity that have only the k-grams which they were seen with. */
  lines(arity: number): WeightLines | undefined {
    return this.#lines[arity - 1];
  }

  /**
   * Returns the index of the weight of a slot with a k-gram of labels, -1 if it is missing. O(1), or O(log)
   * in a line.
   */
  weight(arity: number, slot: number, gram: number): number {
    const lines = this.#lines[arity - 1];
    if (lines === undefined) return slot + gram;
    const { line, weights } = this.#grams[arity - 1];
    if (slot === line) return weights[gram];
    const { start, grams, base } = lines;
    let low = start[slot];
    let high = start[slot + 1] - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (grams[middle] < gram) low = middle + 1;
      else high = middle;
    }
    return low <= high && grams[low] === gram ? base + low : -1;
  }
}

/** Returns the lowest arity whose features have only the k-grams which they were seen with. */
export function firstArity(pairs: FeatureSpaceData["pairs"]): 1 | 2 {
  return pairs === "observed" ? 1 : 2;
}

/** Returns the number of k-grams of labels, including the label before the beginning. */
export function gramsOf(arity: number, labels: number): number {
  return labels * power(labels + 1, arity - 1);
}

/** Returns the code of the k-gram that ends at position i. */
export function gramAt(labels: ArrayLike<number>, i: number, arity: number, count: number): number {
  let code = 0;
  for (let j = i - arity + 1; j < i; j++) code = code * (count + 1) + (j < 0 ? count : labels[j]);
  return code * count + labels[i];
}

/**
 * Collects the features of examples. O(pieces of all templates, at all positions).
 *
 * @param minimum features that occur fewer times are left out; with all pairs and single labels, counted over
 *   all labels
 */
export function collectFeatures(
  examples: readonly EncodedExample[],
  extractor: KeyExtractor,
  labels: number,
  { pairs, minimum }: { readonly pairs: "all" | "observed"; readonly minimum: number },
): FeatureSpaceData {
  const counter = new KeyCounter();
  const lines: GramLines[] = [];
  const first = firstArity(pairs);
  for (let arity = first; arity <= extractor.order; arity++) {
    const constants = pairs === "all" ? new Set(extractor.constants(arity)) : undefined;
    const visit = (receive: (key: number, gram: number) => void) =>
      visitKeys(examples, extractor, arity, labels, (key, gram) => {
        if (constants?.has(key) !== true) receive(key, gram);
      });
    if (gramsOf(arity, labels) >= 2 ** 31) {
      throw new RangeError(`${labels} labels are too many for features of ${arity} labels`);
    }
    lines.push(collectLines(visit, arity, minimum));
  }
  if (pairs === "all") visitKeys(examples, extractor, 1, labels, (key) => counter.add(key));
  return { pairs, keys: counter.frequent(minimum), lines };
}

/**
 * Calls `visit` with every key of an arity and its k-gram of gold labels, including constant keys, except for
 * k-grams that have all weights.
 */
export function visitKeys(
  examples: readonly EncodedExample[],
  extractor: KeyExtractor,
  arity: number,
  labels: number,
  visit: (key: number, gram: number) => void,
): void {
  const keys = new Int32Array(extractor.most(arity));
  const constants = extractor.constants(arity);
  for (const { sequence, labels: gold } of examples) {
    for (let i = 0; i < sequence.n; i++) {
      const gram = gramAt(gold, i, arity, labels);
      const end = extractor.extract(arity, sequence, i, keys, 0);
      for (let k = 0; k < end; k++) visit(keys[k], gram);
      for (const key of constants) visit(key, gram);
    }
  }
}

/**
 * Collects the k-grams that keys were seen with: keys in the order of their first occurrence. Memory: 20 to
 * 50 bytes per pair of a key and a k-gram.
 */
function collectLines(
  visit: (receive: (key: number, gram: number) => void) => void,
  arity: number,
  minimum: number,
): GramLines {
  const inputs = new HashIndex();
  const pairs = new HashIndex();
  const lines: number[] = [];
  const grams: number[] = [];
  const counts: number[] = [];
  visit((key, gram) => {
    const line = inputs.add(key);
    let code = extend(key, codeOf(arity, gram));
    let pair = pairs.add(code);
    // Two pairs may share a code: the second one gets another.
    while (pair < grams.length && (lines[pair] !== line || grams[pair] !== gram)) {
      code = mix(code + 1);
      pair = pairs.add(code);
    }
    lines[pair] = line;
    grams[pair] = gram;
    counts[pair] = (counts[pair] ?? 0) + 1;
  });
  const kept = Int32Array.from(grams.keys()).filter((pair) => counts[pair] >= minimum);
  kept.sort((a, b) => lines[a] - lines[b] || grams[a] - grams[b]);
  return linesOf(
    inputs.keys(),
    kept.map((pair) => lines[pair]),
    kept.map((pair) => grams[pair]),
  );
}

/**
 * Makes lines of the k-grams of each pair, which are in order, without keys that lack k-grams.
 *
 * @param line ascending: the index in `keys` of each pair
 */
export function linesOf(keys: Int32Array, line: Int32Array, grams: Int32Array): GramLines {
  const own: number[] = [];
  const start: number[] = [];
  for (let pair = 0; pair < line.length; pair++) {
    if (pair > 0 && line[pair] === line[pair - 1]) continue;
    own.push(keys[line[pair]]);
    start.push(pair);
  }
  start.push(line.length);
  return { keys: Int32Array.from(own), start: Int32Array.from(start), grams };
}
