import type { Arcs, SparseVector } from "@arcwise/core";
import { type ArcFeatures, DISTANCES, type EncodedSentence, lineLength } from "@arcwise/core/features";
import type { TensorScorer } from "../tensor/tensor.ts";
import { bucketOf } from "./buckets.ts";
import { type EncodedTree, type LabelFilter, TAGS } from "./label-filter.ts";

/** Weights in training (32 bits, or 64 in batch learning) and in parsing (Int8, to be multiplied by a scale). */
export type Weights = Float32Array | Float64Array | Int8Array;

/** What wrong arcs cost in cost-augmented decoding: for a wrong head, and for a wrong label on the right one. */
export interface Costs {
  readonly gold: EncodedTree;
  readonly head: number;
  readonly label: number;
}

/** First place of the label weights in a line. */
export const FIRST_LABEL = 1 + DISTANCES;

/**
 * Scores the candidate arcs of a sentence, each with its best allowed label. One instance holds the scratch
 * memory, which grows with the longest sentence.
 */
export class ArcScorer {
  /** Score of each arc with its best label, from the last `score`. */
  scores = new Float64Array(0);
  /** Best label of each arc, from the last `score`; -1 in an unlabelled model. */
  labels = new Int32Array(0);
  /** From the last `sum`: logarithms of the labels' shares of arc a at `labelStart[a] .. labelStart[a + 1] - 1`. */
  labelStart = new Int32Array(1);
  logShares = new Float64Array(0);

  /** Adds to the score of each arc, whatever its label. */
  readonly tensor: TensorScorer | undefined;
  readonly #features: ArcFeatures;
  /** Allowed labels; undefined in an unlabelled model. */
  readonly filter: LabelFilter | undefined;
  readonly #labelScores: Float64Array;
  /** Places of a line that are in use. */
  readonly #places: number;
  /** Lines of an arc: those of both words, then, in a labelled model, those of the head and of the modifier alone. */
  #lines = new Int32Array(1024);
  /** Whether each word is a head (`4 word + right`) and a modifier (`4 word + 2 + right`) of arcs. */
  #used = new Uint8Array(0);
  /** In an unlabelled model, sums of the lines of each such word alone, place by place. */
  #sums = new Float64Array(0);
  /** In a labelled model, these lines: `#alone[#aloneStart[i]] ..`. A sum for every label would be too many. */
  #alone = new Int32Array(0);
  #aloneStart = new Int32Array(0);
  /** Pair of tags of each arc, from the last `sum`. */
  #pairs = new Int32Array(0);
  /** Places of a line that change, and by how much. */
  #changed = new Int32Array(0);
  #changes = new Float64Array(0);

  /**
   * @param features templates compiled for lines of `lineLength(labels)` places
   * @param labels number of labels, 0 for an unlabelled model
   * @param filter allowed labels; undefined for an unlabelled model
   * @param tensor has to be given its weights before arcs are scored
   */
  constructor(features: ArcFeatures, labels: number, filter?: LabelFilter, tensor?: TensorScorer) {
    this.tensor = tensor;
    const length = lineLength(labels);
    this.#features = features;
    this.#places = FIRST_LABEL + labels;
    this.filter = filter;
    this.#labelScores = new Float64Array(length);
  }

  /**
   * Fills `scores` and `labels` for all arcs. With costs, `scores` are cost-augmented.
   *
   * Cost: O(n · templates) for what depends on one word, and O(arcs · templates · allowed labels).
   *
   * @param scale what a weight is multiplied by
   */
  score(sentence: EncodedSentence, arcs: Arcs, weights: Weights, scale: number, costs?: Costs): void {
    this.prepare(sentence, arcs.head.length);
    this.#markUsed(arcs);
    this.#prepareWords(sentence.n, weights);
    const { head, modifier } = arcs;
    const { tag } = sentence;
    for (let a = 0; a < head.length; a++) {
      const h = head[a]!;
      const m = modifier[a]!;
      const count = this.#linesOf(h, m);
      let score = scale * this.#sumLines(weights, count, h, m);
      if (this.filter !== undefined) {
        const pair = tag[h]! * TAGS + tag[m]!;
        this.#sumLabels(weights, count, pair);
        if (costs !== undefined && costs.gold.heads[m] === h) {
          score += this.#bestLabel(a, pair, scale, costs.gold.labels[m]!, costs.label);
        } else {
          score += this.#bestLabel(a, pair, scale, -1, 0);
        }
      }
      if (costs !== undefined && costs.gold.heads[m] !== h) score += costs.head;
      this.scores[a] = score;
    }
    this.tensor?.addScores(arcs, this.scores);
  }

  /**
   * Sums over labels: fills `scores` with the logarithm of the sum over each arc's allowed labels of exp(score),
   * and `labelStart` and `logShares` with what share of the sum each of them has. In an unlabelled model the
   * scores are those of the arcs. Cost: as `score`.
   */
  sum(sentence: EncodedSentence, arcs: Arcs, weights: Weights, scale: number): void {
    this.prepare(sentence, arcs.head.length);
    this.#prepareShares(arcs.head.length);
    this.#markUsed(arcs);
    this.#prepareWords(sentence.n, weights);
    const { head, modifier } = arcs;
    const { tag } = sentence;
    for (let a = 0; a < head.length; a++) {
      const h = head[a]!;
      const m = modifier[a]!;
      const count = this.#linesOf(h, m);
      let score = scale * this.#sumLines(weights, count, h, m);
      this.labelStart[a + 1] = this.labelStart[a]!;
      if (this.filter !== undefined) {
        const pair = tag[h]! * TAGS + tag[m]!;
        this.#pairs[a] = pair;
        this.#sumLabels(weights, count, pair);
        score += this.#shareLabels(a, pair, scale);
      }
      this.scores[a] = score;
    }
    this.tensor?.addScores(arcs, this.scores);
  }

  /** Logarithm of the share of a label among those of arc a, from the last `sum`; -Infinity when not allowed. */
  logShare(a: number, label: number): number {
    if (this.filter === undefined) return 0;
    const { start, list } = this.filter;
    const pair = this.#pairs[a]!;
    for (let l = start[pair]!; l < start[pair + 1]!; l++) {
      if (list[l] === label) return this.logShares[this.labelStart[a]! + l - start[pair]!]!;
    }
    return -Infinity;
  }

  /**
   * Scores some labels, allowed or not, on the arc h -> m of the sentence, arcs and weights of the last `score` or
   * `sum`, where h -> m was among the arcs: `scores[l]` becomes the score of `labels[l]` alone. Returns the score of
   * the arc without a label. O(templates · labels).
   */
  scoreLabels(
    h: number,
    m: number,
    labels: Int32Array,
    weights: Weights,
    scale: number,
    scores: Float64Array,
  ): number {
    const lines = this.#lines;
    const count = this.#linesOf(h, m);
    for (let l = 0; l < labels.length; l++) {
      const place = FIRST_LABEL + labels[l]!;
      let sum = 0;
      for (let k = 0; k < count; k++) sum += weights[lines[k]! + place]!;
      scores[l] = sum * scale;
    }
    const ofTensor = this.tensor?.score(h, m) ?? 0;
    return scale * this.#sumLines(weights, count, h, m) + ofTensor;
  }

  /**
   * Adds the features of arc a = h -> m of the last `sum` with its gold label, if it has one, less their expectation:
   * `probability` times those of the arc with each label in proportion to its share. What changes by less than
   * `negligible` is left out.
   *
   * @param gold label in the gold tree (-1 in an unlabelled model), or -2 when the arc is not in it
   */
  addSurprise(
    a: number,
    h: number,
    m: number,
    probability: number,
    gold: number,
    negligible: number,
    into: SparseVector,
  ): void {
    const places = this.#changed;
    const changes = this.#changes;
    let count = 0;
    const ofArc = (gold === -2 ? 0 : 1) - probability;
    if (Math.abs(ofArc) > negligible) {
      places[count] = 0;
      changes[count++] = ofArc;
      places[count] = bucketOf(h, m);
      changes[count++] = ofArc;
    }
    const from = this.labelStart[a]!;
    const to = this.labelStart[a + 1]!;
    for (let l = from; l < to; l++) {
      const label = this.filter!.list[this.filter!.start[this.#pairs[a]!]! + l - from]!;
      const ofLabel = (label === gold ? 1 : 0) - probability * Math.exp(this.logShares[l]!);
      if (Math.abs(ofLabel) <= negligible) continue;
      places[count] = FIRST_LABEL + label;
      changes[count++] = ofLabel;
    }
    if (count === 0) return;
    const lines = this.#lines;
    const right = h < m;
    this.#addChanges(this.#features.arc(h, m, lines), count, into);
    this.#addChanges(this.#features.head(h, right, lines), count, into);
    this.#addChanges(this.#features.modifier(m, right, lines), count, into);
  }

  #addChanges(lineCount: number, count: number, into: SparseVector): void {
    for (let k = 0; k < lineCount; k++) {
      const line = this.#lines[k]!;
      for (let c = 0; c < count; c++) into.add(line + this.#changed[c]!, this.#changes[c]!);
    }
  }

  /** Adds `scale` times the features of an arc with a label (-1: none) of the sentence scored last. */
  addFeatures(h: number, m: number, label: number, scale: number, into: SparseVector): void {
    const bucket = bucketOf(h, m);
    this.#eachLine(h, m, (line) => {
      into.add(line, scale);
      into.add(line + bucket, scale);
      if (label >= 0) into.add(line + FIRST_LABEL + label, scale);
    });
  }

  /** Adds `scale` times the features of a label on an arc, without those of the arc itself. */
  addLabelFeatures(h: number, m: number, label: number, scale: number, into: SparseVector): void {
    this.#eachLine(h, m, (line) => into.add(line + FIRST_LABEL + label, scale));
  }

  #eachLine(h: number, m: number, visit: (line: number) => void): void {
    const lines = this.#lines;
    for (let k = this.#features.arc(h, m, lines) - 1; k >= 0; k--) visit(lines[k]!);
    for (let k = this.#features.head(h, h < m, lines) - 1; k >= 0; k--) visit(lines[k]!);
    for (let k = this.#features.modifier(m, h < m, lines) - 1; k >= 0; k--) visit(lines[k]!);
  }

  /** Reads a sentence, whose features can then be added without scoring it. @param arcs number of its arcs */
  prepare(sentence: EncodedSentence, arcs: number): void {
    this.#features.prepare(sentence);
    this.tensor?.prepare(sentence);
    if (this.#lines.length < 3 * this.#features.capacity)
      this.#lines = new Int32Array(6 * this.#features.capacity);
    if (this.scores.length < arcs) {
      this.scores = new Float64Array(2 * arcs);
      this.labels = new Int32Array(2 * arcs).fill(-1);
    }
    const roles = 4 * (sentence.n + 1);
    if (this.#used.length < roles) {
      this.#used = new Uint8Array(2 * roles);
      this.#aloneStart = new Int32Array(2 * roles + 1);
    }
  }

  #prepareShares(arcs: number): void {
    const most = arcs * (this.#places - FIRST_LABEL);
    if (this.labelStart.length <= arcs) {
      this.labelStart = new Int32Array(2 * arcs + 1);
      this.#pairs = new Int32Array(2 * arcs);
    }
    if (this.logShares.length < most) this.logShares = new Float64Array(2 * most);
    if (this.#changed.length < this.#places) {
      this.#changed = new Int32Array(this.#places);
      this.#changes = new Float64Array(this.#places);
    }
  }

  /** Sums or keeps the lines of every word alone, as a head and as a modifier, for both directions of the arc. */
  #prepareWords(n: number, weights: Weights): void {
    const lines = this.#lines;
    const features = this.#features;
    const roles = 4 * (n + 1);
    const isLabelled = this.filter !== undefined;
    if (!isLabelled && this.#sums.length < roles * FIRST_LABEL) {
      this.#sums = new Float64Array(2 * roles * FIRST_LABEL);
    }
    for (let role = 0; role < roles; role++) {
      if (isLabelled) this.#aloneStart[role + 1] = this.#aloneStart[role]!;
      if (this.#used[role] === 0) continue;
      const word = role >> 2;
      const right = (role & 1) === 1;
      const count =
        (role & 2) === 0 ? features.head(word, right, lines) : features.modifier(word, right, lines);
      if (isLabelled) this.#keepAlone(role, count);
      else sumInto(this.#sums, role * FIRST_LABEL, weights, lines, count);
    }
  }

  #keepAlone(role: number, count: number): void {
    const lines = this.#lines;
    const from = this.#aloneStart[role]!;
    if (this.#alone.length < from + count) {
      const grown = new Int32Array(2 * (from + count));
      grown.set(this.#alone);
      this.#alone = grown;
    }
    const alone = this.#alone;
    for (let k = 0; k < count; k++) alone[from + k] = lines[k]!;
    this.#aloneStart[role + 1] = from + count;
  }

  /** Writes the lines of h -> m, in a labelled model with those of each word alone; returns their number. */
  #linesOf(h: number, m: number): number {
    const lines = this.#lines;
    let count = this.#features.arc(h, m, lines);
    if (this.filter === undefined) return count;
    const alone = this.#alone;
    const start = this.#aloneStart;
    const right = h < m ? 1 : 0;
    const head = 4 * h + right;
    const modifier = 4 * m + 2 + right;
    for (let k = start[head]!; k < start[head + 1]!; k++) lines[count++] = alone[k]!;
    for (let k = start[modifier]!; k < start[modifier + 1]!; k++) lines[count++] = alone[k]!;
    return count;
  }

  /** Marks the words that occur as heads (`4 word + right`) and as modifiers (`4 word + 2 + right`) of arcs. */
  #markUsed({ head, modifier }: Arcs): void {
    const used = this.#used;
    used.fill(0);
    for (let a = 0; a < head.length; a++) {
      const h = head[a]!;
      const m = modifier[a]!;
      const right = h < m ? 1 : 0;
      used[4 * h + right] = 1;
      used[4 * m + 2 + right] = 1;
    }
  }

  /** The sum of the weights of all features of h -> m at its distance, whose lines were just written. */
  #sumLines(weights: Weights, count: number, h: number, m: number): number {
    const lines = this.#lines;
    const bucket = bucketOf(h, m);
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const line = lines[k]!;
      sum += weights[line]! + weights[line + bucket]!;
    }
    if (this.filter !== undefined) return sum;
    const sums = this.#sums;
    const right = h < m ? 1 : 0;
    const head = (4 * h + right) * FIRST_LABEL;
    const modifier = (4 * m + 2 + right) * FIRST_LABEL;
    return sum + sums[head]! + sums[head + bucket]! + sums[modifier]! + sums[modifier + bucket]!;
  }

  /** Sums each allowed label over all lines, two labels at a time so that a line's offset serves both. */
  #sumLabels(weights: Weights, count: number, pair: number): void {
    const { start, list } = this.filter!;
    const to = start[pair + 1]!;
    const sums = this.#labelScores;
    const lines = this.#lines;
    let l = start[pair]!;
    for (; l + 1 < to; l += 2) {
      const first = FIRST_LABEL + list[l]!;
      const second = FIRST_LABEL + list[l + 1]!;
      let ofFirst = 0;
      let ofSecond = 0;
      for (let k = 0; k < count; k++) {
        const line = lines[k]!;
        ofFirst += weights[line + first]!;
        ofSecond += weights[line + second]!;
      }
      sums[first] = ofFirst;
      sums[second] = ofSecond;
    }
    if (l < to) {
      const only = FIRST_LABEL + list[l]!;
      let sum = 0;
      for (let k = 0; k < count; k++) sum += weights[lines[k]! + only]!;
      sums[only] = sum;
    }
  }

  /** Writes the logarithms of the labels' shares; returns the logarithm of their sum. */
  #shareLabels(arc: number, pair: number, scale: number): number {
    const { start, list } = this.filter!;
    const from = start[pair]!;
    const to = start[pair + 1]!;
    const sums = this.#labelScores;
    const at = this.labelStart[arc]!;
    let best = -Infinity;
    for (let l = from; l < to; l++) {
      const score = sums[FIRST_LABEL + list[l]!]! * scale;
      this.logShares[at + l - from] = score;
      if (score > best) best = score;
    }
    let sum = 0;
    for (let l = 0; l < to - from; l++) sum += Math.exp(this.logShares[at + l]! - best);
    const total = best + Math.log(sum);
    for (let l = 0; l < to - from; l++) this.logShares[at + l]! -= total;
    this.labelStart[arc + 1] = at + to - from;
    return total;
  }

  /** Best label by the sums, where every label but `gold` costs (unless `gold` is -1). Returns its score. */
  #bestLabel(arc: number, pair: number, scale: number, gold: number, cost: number): number {
    const { start, list } = this.filter!;
    const to = start[pair + 1]!;
    const sums = this.#labelScores;
    let best = -1;
    let bestScore = -Infinity;
    for (let l = start[pair]!; l < to; l++) {
      const label = list[l]!;
      const score = sums[FIRST_LABEL + label]! * scale + (gold < 0 || label === gold ? 0 : cost);
      if (score > bestScore) {
        bestScore = score;
        best = label;
      }
    }
    this.labels[arc] = best;
    return bestScore;
  }
}

/** Sums `count` lines of an unlabelled model, place by place. */
function sumInto(sums: Float64Array, at: number, weights: Weights, lines: Int32Array, count: number): void {
  let own = 0;
  let d1 = 0;
  let d2 = 0;
  let d3 = 0;
  let d4 = 0;
  let d5 = 0;
  let d6 = 0;
  let d7 = 0;
  for (let k = 0; k < count; k++) {
    const line = lines[k]!;
    own += weights[line]!;
    d1 += weights[line + 1]!;
    d2 += weights[line + 2]!;
    d3 += weights[line + 3]!;
    d4 += weights[line + 4]!;
    d5 += weights[line + 5]!;
    d6 += weights[line + 6]!;
    d7 += weights[line + 7]!;
  }
  sums[at] = own;
  sums[at + 1] = d1;
  sums[at + 2] = d2;
  sums[at + 3] = d3;
  sums[at + 4] = d4;
  sums[at + 5] = d5;
  sums[at + 6] = d6;
  sums[at + 7] = d7;
}
