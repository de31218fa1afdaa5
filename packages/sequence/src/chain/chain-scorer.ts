import type { GradientSink } from "@arcwise/learn";
import type { EncodedSequence } from "../features/attributes.ts";
import type { LabelDictionary } from "../features/dictionary.ts";
import type { KeyExtractor } from "../features/extraction.ts";
import { type FeatureSpace, gramAt } from "../features/feature-space.ts";
import {
  type ChainProblem,
  completeLattice,
  grown,
  grownInts,
  type Lattice,
  tableSize,
} from "../inference/chain-problem.ts";
import { bestCandidates } from "./best-candidates.ts";
import type { PreparedSequence } from "./chain-example.ts";
import { GramTables, tableSizes } from "./gram-tables.ts";
import { type ScorerWeights, scoreAll, scoreCandidates, scoreLines } from "./label-scores.ts";

const NONE = new Float64Array(0);

export interface ScorerOptions {
  /** Whether the weights never change: then tables that sequences share are computed once. */
  readonly frozen?: boolean | undefined;
  /**
   * Pairs of labels that may not be adjacent: 1 at `before * labels + label`, with before = labels at the
   * beginning.
   */
  readonly forbidden?: Uint8Array | undefined;
  /**
   * Number of candidates of a word that the dictionary does not know: the first labels, which are the most
   * frequent ones. Default: all.
   */
  readonly unknown?: number | undefined;
}

/** Options of `ChainScorer.prepare`. */
export interface PrepareOptions {
  /** Labels that are always candidates. */
  readonly gold?: ArrayLike<number> | undefined;
  /** The label of each position, -1 where it is not known. */
  readonly known?: ArrayLike<number> | undefined;
  /**
   * Whether to leave out features of the only candidate of a position: all labellings score by them alike,
   * so that the best one does not depend on them. Default: false.
   */
  readonly choicesOnly?: boolean | undefined;
}

/** Receives entries one by one. */
export type EntrySink = Pick<GradientSink, "add">;

/** Receiver of the features of labels, and the value that is added for each. */
export interface FeatureChange {
  readonly into: EntrySink;
  readonly scale: number;
}

/** Options of `ChainScorer.score`. */
export interface ScoreOptions {
  /** Unit of the weights. Default: 1. */
  readonly scale?: number | undefined;
  /**
   * Where a dictionary gives a position more candidates than this, only those that score most by themselves
   * remain. Default: Infinity.
   */
  readonly most?: number | undefined;
}

/**
 * Scores the candidates and k-grams of sequences by the weights of their features. The problem is scratch
 * memory.
 */
export class ChainScorer {
  readonly space: FeatureSpace;
  readonly extractor: KeyExtractor;
  readonly order: 1 | 2 | 3;
  readonly #options: ScorerOptions;
  readonly #dictionary: LabelDictionary | undefined;
  readonly #constants: readonly Int32Array[];
  readonly #keys: Int32Array;
  #scores = new Float64Array(0);
  #table = new Int32Array(0);
  /** Number of candidates of a word that the dictionary does not know. */
  readonly #unknown: number;
  readonly #places: Int32Array;
  /** The tables of k-grams; undefined for order 1. */
  readonly tables: GramTables | undefined;
  /** Number of entries of shared tables that are up to date. */
  #ready = 0;

  constructor(
    space: FeatureSpace,
    extractor: KeyExtractor,
    dictionary?: LabelDictionary,
    options: ScorerOptions = {},
  ) {
    this.space = space;
    this.extractor = extractor;
    this.#options = options;
    this.#dictionary = dictionary;
    this.order = options.forbidden === undefined ? extractor.order : (Math.max(2, extractor.order) as 2 | 3);
    this.#constants = [1, 2, 3].map((arity) => this.#constantSlots(arity));
    this.#keys = new Int32Array(Math.max(1, ...[1, 2, 3].map((arity) => extractor.most(arity))));
    this.#unknown = Math.min(options.unknown ?? space.labels, space.labels);
    this.#places = new Int32Array(space.labels).fill(-1);
    if (this.order > 1) this.tables = new GramTables(space, this.order as 2 | 3, options.forbidden);
  }

  /** Slots that every position has. K-grams alone do not need slots if each has a weight. */
  #constantSlots(arity: number): Int32Array {
    if (arity > 1 && !this.space.observed) return new Int32Array(0);
    const slots = this.extractor.constants(arity).map((key) => this.space.slot(arity, key));
    return slots.filter((slot) => slot >= 0);
  }

  /**
   * Looks up the features of a sequence. O(its pieces).
   *
   * @param options labels that are candidates, and whether scores of positions that have only one matter
   */
  prepare(sequence: EncodedSequence, { gold, known, choicesOnly }: PrepareOptions = {}): PreparedSequence {
    const { n } = sequence;
    const { order } = this.extractor;
    const complete = this.#dictionary === undefined && known === undefined;
    const lattice = complete
      ? completeLattice(n, this.space.labels)
      : this.#candidates(sequence, gold, known);
    const choices = choicesOnly && !complete ? lattice : undefined;
    const features = Array.from({ length: order }, (_, k) =>
      this.#lookUp(sequence, k + 1, k === 0 ? choices : undefined),
    );
    return { n, lattice, complete, features };
  }

  /** @param choices leaves out positions that have one candidate there */
  #lookUp(
    sequence: EncodedSequence,
    arity: number,
    choices: Lattice | undefined,
  ): { start: Int32Array; slots: Int32Array } {
    const { n } = sequence;
    const keys = this.#keys;
    const constants = this.#constants[arity - 1];
    const start = new Int32Array(n + 1);
    const slots = new Int32Array(n * (this.extractor.most(arity) + constants.length));
    let end = 0;
    for (let i = 0; i < n; i++) {
      if (choices !== undefined && choices.start[i + 1] - choices.start[i] === 1) {
        start[i + 1] = end;
        continue;
      }
      const count = this.extractor.extract(arity, sequence, i, keys, 0);
      end = this.space.slots(arity, keys, count, slots, end);
      for (let k = 0; k < constants.length; k++) slots[end++] = constants[k];
      start[i + 1] = end;
    }
    return { start, slots: end === slots.length ? slots : slots.slice(0, end) };
  }

  #candidates(sequence: EncodedSequence, gold?: ArrayLike<number>, known?: ArrayLike<number>): Lattice {
    const { n } = sequence;
    const start = new Int32Array(n + 1);
    const labels: number[] = [];
    for (let i = 0; i < n; i++) {
      const forced = known?.[i] ?? -1;
      if (forced >= 0) labels.push(forced);
      else this.#addCandidates(sequence, i, labels, gold?.[i]);
      start[i + 1] = labels.length;
    }
    return { n, start, labels: Int32Array.from(labels) };
  }

  /**
   * Adds the candidates of a position to a list.
   *
   * @param gold a label that is one of them, whatever the dictionary says; -1 without one
   */
  #addCandidates(sequence: EncodedSequence, i: number, to: number[], gold = -1): void {
    const entry = this.#dictionary?.find(sequence, i) ?? -1;
    if (entry < 0) {
      for (let label = 0; label < this.#unknown; label++) to.push(label);
      return;
    }
    const { start, labels } = this.#dictionary!.data;
    let extra = gold;
    for (let k = start[entry]; k < start[entry + 1]; k++) {
      if (extra >= 0 && extra <= labels[k]) {
        if (extra < labels[k]) to.push(extra);
        extra = -1;
      }
      to.push(labels[k]);
    }
    if (extra >= 0) to.push(extra);
  }

  /**
   * Returns the scored problem: scratch memory, valid until the next call. O(n (features + C^order) C).
   */
  score(
    prepared: PreparedSequence,
    values: ScorerWeights["values"],
    { scale = 1, most = Infinity }: ScoreOptions = {},
  ): ChainProblem {
    const weights = { values, scale };
    this.#scoreLabels(prepared, weights);
    if (prepared.complete || this.order === 1) return this.#withGrams(prepared, weights);
    const lattice = bestCandidates(prepared.lattice, this.#scores, most);
    return this.#withGrams({ ...prepared, lattice }, weights);
  }

  #scoreLabels(prepared: PreparedSequence, { values, scale }: ScorerWeights): void {
    const { n, lattice } = prepared;
    const end = lattice.start[n];
    this.#scores = grown(this.#scores, end);
    const scores = this.#scores;
    scores.fill(0, 0, end);
    const lines = this.space.lines(1);
    if (lines !== undefined) scoreLines(prepared, values, scores, { lines, places: this.#places });
    else if (prepared.complete) scoreAll(prepared, values, scores, this.space.labels);
    else scoreCandidates(prepared, values, scores);
    if (scale !== 1) for (let c = 0; c < end; c++) scores[c] *= scale;
  }

  /** Returns the problem of the scores of labels and of k-grams. */
  #withGrams(prepared: PreparedSequence, weights: ScorerWeights): ChainProblem {
    const { n, lattice } = prepared;
    this.#table = grownInts(this.#table, n);
    if (this.order > 1) this.#scoreGrams(prepared, weights);
    else this.#table.fill(-1, 0, n);
    return {
      order: this.order,
      lattice,
      scores: this.#scores,
      grams: this.tables?.grams ?? NONE,
      table: this.#table,
    };
  }

  /** Returns whether positions further from the beginning than the order share a table. */
  shares({ complete }: PreparedSequence): boolean {
    return complete && this.extractor.most(2) === 0 && this.extractor.most(3) === 0;
  }

  #scoreGrams(prepared: PreparedSequence, weights: ScorerWeights): void {
    const { n, lattice, complete } = prepared;
    const { order } = this;
    const tables = this.tables!;
    const shares = this.shares(prepared);
    const first = Math.min(n, order);
    const size = shares ? 0 : tableSizes(order, lattice.start, n);
    // With complete lattices the tables without input come first, and do not change while the weights do not:
    // their offsets are the same for any length of the sequence.
    const L = this.space.labels;
    const common =
      complete && (shares || !this.space.observed) ? L + L * L + (order === 3 ? L * L * L : 0) : 0;
    const lost = tables.reserve(common + size);
    if (lost || this.#options.frozen !== true) this.#ready = 0;
    if (common > 0) this.#fillCommon(prepared, weights, first);
    let at = shares ? 0 : common;
    for (let i = 0; i < n; i++) {
      this.#table[i] = shares && i >= order ? this.#table[i - 1] : at;
      if (shares && i >= order) continue;
      if (!shares) this.#fillOwn(prepared, i, weights, at, common > 0);
      at += tableSize(order, lattice.start, i);
    }
  }

  /** Fills the table of a position that is not shared, or copies it from the common tables. */
  #fillOwn(prepared: PreparedSequence, i: number, weights: ScorerWeights, at: number, isCopy: boolean): void {
    const tables = this.tables!;
    if (isCopy) {
      const { start } = prepared.lattice;
      const from = tableSizes(this.order, start, Math.min(i, this.order - 1));
      tables.grams.copyWithin(at, from, from + tableSize(this.order, start, i));
    } else tables.fill(prepared, i, weights, at);
    if (!this.space.observed && prepared.features.length > 1) tables.addLines(prepared, i, weights, at);
  }

  /** Fills the tables of the first positions without the features of the input. */
  #fillCommon(prepared: PreparedSequence, weights: ScorerWeights, first: number): void {
    let at = 0;
    for (let i = 0; i < first; i++) {
      const end = at + tableSize(this.order, prepared.lattice.start, i);
      if (end > this.#ready) this.tables!.fill(prepared, i, weights, at);
      at = end;
    }
    if (this.#options.frozen === true && at > this.#ready) this.#ready = at;
  }

  /**
   * Adds the features of position i with the k-grams of labels that end there, from an arity on.
   * O(templates).
   */
  addFeatures(
    { features }: PreparedSequence,
    i: number,
    labels: ArrayLike<number>,
    change: FeatureChange,
    fromArity = 1,
  ): void {
    for (let arity = fromArity; arity <= features.length; arity++) {
      const gram = gramAt(labels, i, arity, this.space.labels);
      for (const base of this.space.constants(arity)) change.into.add(base + gram, change.scale);
      this.addGram(features[arity - 1], arity, i, gram, change);
    }
  }

  /** Adds the features of position i that depend on the input, with one k-gram. */
  addGram(
    { start, slots }: PreparedSequence["features"][number],
    arity: number,
    i: number,
    gram: number,
    { into, scale }: FeatureChange,
  ): void {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const weight = this.space.weight(arity, slots[k], gram);
      if (weight >= 0) into.add(weight, scale);
    }
  }
}
