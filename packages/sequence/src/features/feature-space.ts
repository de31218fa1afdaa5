import { codeOf, extend } from "@arcwise/core/features";
import type { WeightVector } from "@arcwise/learn";
import type { EncodedSequence } from "./attributes.ts";
import type { KeyExtractor } from "./extraction.ts";
import { HashIndex, indexOf, KeyCounter } from "./hash-index.ts";

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
   * small; finding a weight costs a look-up.
   */
  readonly pairs: "all" | "observed";
  /** "all": keys of the input; "observed": those of whole features. */
  readonly keys: Int32Array;
  /** With "all", features of bigrams, and of trigrams, that depend on the input. */
  readonly lines: readonly GramLines[];
}

/** A sequence with its gold labels. */
export interface EncodedExample {
  readonly sequence: EncodedSequence;
  readonly labels: Int32Array;
}

/**
 * Indices of the weights of features in a chain model. The label before the beginning has index `labels`. A
 * k-gram of labels has the code ((a (L + 1) + b) L + c) for labels a, b, c. First come the weights of input
 * keys, one per label; then those of k-grams alone; then those of the k-grams that the input was seen with.
 */
export class FeatureSpace {
  readonly data: FeatureSpaceData;
  readonly labels: number;
  /** Number of weights. */
  readonly dimension: number;
  readonly observed: boolean;
  readonly #index: HashIndex;
  readonly #lines: readonly HashIndex[];
  /** Offset of the weights of k-grams alone, for each template of bigrams, and of trigrams. */
  readonly #constants: readonly (readonly number[])[];
  readonly #lineBase: readonly number[];
  /**
   * With observed pairs: the weights of k-grams alone of the first such template of each arity, if they are
   * few.
   */
  readonly #grams: readonly { readonly key: number; readonly weights: Int32Array }[];

  /** Codes of single labels. */
  readonly #labelCodes: Int32Array;
  /** Scratch memory: keys of pairs, and the candidates of their labels; what `HashIndex.findAll` writes. */
  #pairs = new Int32Array(0);
  #candidates = new Int32Array(0);
  #found = new Int32Array(0);

  /** @throws RangeError when there would be 2^31 weights or more */
  constructor(data: FeatureSpaceData, labels: number, extractor: KeyExtractor) {
    this.data = data;
    this.labels = labels;
    this.observed = data.pairs === "observed";
    this.#index = indexOf(data.keys);
    this.#labelCodes = Int32Array.from({ length: labels }, (_, label) => codeOf(1, label));
    this.#lines = data.lines.map(({ keys }) => indexOf(keys));
    let size = this.observed ? data.keys.length : data.keys.length * labels;
    this.#constants = [1, 2, 3].map((arity) => {
      if (arity === 1 || this.observed) return [];
      return Array.from(extractor.constants(arity), () => {
        const base = size;
        size += gramsOf(arity, labels);
        return base;
      });
    });
    this.#lineBase = data.lines.map(({ grams }) => {
      const base = size;
      size += grams.length;
      return base;
    });
    this.dimension = Math.max(1, size);
    if (this.dimension >= 2 ** 31) {
      throw new RangeError(
        `a model of ${this.dimension} weights is too large; use observed pairs or a cut-off`,
      );
    }
    this.#grams = [1, 2, 3].map((arity) => this.#gramWeights(arity, extractor.constants(arity)[0]));
  }

  #gramWeights(arity: number, key = 0): { readonly key: number; readonly weights: Int32Array } {
    const size = gramsOf(arity, this.labels);
    if (!this.observed || arity === 1 || size > MAX_GRAMS) return { key, weights: new Int32Array(0) };
    const find = (_: unknown, gram: number): number => this.#index.find(pairKey(arity, key, gram));
    return { key, weights: Int32Array.from({ length: size }, find) };
  }

  /**
   * Returns the slot of a key: for single labels the offset of its weights, for k-grams the index of its
   * line; -1 when it has none. With observed pairs the key itself.
   */
  slot(arity: number, key: number): number {
    if (this.observed) return key;
    if (arity > 1) return this.#lines[arity - 2]!.find(key);
    const id = this.#index.find(key);
    return id < 0 ? -1 : id * this.labels;
  }

  /**
   * Writes the slots of several keys that have one, in turn, from `at` on; returns the index after them. As
   * `slot`, in less time.
   */
  slots(arity: number, keys: Int32Array, count: number, into: Int32Array, at: number): number {
    if (this.observed) {
      for (let k = 0; k < count; k++) into[at + k] = keys[k]!;
      return at + count;
    }
    if (this.#found.length < 2 * count) this.#found = new Int32Array(4 * count);
    const found = this.#found;
    const size = (arity > 1 ? this.#lines[arity - 2]! : this.#index).findAll(keys, count, found);
    const weights = arity > 1 ? 1 : this.labels;
    for (let j = 0; j < size; j++) into[at + j] = found[2 * j + 1]! * weights;
    return at + size;
  }

  /**
   * Offsets of the weights of the templates of k-grams alone; the weight of a k-gram is at offset plus code.
   */
  constants(arity: number): readonly number[] {
    return this.#constants[arity - 1]!;
  }

  /** Offset of the weights of the lines of an arity, in the order of `data.lines[arity - 2].grams`. */
  lineBase(arity: number): number {
    return this.#lineBase[arity - 2]!;
  }

  /**
   * With observed pairs: adds the weights of input keys with labels to the scores of these, in the order of
   * the keys. O((to - from) labels) expected.
   *
   * @param keys those from `from` to before `to`
   * @param candidates labels from `first` to before `end`, whose scores have the same positions
   */
  addPairs(
    { keys, from, to }: { readonly keys: Int32Array; readonly from: number; readonly to: number },
    { labels, first, end }: { readonly labels: Int32Array; readonly first: number; readonly end: number },
    weights: WeightVector,
    scores: Float64Array,
  ): void {
    const count = (to - from) * (end - first);
    if (this.#pairs.length < count) {
      this.#pairs = new Int32Array(2 * count);
      this.#candidates = new Int32Array(2 * count);
    }
    if (this.#found.length < 2 * count) this.#found = new Int32Array(4 * count);
    const pairs = this.#pairs;
    const candidates = this.#candidates;
    const codes = this.#labelCodes;
    let p = 0;
    for (let k = from; k < to; k++) {
      const key = keys[k]!;
      for (let c = first; c < end; c++) {
        candidates[p] = c;
        pairs[p++] = extend(key, codes[labels[c]!]!);
      }
    }
    const found = this.#found;
    const size = this.#index.findAll(pairs, count, found);
    for (let j = 0; j < size; j++) scores[candidates[found[2 * j]!]!]! += weights[found[2 * j + 1]!]!;
  }

  /**
   * Returns the index of the weight of a slot with a k-gram of labels, -1 when there is none. O(1) expected;
   * O(log) in a line.
   */
  weight(arity: number, slot: number, gram: number): number {
    if (this.observed) {
      const { key, weights } = this.#grams[arity - 1]!;
      if (slot === key && gram < weights.length) return weights[gram]!;
      return this.#index.find(pairKey(arity, slot, gram));
    }
    if (arity === 1) return slot + gram;
    const { start, grams } = this.data.lines[arity - 2]!;
    let low = start[slot]!;
    let high = start[slot + 1]! - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (grams[middle]! < gram) low = middle + 1;
      else high = middle;
    }
    return low <= high && grams[low] === gram ? this.#lineBase[arity - 2]! + low : -1;
  }
}

/** Returns the number of k-grams of labels, including the label before the beginning. */
export function gramsOf(arity: number, labels: number): number {
  return labels * (labels + 1) ** (arity - 1);
}

function pairKey(arity: number, key: number, gram: number): number {
  return extend(key, codeOf(arity, gram));
}

/** Returns the code of the k-gram that ends at position i. */
export function gramAt(labels: ArrayLike<number>, i: number, arity: number, count: number): number {
  let code = 0;
  for (let j = i - arity + 1; j < i; j++) code = code * (count + 1) + (j < 0 ? count : labels[j]!);
  return code * count + labels[i]!;
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
  if (pairs === "observed") {
    const counter = new KeyCounter();
    for (let arity = 1; arity <= extractor.order; arity++) {
      visitKeys(examples, extractor, arity, labels, (key, gram) => counter.add(pairKey(arity, key, gram)));
    }
    const keys = counter.frequent(minimum);
    return { pairs, keys: inLines(keys, examples, extractor, labels), lines: [] };
  }
  const counter = new KeyCounter();
  visitKeys(examples, extractor, 1, labels, (key) => counter.add(key));
  const lines: GramLines[] = [];
  for (let arity = 2; arity <= extractor.order; arity++) {
    lines.push(collectLines(examples, extractor, arity, labels, minimum));
  }
  return { pairs, keys: counter.frequent(minimum), lines };
}

/** Orders keys of pairs such that those of single labels with the same input key are adjacent. */
function inLines(
  keys: Int32Array,
  examples: readonly EncodedExample[],
  extractor: KeyExtractor,
  labels: number,
): Int32Array {
  const index = indexOf(keys);
  const inputs = new HashIndex();
  const line = new Float64Array(keys.length).fill(Infinity);
  visitKeys(examples, extractor, 1, labels, (key, label) => {
    const pair = index.find(pairKey(1, key, label));
    if (pair >= 0 && line[pair] === Infinity) line[pair] = inputs.add(key) * labels + label;
  });
  const order = Int32Array.from(keys, (_, pair) => pair);
  order.sort((a, b) => (line[a]! === line[b]! ? a - b : line[a]! - line[b]!));
  return order.map((pair) => keys[pair]!);
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
      for (let k = 0; k < end; k++) visit(keys[k]!, gram);
      for (const key of constants) visit(key, gram);
    }
  }
}

function collectLines(
  examples: readonly EncodedExample[],
  extractor: KeyExtractor,
  arity: number,
  labels: number,
  minimum: number,
): GramLines {
  const constants = new Set(extractor.constants(arity));
  const counts = new Map<number, Map<number, number>>();
  visitKeys(examples, extractor, arity, labels, (key, gram) => {
    if (constants.has(key)) return;
    const own = counts.get(key);
    if (own === undefined) counts.set(key, new Map([[gram, 1]]));
    else own.set(gram, (own.get(gram) ?? 0) + 1);
  });
  const keys: number[] = [];
  const start = [0];
  const grams: number[] = [];
  for (const [key, own] of counts) {
    const kept = [...own].filter(([, count]) => count >= minimum).map(([gram]) => gram);
    if (kept.length === 0) continue;
    keys.push(key);
    for (const gram of kept.sort((a, b) => a - b)) grams.push(gram);
    start.push(grams.length);
  }
  return { keys: Int32Array.from(keys), start: Int32Array.from(start), grams: Int32Array.from(grams) };
}
