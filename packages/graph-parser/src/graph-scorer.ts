import type { Arcs, ChainKind, GraphChoice, GraphProblem, PairKind, SparseVector } from "@arcwise/core";
import {
  type EncodedSentence,
  lineLength,
  type SyntaxInput,
  type Template,
  type WeightTable,
} from "@arcwise/core/features";
import { ArcScorer, type LabelFilter } from "@arcwise/parser/shared";
import { WordAndTreeFeatures } from "./graph-features.ts";
import { type GraphWeights, PartScoring } from "./graph-part-scoring.ts";

/** Kinds of parts of graphs, with the templates of each. */
export type GraphPartTemplates = Readonly<Partial<Record<PairKind | ChainKind, readonly Template[]>>>;

/** The features of graphs. Plain data. */
export interface GraphFeatureConfiguration {
  readonly arcs: readonly Template[];
  readonly predicates: readonly Template[];
  readonly parts: GraphPartTemplates;
  /** Templates of the basic tree; absent: sentences lack trees. */
  readonly syntax?:
    | { readonly arcs: readonly Template[]; readonly predicates: readonly Template[] }
    | undefined;
  /** Tables have 2^bits lines of arcs, and 2^bits weights of predicates and of parts of each kind. */
  readonly arcBits: number;
  readonly predicateBits: number;
  readonly partBits: number;
  /**
   * Whether words are predicates by a score of their own. Otherwise a word is one where it has an arc of
   * positive score.
   */
  readonly scorePredicates: boolean;
}

/** A sentence as the input of the graph scorer. */
export interface GraphInput {
  readonly sentence: EncodedSentence;
  readonly syntax?: SyntaxInput | undefined;
}

/**
 * Scores candidate arcs with all their labels, predicates, and parts of two arcs by sparse features. One
 * instance serves one sentence at a time and owns the scratch memory.
 */
export class GraphScorer {
  /** Number of weights. */
  readonly dimension: number;
  /** Whether words are predicates by a score of their own. */
  readonly scoresPredicates: boolean;
  readonly #unique: Uint8Array;
  readonly #arcs: ArcScorer;
  readonly #arcFeatures: WordAndTreeFeatures;
  readonly #predicates: WordAndTreeFeatures;
  readonly #parts: readonly PartScoring[];
  readonly #firstPredicate: number;
  #sentence!: EncodedSentence;
  /** The weights of arcs in the weights that were used last. */
  #table: WeightTable | undefined;
  #weights: GraphWeights | undefined;
  #lines = new Int32Array(0);

  /** @param unique one entry per label: 1 where a predicate has at most one arc of it */
  constructor(configuration: GraphFeatureConfiguration, filter: LabelFilter, unique: Uint8Array) {
    const { arcs, predicates, parts, syntax, arcBits, predicateBits, partBits } = configuration;
    const length = lineLength(unique.length);
    this.scoresPredicates = configuration.scorePredicates;
    this.#unique = unique;
    this.#arcFeatures = new WordAndTreeFeatures(arcs, syntax?.arcs, arcBits, length);
    this.#predicates = new WordAndTreeFeatures(predicates, syntax?.predicates, predicateBits, 1);
    this.#arcs = new ArcScorer(this.#arcFeatures, unique.length, filter);
    this.#firstPredicate = length * 2 ** arcBits;
    let first = this.#firstPredicate + 2 ** predicateBits;
    this.#parts = Object.entries(parts).map(([kind, templates]) => {
      const scoring = new PartScoring(kind as PairKind | ChainKind, templates, partBits, first);
      first += 2 ** partBits;
      return scoring;
    });
    this.dimension = first;
  }

  /**
   * Returns the problem of a sentence with candidate arcs. Its arrays are not shared. O(arcs · templates · allowed
   * labels + parts · templates).
   *
   * @param options `basic`: without parts of several arcs and unique labels
   */
  score(
    { sentence, syntax }: GraphInput,
    arcs: Arcs,
    weights: GraphWeights,
    { basic = false } = {},
  ): GraphProblem {
    this.#sentence = sentence;
    this.#arcFeatures.tree = syntax;
    this.#predicates.tree = syntax;
    this.#predicates.prepare(sentence);
    for (const part of this.#parts) part.prepare(sentence);
    const { arcScores, ...labels } = this.#arcs.scoreAll(sentence, arcs, this.#tableOf(weights));
    return {
      arcs,
      arcScores,
      predicateScores: this.#scorePredicates(sentence.n, weights),
      labels: { count: this.#unique.length, ...labels },
      unique: basic ? this.#unique.map(() => 0) : this.#unique,
      parts: basic ? [] : this.#parts.map((part) => part.score(arcs, weights)),
    };
  }

  /** Returns the weights of arcs: the same object for the same weights, of which scorers keep a copy. */
  #tableOf(weights: GraphWeights): WeightTable {
    if (this.#table === undefined || this.#weights?.values !== weights.values) {
      const { values, scale } = weights;
      this.#table = { values: values.subarray(0, this.#firstPredicate), first: 0, scale };
      this.#weights = weights;
    }
    return this.#table;
  }

  #scorePredicates(n: number, { values, scale }: GraphWeights): Float64Array {
    const scores = new Float64Array(n + 1);
    if (!this.scoresPredicates) return scores;
    for (let w = 1; w <= n; w++) {
      let sum = 0;
      for (const line of this.#predicateLines(w)) sum += values[this.#firstPredicate + line];
      scores[w] = scale * sum;
    }
    return scores;
  }

  #predicateLines(w: number): Int32Array {
    const { capacity } = this.#predicates;
    if (this.#lines.length < capacity) this.#lines = new Int32Array(2 * capacity);
    return this.#lines.subarray(0, this.#predicates.word(w, this.#lines));
  }

  /**
   * Adds to `into` the features of one graph less the features of another, over the candidates of the last
   * scored sentence. O(arcs that differ · templates + parts).
   */
  addDifference(problem: GraphProblem, plus: GraphChoice, minus: GraphChoice, into: SparseVector): void {
    const { arcs, labels, parts } = problem;
    const features = this.#arcs.features(this.#sentence);
    for (let a = 0; a < arcs.head.length; a++) {
      const [gained, lost] = [plus.labelled[a], minus.labelled[a]!];
      if (gained === lost) continue;
      const [h, m] = [arcs.head[a], arcs.modifier[a]!];
      const both = gained >= 0 && lost >= 0;
      const add = both ? features.addLabelFeatures : features.addFeatures;
      if (gained >= 0) add(h, m, labels.label[gained], 1, into);
      if (lost >= 0) add(h, m, labels.label[lost], -1, into);
    }
    for (let w = 1; w <= arcs.n && this.scoresPredicates; w++) {
      const sign = plus.predicates[w] - minus.predicates[w];
      if (sign === 0) continue;
      for (const line of this.#predicateLines(w)) into.add(this.#firstPredicate + line, sign);
    }
    for (const [k, table] of parts.entries()) this.#parts[k].addDifference(arcs, table, plus, minus, into);
  }
}
