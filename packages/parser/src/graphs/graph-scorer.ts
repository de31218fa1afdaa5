import type { Arcs, ChainKind, GraphChoice, GraphProblem, PairKind, SparseVector } from "@arcwise/core";
import {
  type ArcFeatures,
  arcFeatures,
  DISTANCES,
  type EncodedSentence,
  lineLength,
  SyntaxFeatures,
  type SyntaxInput,
  type Template,
} from "@arcwise/core/features";
import { type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";
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

/** First entry of the label weights in a line. */
const FIRST_LABEL = 1 + DISTANCES;

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
  readonly #configuration: GraphFeatureConfiguration;
  readonly #filter: LabelFilter;
  readonly #unique: Uint8Array;
  readonly #labels: number;
  readonly #length: number;
  readonly #features: ArcFeatures;
  readonly #predicates: ArcFeatures;
  readonly #syntax: SyntaxFeatures | undefined;
  readonly #predicateSyntax: SyntaxFeatures | undefined;
  readonly #parts: readonly PartScoring[];
  readonly #firstPredicate: number;
  #lines = new Int32Array(2048);
  /** Lines of each word alone by role, and the sums of their entries. */
  #alone = new Float64Array(0);
  #sums = new Float64Array(0);

  /** @param unique one entry per label: 1 where a predicate has at most one arc of it */
  constructor(configuration: GraphFeatureConfiguration, filter: LabelFilter, unique: Uint8Array) {
    const { arcs, predicates, parts, syntax, arcBits, predicateBits, partBits } = configuration;
    this.#configuration = configuration;
    this.#filter = filter;
    this.#unique = unique;
    this.#labels = unique.length;
    this.#length = lineLength(unique.length);
    this.#features = arcFeatures(arcs, arcBits, this.#length);
    this.#predicates = arcFeatures(predicates, predicateBits, 1);
    this.#syntax = syntax && new SyntaxFeatures(syntax.arcs, arcBits, this.#length);
    this.#predicateSyntax = syntax && new SyntaxFeatures(syntax.predicates, predicateBits, 1);
    this.#firstPredicate = this.#length * 2 ** arcBits;
    let first = this.#firstPredicate + 2 ** predicateBits;
    this.#parts = Object.entries(parts).map(([kind, templates]) => {
      const scoring = new PartScoring(kind as PairKind | ChainKind, templates, partBits, first);
      first += 2 ** partBits;
      return scoring;
    });
    this.dimension = first;
  }

  /** Whether words are predicates by a score of their own. */
  get scoresPredicates(): boolean {
    return this.#configuration.scorePredicates;
  }

  /** The problem of a sentence without words. */
  emptyProblem(): GraphProblem {
    const arcs = { n: 0, start: new Int32Array(2), head: new Int32Array(0), modifier: new Int32Array(0) };
    const weights = { values: new Float32Array(0), scale: 1 };
    return {
      arcs,
      arcScores: new Float64Array(0),
      predicateScores: new Float64Array(1),
      labels: {
        count: this.#labels,
        start: new Int32Array(1),
        label: new Int32Array(0),
        scores: new Float64Array(0),
      },
      unique: this.#unique,
      parts: this.#parts.map((part) => part.score(0, arcs, weights)),
    };
  }

  /**
   * Returns the problem of a sentence with candidate arcs. Its arrays are not shared. O(n · entries of a line
   * · templates + arcs · templates · allowed labels + parts · templates).
   *
   * @param options `basic`: without parts of several arcs and unique labels
   */
  score(input: GraphInput, arcs: Arcs, weights: GraphWeights, { basic = false } = {}): GraphProblem {
    this.#prepare(input);
    const { tag, n } = input.sentence;
    const { values, scale } = weights;
    this.#sumAlone(n, arcs, values);
    const count = arcs.head.length;
    const start = new Int32Array(count + 1);
    for (let a = 0; a < count; a++) {
      const pair = tag[arcs.head[a]!]! * TAGS + tag[arcs.modifier[a]!]!;
      start[a + 1] = start[a]! + this.#filter.start[pair + 1]! - this.#filter.start[pair]!;
    }
    const label = new Int32Array(start[count]!);
    const scores = new Float64Array(start[count]!);
    const arcScores = new Float64Array(count);
    for (let a = 0; a < count; a++) {
      const h = arcs.head[a]!;
      const m = arcs.modifier[a]!;
      const from = this.#filter.start[tag[h]! * TAGS + tag[m]!]!;
      const size = start[a + 1]! - start[a]!;
      for (let k = 0; k < size; k++) label[start[a]! + k] = this.#filter.list[from + k]!;
      arcScores[a] = scale * this.#scoreArc(h, m, values, from, size);
      for (let k = 0; k < size; k++) scores[start[a]! + k] = scale * this.#sums[k]!;
    }
    return {
      arcs,
      arcScores,
      predicateScores: this.#scorePredicates(n, values, scale),
      labels: { count: this.#labels, start, label, scores },
      unique: basic ? this.#unique.map(() => 0) : this.#unique,
      parts: basic ? [] : this.#parts.map((part) => part.score(n, arcs, weights)),
    };
  }

  /** Codes the contexts of the sentence for the other methods. */
  #prepare({ sentence, syntax }: GraphInput): void {
    this.#features.prepare(sentence);
    this.#predicates.prepare(sentence);
    if (this.#syntax !== undefined) {
      if (syntax === undefined)
        throw new RangeError("expected a basic tree, with which the model was trained; got none");
      this.#syntax.prepare(sentence, syntax);
      this.#predicateSyntax!.prepare(sentence, syntax);
    }
    for (const part of this.#parts) part.prepare(sentence);
    const capacity = 3 * Math.max(this.#features.capacity, this.#predicates.capacity) + 256;
    if (this.#lines.length < capacity) this.#lines = new Int32Array(2 * capacity);
    if (this.#sums.length < this.#length) this.#sums = new Float64Array(this.#length);
  }

  /**
   * Sums the lines of each word alone, entry by entry: role `4 w + 2 (modifier) + right` at `role · length`.
   */
  #sumAlone(n: number, { head, modifier }: Arcs, values: GraphWeights["values"]): void {
    const length = this.#length;
    const places = FIRST_LABEL + this.#labels;
    const roles = 4 * (n + 1);
    if (this.#alone.length < roles * length) this.#alone = new Float64Array(2 * roles * length);
    const used = new Uint8Array(roles);
    for (let a = 0; a < head.length; a++) {
      const right = head[a]! < modifier[a]! ? 1 : 0;
      used[4 * head[a]! + right] = 1;
      used[4 * modifier[a]! + 2 + right] = 1;
    }
    const lines = this.#lines;
    for (let role = 0; role < roles; role++) {
      if (used[role] === 0) continue;
      const at = role * length;
      this.#alone.fill(0, at, at + places);
      const count = this.#aloneLines(role, lines);
      for (let k = 0; k < count; k++) {
        const line = lines[k]!;
        for (let place = 0; place < places; place++) this.#alone[at + place]! += values[line + place]!;
      }
    }
  }

  #aloneLines(role: number, lines: Int32Array): number {
    const word = role >> 2;
    const right = (role & 1) === 1;
    return (role & 2) === 0
      ? this.#features.head(word, right, lines)
      : this.#features.modifier(word, right, lines);
  }

  /** Returns the score of an arc; writes the scores of the labels `list[from ..]` to `#sums`. */
  #scoreArc(h: number, m: number, values: GraphWeights["values"], from: number, size: number): number {
    const lines = this.#lines;
    const sums = this.#sums;
    const list = this.#filter.list;
    const bucket = bucketOf(h, m);
    const right = h < m ? 1 : 0;
    const alone = this.#alone;
    const head = (4 * h + right) * this.#length;
    const modifier = (4 * m + 2 + right) * this.#length;
    let score = alone[head]! + alone[head + bucket]! + alone[modifier]! + alone[modifier + bucket]!;
    for (let k = 0; k < size; k++) {
      const place = FIRST_LABEL + list[from + k]!;
      sums[k] = alone[head + place]! + alone[modifier + place]!;
    }
    const count = this.#pairLines(h, m, lines);
    for (let l = 0; l < count; l++) {
      const line = lines[l]!;
      score += values[line]! + values[line + bucket]!;
      const labels = line + FIRST_LABEL;
      for (let k = 0; k < size; k++) sums[k]! += values[labels + list[from + k]!]!;
    }
    return score;
  }

  /** The lines of the features that join two words. */
  #pairLines(h: number, m: number, lines: Int32Array): number {
    const count = this.#features.arc(h, m, lines);
    return this.#syntax === undefined ? count : this.#syntax.lines(h, m, lines, count);
  }

  #scorePredicates(n: number, values: GraphWeights["values"], scale: number): Float64Array {
    const scores = new Float64Array(n + 1);
    if (!this.#configuration.scorePredicates) return scores;
    const lines = this.#lines;
    for (let w = 1; w <= n; w++) {
      const count = this.#predicateLines(w, lines);
      let sum = 0;
      for (let k = 0; k < count; k++) sum += values[this.#firstPredicate + lines[k]!]!;
      scores[w] = scale * sum;
    }
    return scores;
  }

  #predicateLines(w: number, lines: Int32Array): number {
    const count = this.#predicates.head(w, true, lines);
    return this.#predicateSyntax === undefined ? count : this.#predicateSyntax.lines(w, w, lines, count);
  }

  /**
   * Adds to `into` the features of one graph less the features of another, over the candidates of the last
   * prepared sentence. O(arcs that differ · templates + parts).
   */
  addDifference(problem: GraphProblem, plus: GraphChoice, minus: GraphChoice, into: SparseVector): void {
    const { arcs, labels, parts } = problem;
    const lines = this.#lines;
    for (let a = 0; a < arcs.head.length; a++) {
      const [gained, lost] = [plus.labelled[a]!, minus.labelled[a]!];
      if (gained === lost) continue;
      const [h, m] = [arcs.head[a]!, arcs.modifier[a]!];
      const right = h < m ? 1 : 0;
      let count = this.#pairLines(h, m, lines);
      for (const role of [4 * h + right, 4 * m + 2 + right]) {
        const own = this.#aloneLines(role, lines.subarray(count));
        count += own;
      }
      const bucket = bucketOf(h, m);
      const sign = (gained < 0 ? 0 : 1) - (lost < 0 ? 0 : 1);
      for (let l = 0; l < count; l++) {
        const line = lines[l]!;
        if (sign !== 0) {
          into.add(line, sign);
          into.add(line + bucket, sign);
        }
        if (gained >= 0) into.add(line + FIRST_LABEL + labels.label[gained]!, 1);
        if (lost >= 0) into.add(line + FIRST_LABEL + labels.label[lost]!, -1);
      }
    }
    if (this.#configuration.scorePredicates) this.#addPredicates(arcs.n, plus, minus, into);
    for (const [k, table] of parts.entries()) this.#parts[k]!.addDifference(arcs, table, plus, minus, into);
  }

  #addPredicates(n: number, plus: GraphChoice, minus: GraphChoice, into: SparseVector): void {
    const lines = this.#lines;
    for (let w = 1; w <= n; w++) {
      const sign = plus.predicates[w]! - minus.predicates[w]!;
      if (sign === 0) continue;
      const count = this.#predicateLines(w, lines);
      for (let k = 0; k < count; k++) into.add(this.#firstPredicate + lines[k]!, sign);
    }
  }
}

/** Returns the bucket of the distance of an arc, as `distanceBucket`. */
function bucketOf(h: number, m: number): number {
  const distance = Math.abs(h - m);
  if (distance <= 3) return distance;
  if (distance <= 5) return 4;
  if (distance <= 9) return 5;
  return distance <= 19 ? 6 : 7;
}
