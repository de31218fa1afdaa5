import { depthFirstOrder, type SparseVector } from "@arcwise/core";
import { counted } from "@arcwise/core/errors";
import type { EncodedSentence, Weights } from "@arcwise/core/features";
import { type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";
import { type LabellerModel, labellerDimension, lineOf } from "./labeller-configuration.ts";
import { LabelFeatures } from "./labeller-features.ts";

/**
 * Costs of wrong labels in cost-augmented decoding: `labels` are the gold ones, -1 where any label is right.
 */
export interface LabelCosts {
  readonly labels: Int32Array;
  readonly cost: number;
}

/**
 * Labels the arcs of a tree with known heads. The score of the labels is a sum over words m of the features
 * of m's label, of the pair of it and the label of the modifier of the same head before m, and of the pair of
 * it and the label of m's head. Features depend on the whole tree of heads.
 *
 * The best labels are found exactly, by a Viterbi search along the modifiers of every head for each label of
 * that head, from the leaves up (among the `most` best labels of each word taken alone). Without the labels
 * of heads, that is the sequence labeller of McDonald, Lerman and Pereira (2006, section 4).
 *
 * One instance owns the scratch memory, which grows with the longest sentence.
 */
export class Labeller {
  /** `labellerDimension` weights. May be replaced or changed between two calls. */
  weights: Weights;
  readonly #features: LabelFeatures;
  readonly #filter: LabelFilter;
  readonly #scale: number;
  readonly #limit: number;
  readonly #margin: number;
  /** For each word, its candidate labels, best first: `candidates[limit m .. limit m + counts[m] - 1]`. */
  #candidates = new Int32Array(0);
  #counts = new Int32Array(0);
  /** Score of each candidate, to which the scores of the words below are added. */
  #scores = new Float64Array(0);
  /** Pair of candidate b of m with candidate a of the modifier before, at `(m limit + b) limit + a`. */
  #siblingScores = new Float64Array(0);
  /** Pair of candidate b of m with candidate i of the head. */
  #headScores = new Float64Array(0);
  /** Best candidate of the modifier before, for candidate b of m and i of the head. */
  #back = new Uint8Array(0);
  /** Best candidate of the last modifier of h for candidate i of h, at `h limit + i`. */
  #last = new Uint8Array(0);
  readonly #labelScores: Float64Array;
  readonly #row: Float64Array;
  readonly #nextRow: Float64Array;
  #order: Int32Array = new Int32Array(0);
  #check = 0;

  /**
   * @param labels number of labels
   * @param filter the labels that an arc may have
   * @throws RangeError on a template that cannot be read, or weights of another number
   */
  constructor({ configuration, weights: table }: LabellerModel, labels: number, filter: LabelFilter) {
    const { most, margin } = configuration;
    const { values: weights, scale } = table;
    const dimension = labellerDimension(configuration, labels);
    if (weights.length !== dimension) {
      throw new RangeError(`expected ${dimension} weights of a labeller, got ${weights.length}`);
    }
    if (!(margin >= 0)) throw new RangeError(`expected a margin >= 0, got ${margin}`);
    if (!Number.isInteger(most) || most < 1 || most > 255) {
      throw new RangeError(`expected from 1 to 255 labels a word at most, got ${most}`);
    }
    this.#features = new LabelFeatures({ ...configuration, length: lineOf(labels) });
    this.#filter = filter;
    this.weights = weights;
    this.#scale = scale;
    this.#limit = most;
    this.#margin = margin;
    this.#labelScores = new Float64Array(labels);
    this.#row = new Float64Array(most);
    this.#nextRow = new Float64Array(most);
  }

  /**
   * Returns the best labels of the arcs of a tree, as indices; -1 at 0.
   *
   * Cost: O(n (templates · labels + most³)).
   *
   * @param costs makes decoding cost-augmented, and keeps the gold label among the candidates
   * @param others scores to be added, of label l of word m at `labels m + l`
   * @param lists labels that certain words may have, whatever the filter
   * @throws RangeError when the heads do not form a tree over the words of the sentence (several roots are allowed),
   *   or a weight is NaN
   */
  label(
    sentence: EncodedSentence,
    heads: Int32Array,
    costs?: LabelCosts,
    others?: Float64Array,
    lists?: ReadonlyMap<number, Int32Array>,
  ): Int32Array {
    const { n } = sentence;
    if (heads.length !== n + 1)
      throw new RangeError(`expected ${counted(n + 1, "head")}, got ${heads.length}`);
    this.#order = depthFirstOrder(heads);
    this.#features.prepare(sentence, heads);
    this.#reserve(n);
    this.#counts[0] = 1;
    this.#candidates[0] = -1;
    this.#scores[0] = 0;
    this.#check = 0;
    // Heads and the modifiers before come first: their candidates are known when a pair is scored.
    for (let k = 1; k <= n; k++) {
      const m = this.#order[k];
      this.#scoreWord(sentence, heads, m, costs, others, lists?.get(m));
    }
    if (Number.isNaN(this.#check)) throw new RangeError("expected weights that are numbers, got NaN");
    for (let k = n; k >= 0; k--) this.#searchModifiers(this.#order[k]);
    return this.#readLabels(n);
  }

  /** The score of the last labelled tree: a word with one label only, and not by `lists`, adds nothing by itself. */
  get score(): number {
    return this.#scores[0];
  }

  /**
   * Adds the features of the gold labels less the features of other labels, of the last labelled tree; where
   * the gold label is -1, the other label is used as gold. Returns the number of labels that differ.
   */
  addDifference(heads: Int32Array, gold: Int32Array, other: Int32Array, into: SparseVector): number {
    let wrong = 0;
    for (let k = 1; k < heads.length; k++) {
      const m = this.#order[k];
      const h = heads[m];
      const p = this.#features.previous[m];
      const right = gold[m] < 0 ? other[m] : gold[m];
      const rightBefore = gold[p] < 0 ? other[p] : gold[p];
      const rightAbove = gold[h] < 0 ? other[h] : gold[h];
      const differs = right !== other[m];
      if (!differs && rightBefore === other[p] && rightAbove === other[h]) continue;
      this.#features.look(m);
      if (differs) {
        wrong++;
        this.#addLabel(right, 1, into);
        this.#addLabel(other[m], -1, into);
      }
      if (p > 0 && (differs || rightBefore !== other[p])) {
        this.#addPair(this.#features.siblingCodes, rightBefore, right, 1, into);
        this.#addPair(this.#features.siblingCodes, other[p], other[m], -1, into);
      }
      if (h > 0 && (differs || rightAbove !== other[h])) {
        this.#addPair(this.#features.headCodes, rightAbove, right, 1, into);
        this.#addPair(this.#features.headCodes, other[h], other[m], -1, into);
      }
    }
    return wrong;
  }

  #addLabel(label: number, scale: number, into: SparseVector): void {
    const count = this.#features.collect();
    for (let k = 0; k < count; k++) into.add(this.#features.lines[k] + label, scale);
  }

  #addPair(codes: Int32Array, context: number, label: number, scale: number, into: SparseVector): void {
    for (let t = 0; t < codes.length; t++) {
      into.add(this.#features.pairLine(codes[t], context) + label, scale);
    }
  }

  #reserve(n: number): void {
    if (this.#counts.length > n) return;
    const size = 2 * (n + 1);
    const limit = this.#limit;
    this.#counts = new Int32Array(size);
    this.#candidates = new Int32Array(size * limit);
    this.#scores = new Float64Array(size * limit);
    this.#last = new Uint8Array(size * limit);
    this.#siblingScores = new Float64Array(size * limit * limit);
    this.#headScores = new Float64Array(size * limit * limit);
    this.#back = new Uint8Array(size * limit * limit);
  }

  /** Finds the candidates of a word, and scores them and their pairs. */
  #scoreWord(
    sentence: EncodedSentence,
    heads: Int32Array,
    m: number,
    costs: LabelCosts | undefined,
    others: Float64Array | undefined,
    own: Int32Array | undefined,
  ): void {
    const h = heads[m];
    const p = this.#features.previous[m];
    const pair = sentence.tag[h] * TAGS + sentence.tag[m];
    const { start, list: all } = this.#filter;
    const list = own ?? all.subarray(start[pair], start[pair + 1]);
    this.#features.look(m);
    if (own === undefined && list.length === 1) {
      this.#counts[m] = 1;
      this.#candidates[m * this.#limit] = list[0];
      this.#scores[m * this.#limit] = 0;
    } else {
      this.#sumLabels(list);
      if (others) this.#addOthers(others, m, list);
      this.#choose(m, list, costs === undefined ? -1 : costs.labels[m], costs?.cost ?? 0);
    }
    this.#scorePairs(this.#siblingScores, this.#features.siblingCodes, m, p);
    this.#scorePairs(this.#headScores, this.#features.headCodes, m, h);
  }

  #addOthers(others: Float64Array, m: number, list: Int32Array): void {
    const labels = this.#labelScores;
    const first = m * labels.length;
    for (let l = 0; l < list.length; l++) labels[l] += others[first + list[l]!] / this.#scale;
  }

  /** Sums the labels of a list over all lines, four lines at a time. */
  #sumLabels(list: Int32Array): void {
    const count = this.#features.collect();
    const size = list.length;
    const { lines } = this.#features;
    const weights = this.weights;
    const sums = this.#labelScores;
    for (let l = 0; l < size; l++) sums[l] = 0;
    let k = 0;
    for (; k + 3 < count; k += 4) {
      const a = lines[k];
      const b = lines[k + 1];
      const c = lines[k + 2];
      const d = lines[k + 3];
      for (let l = 0; l < size; l++) {
        const label = list[l];
        sums[l] += weights[a + label] + weights[b + label] + weights[c + label] + weights[d + label];
      }
    }
    for (; k < count; k++) {
      const line = lines[k];
      for (let l = 0; l < size; l++) sums[l] += weights[line + list[l]!];
    }
  }

  /** Selects the best labels by the sums, best first; and the gold one, if necessary in place of the last. */
  #choose(m: number, list: Int32Array, gold: number, cost: number): void {
    const first = m * this.#limit;
    const scores = this.#scores;
    const candidates = this.#candidates;
    let size = 0;
    let goldScore = -Infinity;
    for (let l = 0; l < list.length; l++) {
      const label = list[l];
      const own = this.#labelScores[l] * this.#scale;
      const score = own + (gold < 0 || label === gold ? 0 : cost);
      this.#check += score;
      if (label === gold) goldScore = score;
      if (size === this.#limit && !(score > scores[first + size - 1])) continue;
      if (size < this.#limit) size++;
      let at = first + size - 1;
      for (; at > first && scores[at - 1] < score; at--) {
        scores[at] = scores[at - 1];
        candidates[at] = candidates[at - 1];
      }
      scores[at] = score;
      candidates[at] = label;
    }
    const threshold = scores[first] - this.#margin;
    while (size > 1 && scores[first + size - 1] < threshold) size--;
    this.#counts[m] = size;
    if (goldScore === -Infinity) return;
    for (let at = first; at < first + size; at++) if (candidates[at] === gold) return;
    if (size < this.#limit) this.#counts[m] = ++size;
    scores[first + size - 1] = goldScore;
    candidates[first + size - 1] = gold;
  }

  /** Scores the candidates of m with the candidates of another word (0: none). */
  #scorePairs(into: Float64Array, codes: Int32Array, m: number, other: number): void {
    const limit = this.#limit;
    const count = this.#counts[m];
    const others = other === 0 ? 1 : this.#counts[other];
    for (let b = 0; b < count; b++) into.fill(0, (m * limit + b) * limit, (m * limit + b) * limit + others);
    if (other === 0 || (count === 1 && others === 1)) return;
    const weights = this.weights;
    for (let a = 0; a < others; a++) {
      const label = this.#candidates[other * limit + a];
      for (let t = 0; t < codes.length; t++) {
        const line = this.#features.pairLine(codes[t], label);
        for (let b = 0; b < count; b++) {
          into[(m * limit + b) * limit + a] += weights[line + this.#candidates[m * limit + b]!];
        }
      }
      for (let b = 0; b < count; b++) {
        into[(m * limit + b) * limit + a] *= this.#scale;
        this.#check += into[(m * limit + b) * limit + a];
      }
    }
  }

  /**
   * For each candidate of h, the best labels of its modifiers; their score is added to the score of the
   * candidate.
   */
  #searchModifiers(h: number): void {
    const { start, modifiers } = this.#features;
    const from = start[h];
    const to = start[h + 1];
    if (from === to) return;
    const limit = this.#limit;
    let row = this.#row;
    let next = this.#nextRow;
    for (let i = 0; i < this.#counts[h]; i++) {
      const first = modifiers[from];
      for (let b = 0; b < this.#counts[first]; b++) {
        row[b] = this.#scores[first * limit + b] + this.#headScores[(first * limit + b) * limit + i];
      }
      for (let k = from + 1; k < to; k++) {
        this.#step(modifiers[k - 1], modifiers[k], i, row, next);
        const swap = row;
        row = next;
        next = swap;
      }
      let best = 0;
      for (let b = 1; b < this.#counts[modifiers[to - 1]!]; b++) if (row[b] > row[best]) best = b;
      this.#last[h * limit + i] = best;
      this.#scores[h * limit + i] += row[best];
    }
  }

  /**
   * One step of the search, from the candidates of p to the candidates of m, given candidate i of their head.
   */
  #step(p: number, m: number, i: number, row: Float64Array, next: Float64Array): void {
    const limit = this.#limit;
    const before = this.#counts[p];
    const count = this.#counts[m];
    for (let b = 0; b < count; b++) {
      const at = (m * limit + b) * limit;
      let best = 0;
      let bestScore = row[0] + this.#siblingScores[at];
      for (let a = 1; a < before; a++) {
        const score = row[a] + this.#siblingScores[at + a];
        if (score > bestScore) {
          bestScore = score;
          best = a;
        }
      }
      next[b] = bestScore + this.#scores[m * limit + b] + this.#headScores[at + i];
      this.#back[at + i] = best;
    }
  }

  /** Reads the best labels from the root down. */
  #readLabels(n: number): Int32Array {
    const { start, modifiers } = this.#features;
    const limit = this.#limit;
    const labels = new Int32Array(n + 1).fill(-1);
    const chosen = new Uint8Array(n + 1);
    for (let k = 0; k <= n; k++) {
      const h = this.#order[k];
      const i = chosen[h];
      let b = this.#last[h * limit + i];
      for (let j = start[h + 1] - 1; j >= start[h]; j--) {
        const m = modifiers[j];
        chosen[m] = b;
        labels[m] = this.#candidates[m * limit + b];
        b = this.#back[(m * limit + b) * limit + i];
      }
    }
    return labels;
  }
}
