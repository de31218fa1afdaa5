import type { DependencyGraph, GraphEdge, Sentence, SparseVector } from "@arcwise/core";
import type { QuantizedWeights } from "@arcwise/core/container";
import {
  type ArcFeatures,
  arcFeatures,
  codeOf,
  type EncodedSentence,
  hashString,
  SyntaxFeatures,
  type SyntaxInput,
} from "@arcwise/core/features";
import { WordAndTreeFeatures } from "./graph-features.ts";
import type { GraphWeights } from "./graph-part-scoring.ts";

/** The templates and the table size of the features of senses. Plain data. */
export interface SenseConfiguration {
  /** Templates of the predicate h alone. */
  readonly predicates: readonly string[];
  /** Templates of the predicate and a word near it, or an argument. */
  readonly pairs: readonly string[];
  /**
   * Templates of the basic tree: of the predicate alone, and with each of its dependents; absent without
   * trees.
   */
  readonly syntax?: { readonly predicates: readonly string[]; readonly pairs: readonly string[] } | undefined;
  /** The table has 2^bits weights. */
  readonly bits: number;
}

/** The senses that predicates may have. Plain data. */
export interface SenseInventory {
  /** Each lemma of a predicate of the training graphs, with its senses, most frequent first. */
  readonly lemmas: readonly (readonly [lemma: string, ...senses: string[]])[];
  /** The sense of a lemma that is not in `lemmas`; `*` stands for the lemma: `*.01`. */
  readonly pattern: string;
}

/** A classifier of senses: the senses it chooses from, its features, and its weights. */
export interface SenseModel {
  readonly inventory: SenseInventory;
  readonly configuration: SenseConfiguration;
  readonly weights: QuantizedWeights;
}

/** A sentence with the data by which its predicates are classified. */
export interface SenseInput {
  readonly words: Sentence;
  readonly sentence: EncodedSentence;
  readonly syntax?: SyntaxInput | undefined;
  /** The edges of its graph. */
  readonly edges: readonly GraphEdge[];
}

/** The senses of a lemma, and a code of each. */
interface Candidates {
  readonly senses: readonly string[];
  readonly codes: Int32Array;
}

/** Number of words on each side of a predicate that are paired with it. */
const WINDOW = 5;
const SPREAD = 0x9e3779b1;
/** Seeds of codes: of labels of arguments, of senses, and of senses by their rank in frequency. */
const SEED = { label: 231, sense: 232, rank: 233 };
const MAX_RANK = 3;

/** Returns the lemma of a word, by which its senses are listed: its lower-case form if the lemma is absent. */
export function senseLemma({ form, lemma = form.toLowerCase() }: Sentence[number]): string {
  return lemma;
}

/** Lists the senses of graphs. O(predicates). */
export function senseInventory(
  examples: Iterable<{ readonly sentence: Sentence; readonly graph: Pick<DependencyGraph, "predicates"> }>,
): SenseInventory {
  const counts = new Map<string, Map<string, number>>();
  const patterns = new Map<string, number>();
  for (const { sentence, graph } of examples) {
    for (const { position, sense } of graph.predicates) {
      const lemma = senseLemma(sentence[position - 1]);
      const senseCounts = counts.get(lemma) ?? new Map<string, number>();
      counts.set(lemma, increment(senseCounts, sense));
      increment(patterns, sense.startsWith(lemma) ? `*${sense.slice(lemma.length)}` : sense);
    }
  }
  return {
    lemmas: [...counts].map(([lemma, senses]) => [lemma, ...byFrequency(senses)]),
    pattern: byFrequency(patterns)[0] ?? "",
  };
}

function increment(counts: Map<string, number>, key: string): Map<string, number> {
  return counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Keys by descending count; of equals, the one that came first. */
function byFrequency(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key);
}

/**
 * Chooses the sense of a predicate among the senses of its lemma: a log-linear model of the words around it,
 * its arguments, and its place in the basic tree (maximum entropy; Hajič et al. 2009 describe the task). One
 * instance holds the scratch memory.
 */
export class SenseScorer {
  readonly #candidates: ReadonlyMap<string, Candidates>;
  readonly #pattern: string;
  readonly #alone: WordAndTreeFeatures;
  readonly #pairs: ArcFeatures;
  /** Features of the predicate and each of its dependents. */
  readonly #dependents: SyntaxFeatures | undefined;
  readonly #shift: number;
  #input!: SenseInput;
  #children: readonly number[][] = [];
  #codes = new Int32Array(1024);

  constructor({ lemmas, pattern }: SenseInventory, { predicates, pairs, syntax, bits }: SenseConfiguration) {
    this.#candidates = new Map(
      lemmas.map(([lemma, ...senses]) => [
        lemma,
        { senses, codes: Int32Array.from(senses, (sense) => hashString(sense, SEED.sense)) },
      ]),
    );
    this.#pattern = pattern;
    // Tables of 2^32 lines of one entry: offsets are the hashed features themselves.
    this.#alone = new WordAndTreeFeatures(predicates, syntax?.predicates, 32, 1);
    this.#pairs = arcFeatures(pairs, 32, 1);
    this.#dependents = syntax && new SyntaxFeatures(syntax.pairs, 32, 1);
    this.#shift = 32 - bits;
  }

  /** Takes the sentence that the other methods speak of until the next call. O(n templates). */
  prepare(input: SenseInput): void {
    const { sentence, syntax } = input;
    this.#input = input;
    this.#alone.tree = syntax;
    this.#alone.prepare(sentence);
    this.#pairs.prepare(sentence);
    if (this.#dependents === undefined || syntax === undefined) return;
    this.#dependents.prepare(sentence, syntax);
    const children: number[][] = Array.from({ length: sentence.n + 1 }, () => []);
    for (let w = 1; w <= sentence.n; w++) children[syntax.heads[w]!].push(w);
    this.#children = children;
  }

  /** The senses that a word may have as a predicate: one or more. */
  candidates(position: number): readonly string[] {
    const lemma = senseLemma(this.#input.words[position - 1]);
    return this.#candidates.get(lemma)?.senses ?? [this.#pattern.replace("*", () => lemma)];
  }

  /** The sense of highest score; of several, the more frequent one. O(features · senses). */
  best(position: number, weights: GraphWeights): string {
    const senses = this.candidates(position);
    if (senses.length === 1) return senses[0];
    const scores = this.scores(position, weights);
    return senses[scores.indexOf(scores.reduce((a, b) => Math.max(a, b)))];
  }

  /** The scores of the candidates of a predicate whose lemma is known. O(features · candidates). */
  scores(position: number, { values, scale }: GraphWeights): Float64Array {
    const count = this.#features(position);
    const features = this.#codes;
    return Float64Array.from(this.#codesOf(position), (code, rank) => {
      let sum = values[this.#weight(rankCode(rank))];
      for (let k = 0; k < count; k++) sum += values[this.#weight(features[k] ^ code)];
      return scale * sum;
    });
  }

  /** Adds an amount of the features of each candidate. O(features · candidates). */
  addFeatures(position: number, amounts: ArrayLike<number>, into: SparseVector): void {
    const count = this.#features(position);
    const features = this.#codes;
    for (const [rank, code] of this.#codesOf(position).entries()) {
      const amount = amounts[rank];
      if (amount === 0) continue;
      into.add(this.#weight(rankCode(rank)), amount);
      for (let k = 0; k < count; k++) into.add(this.#weight(features[k] ^ code), amount);
    }
  }

  #codesOf(position: number): Int32Array {
    const lemma = senseLemma(this.#input.words[position - 1]);
    return this.#candidates.get(lemma)?.codes ?? new Int32Array(0);
  }

  #weight(code: number): number {
    return Math.imul(code, SPREAD) >>> this.#shift;
  }

  /** Writes the codes of the features of a predicate; returns their number. */
  #features(position: number): number {
    const { sentence, edges } = this.#input;
    const args = edges.filter(({ head }) => head === position);
    this.#reserve(args.length + this.#children.length);
    const codes = this.#codes;
    let count = this.#alone.word(position, codes);
    const last = Math.min(sentence.n, position + WINDOW);
    for (let w = Math.max(1, position - WINDOW); w <= last; w++) {
      if (w !== position) count = this.#addPair(position, w, 0, count);
    }
    for (const { modifier, label } of args) {
      const code = hashString(label, SEED.label);
      codes[count++] = code;
      count = this.#addPair(position, modifier, code, count);
    }
    for (const child of this.#children[position] ?? [])
      count = this.#dependents!.lines(position, child, codes, count);
    return count;
  }

  /** Codes of the pair of a predicate and a word; the code of its label, 0 for none, is joined. */
  #addPair(position: number, word: number, label: number, from: number): number {
    const codes = this.#codes;
    const written = this.#pairs.arc(position, word, codes.subarray(from));
    if (label !== 0)
      for (let k = from; k < from + written; k++) codes[k] = Math.imul(codes[k] ^ label, SPREAD);
    return from + written;
  }

  #reserve(pairs: number): void {
    const width = this.#pairs.capacity + 1 + (this.#dependents?.width ?? 0);
    const size = this.#alone.capacity + (2 * WINDOW + pairs) * width;
    if (this.#codes.length < size) this.#codes = new Int32Array(2 * size);
  }
}

function rankCode(rank: number): number {
  return codeOf(SEED.rank, Math.min(rank, MAX_RANK));
}
