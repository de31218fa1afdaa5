import type { Arcs, SparseVector } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import {
  type ArcFeatures,
  type EncodedSentence,
  lineLength,
  type Weights,
  type WeightTable,
} from "@arcwise/core/features";
import { ArcLines, bucketOf, FIRST_LABEL } from "./arc-lines.ts";
import { type EncodedTree, type LabelFilter, TAGS } from "./label-filter.ts";
import { LabelShares, type ScoredLabels } from "./label-shares.ts";
import { LineSums } from "./line-sums.ts";

/** Costs of wrong arcs in cost-augmented decoding: of a wrong head, and of a wrong label on the right one. */
export interface Costs {
  readonly gold: EncodedTree;
  readonly head: number;
  readonly label: number;
}

/** Scores of candidate arcs, each with its best allowed label. */
export interface ScoredArcs {
  readonly scores: Float64Array;
  /** Best label of each arc; empty in an unlabelled model. */
  readonly labels: Int32Array;
}

/** The features of the arcs of one sentence, independent of other sentences. */
export interface SentenceArcs {
  /** Adds `amount` times the features of an arc with a label (-1: none). */
  addFeatures(h: number, m: number, label: number, amount: number, into: Pick<SparseVector, "add">): void;
  /** Adds `amount` times the features of a label on an arc, without the features of the arc itself. */
  addLabelFeatures(h: number, m: number, label: number, amount: number, into: SparseVector): void;
  /**
   * Scores some labels, allowed or not, on an arc: `scores[l]` becomes the score of `labels[l]` alone.
   * Returns the score of the arc without a label. O(templates · labels).
   */
  scoreLabels(h: number, m: number, labels: Int32Array, table: WeightTable, scores: Float64Array): number;
}

const NO_LABELS = new Int32Array(0);

/**
 * Scores the candidate arcs of a sentence by sparse features, each with its best allowed label. One instance
 * owns the scratch memory, which grows with the longest sentence; results do not share it.
 *
 * In vectors that features are added to, the table of arcs begins at offset 0.
 */
export class ArcScorer {
  readonly #features: ArcFeatures;
  readonly #lines: ArcLines;
  /** Allowed labels; undefined in an unlabelled model. */
  readonly filter: LabelFilter | undefined;
  /** Sums of the allowed labels of an arc, by offset in a line. */
  readonly #labelSums: Float64Array;
  /** Number of used entries of a line. */
  readonly #length: number;
  /** Sums lines of quantised weights. */
  readonly #lineSums: LineSums;
  /** Offsets in a line whose weights change, and the changes. */
  #changed = new Int32Array(0);
  #changes = new Float64Array(0);

  /**
   * @param features templates compiled for lines of `lineLength(labels)` entries
   * @param labels number of labels, 0 for an unlabelled model
   * @param filter allowed labels; undefined for an unlabelled model
   */
  constructor(features: ArcFeatures, labels: number, filter?: LabelFilter) {
    this.#features = features;
    this.#lines = new ArcLines(features, filter !== undefined);
    this.#length = FIRST_LABEL + labels;
    this.filter = filter;
    this.#labelSums = new Float64Array(lineLength(labels));
    this.#lineSums = new LineSums(lineLength(labels));
  }

  /**
   * Prepares for a table, so that the first sentence does not wait for it: copies quantised weights.
   * O(weights).
   */
  load(table: WeightTable): void {
    this.#lineSums.load(weightsFrom(table));
  }

  /**
   * Scores all arcs. With costs, the label of a gold arc is chosen cost-augmented; costs of heads are those
   * of `addCost`.
   *
   * Cost: O(n · templates) for what depends on one word, and O(arcs · templates · allowed labels).
   */
  score(sentence: EncodedSentence, arcs: Arcs, table: WeightTable, costs?: Costs): ScoredArcs {
    const weights = weightsFrom(table);
    const { scale } = table;
    this.#lines.prepareArcs(sentence, arcs, weights);
    if (this.filter === undefined) return this.#scoreUnlabelled(arcs, weights, scale);
    const byKernel = this.#lineSums.prepare(weights, this.#lines);
    const { head, modifier } = arcs;
    const { tag } = sentence;
    const scores = new Float64Array(head.length);
    const labels = new Int32Array(head.length);
    for (let a = 0; a < head.length; a++) {
      const h = head[a];
      const m = modifier[a];
      const pair = tag[h] * TAGS + tag[m];
      const score = scale * this.#sumArc(weights, byKernel, h, m, pair);
      const isCosted = costs !== undefined && costs.gold.heads[m] === h;
      const gold = isCosted ? costs.gold.labels[m] : -1;
      const cost = isCosted ? costs.label : 0;
      const label = this.#bestLabel(pair, scale, gold, cost);
      labels[a] = label;
      scores[a] = score + this.#labelScore(label, scale, gold, cost);
    }
    return { scores, labels };
  }

  /** Scores all arcs, and each allowed label by itself. Cost: as `score`. */
  scoreAll(sentence: EncodedSentence, arcs: Arcs, table: WeightTable): ScoredLabels {
    const weights = weightsFrom(table);
    const { scale } = table;
    const { head, modifier } = arcs;
    const { tag } = sentence;
    this.#lines.prepareArcs(sentence, arcs, weights);
    const start = new Int32Array(head.length + 1);
    if (this.filter === undefined) {
      const { scores } = this.#scoreUnlabelled(arcs, weights, scale);
      return { arcScores: scores, start, label: NO_LABELS, scores: new Float64Array(0) };
    }
    const { start: first, list } = this.filter;
    const byKernel = this.#lineSums.prepare(weights, this.#lines);
    for (let a = 0; a < head.length; a++) {
      const pair = tag[head[a]] * TAGS + tag[modifier[a]];
      start[a + 1] = start[a] + first[pair + 1] - first[pair];
    }
    const arcScores = new Float64Array(head.length);
    const label = new Int32Array(start[head.length]);
    const scores = new Float64Array(label.length);
    for (let a = 0; a < head.length; a++) {
      const pair = tag[head[a]] * TAGS + tag[modifier[a]];
      arcScores[a] = scale * this.#sumArc(weights, byKernel, head[a], modifier[a], pair);
      for (let k = start[a], l = first[pair]; k < start[a + 1]; k++, l++) {
        label[k] = list[l];
        scores[k] = scale * this.#labelSums[FIRST_LABEL + list[l]];
      }
    }
    return { arcScores, start, label, scores };
  }

  /**
   * Returns the best label of each arc of a tree, by the sum of the scores of its features and of other
   * scores. Labels of different arcs do not depend on each other. Only in a labelled model.
   * O(n · templates · allowed labels).
   *
   * @param others score of label l on the arc of word m at `m labels + l`
   */
  bestLabels(
    sentence: EncodedSentence,
    heads: Int32Array,
    table: WeightTable,
    others: Float64Array,
  ): Int32Array {
    const weights = weightsFrom(table);
    const { scale } = table;
    const { start, list } = this.filter!;
    const { tag } = sentence;
    const count = this.#length - FIRST_LABEL;
    const labels = new Int32Array(heads.length).fill(-1);
    this.#lines.prepareArcs(sentence, treeArcs(heads), weights);
    const byKernel = this.#lineSums.prepare(weights, this.#lines);
    for (let m = 1; m < heads.length; m++) {
      const h = heads[m];
      const pair = tag[h] * TAGS + tag[m];
      this.#sumArc(weights, byKernel, h, m, pair);
      for (let l = start[pair]; l < start[pair + 1]; l++) {
        this.#labelSums[FIRST_LABEL + list[l]] += others[m * count + list[l]] / scale;
      }
      labels[m] = this.#bestLabel(pair, scale, -1, 0);
    }
    return labels;
  }

  /** Sums the lines of an arc: returns the sum of the arc alone, and keeps the sums of its allowed labels. */
  #sumArc(weights: Weights, byKernel: boolean, h: number, m: number, pair: number): number {
    const count = this.#lines.linesOf(h, m);
    if (byKernel) {
      const sums = this.#lineSums.sum(count);
      this.#copyLabels(sums, pair);
      return sums[0] + sums[bucketOf(h, m)];
    }
    this.#sumLabels(weights, count, pair);
    return this.#lines.sumLines(weights, count, h, m);
  }

  #scoreUnlabelled({ head, modifier }: Arcs, weights: Weights, scale: number): ScoredArcs {
    const scores = new Float64Array(head.length);
    for (let a = 0; a < head.length; a++) {
      scores[a] = scale * this.#lines.sumUnlabelled(weights, head[a], modifier[a]);
    }
    return { scores, labels: NO_LABELS };
  }

  /** Scores all arcs with their labels summed out. Cost: as `score`. */
  sum(sentence: EncodedSentence, arcs: Arcs, table: WeightTable): LabelShares {
    return new LabelShares(sentence, arcs, this.scoreAll(sentence, arcs, table));
  }

  /**
   * Adds the features of the gold tree less their expectation: the features of each arc with each label, times the
   * probability of the arc and the share of the label. Changes up to `negligible` are omitted.
   *
   * @param marginals probability of each arc
   */
  addGradient(
    shares: LabelShares,
    marginals: Float64Array,
    gold: EncodedTree,
    negligible: number,
    into: SparseVector,
  ): void {
    this.#lines.use(shares.sentence);
    if (this.#changed.length < this.#length) {
      this.#changed = new Int32Array(this.#length);
      this.#changes = new Float64Array(this.#length);
    }
    const { head, modifier } = shares.arcs;
    const { lines } = this.#lines;
    for (let a = 0; a < head.length; a++) {
      const h = head[a];
      const m = modifier[a];
      const label = gold.heads[m] === h ? gold.labels[m] : NOT_GOLD;
      const count = this.#changesOf(shares, a, marginals[a], label, negligible);
      if (count === 0) continue;
      const right = h < m;
      this.#addChanges(this.#features.arc(h, m, lines), count, into);
      this.#addChanges(this.#features.head(h, right, lines), count, into);
      this.#addChanges(this.#features.modifier(m, right, lines), count, into);
    }
  }

  /** The features of the arcs of a sentence. O(1). */
  features(sentence: EncodedSentence): SentenceArcs {
    return {
      addFeatures: (h, m, label, amount, into) => {
        this.#lines.use(sentence);
        const features = this.#features;
        const { lines } = this.#lines;
        const [bucket, right] = [bucketOf(h, m), h < m];
        addLines(lines, features.arc(h, m, lines), { bucket, label, amount }, into);
        addLines(lines, features.head(h, right, lines), { bucket, label, amount }, into);
        addLines(lines, features.modifier(m, right, lines), { bucket, label, amount }, into);
      },
      addLabelFeatures: (h, m, label, amount, into) => {
        this.#lines.use(sentence);
        this.#lines.eachLine(h, m, (line) => into.add(line + FIRST_LABEL + label, amount));
      },
      scoreLabels: (h, m, labels, table, scores) => {
        this.#lines.use(sentence);
        return this.#scoreLabels(h, m, labels, table, scores);
      },
    };
  }

  #scoreLabels(h: number, m: number, labels: Int32Array, table: WeightTable, scores: Float64Array): number {
    const weights = weightsFrom(table);
    const bucket = bucketOf(h, m);
    let own = 0;
    const sums = scores.fill(0, 0, labels.length);
    this.#lines.eachLine(h, m, (line) => {
      own += weights[line] + weights[line + bucket];
      for (let l = 0; l < labels.length; l++) sums[l] += weights[line + FIRST_LABEL + labels[l]];
    });
    for (let l = 0; l < labels.length; l++) sums[l] *= table.scale;
    return table.scale * own;
  }

  /** Writes the changes of the entries of the lines of arc a; returns their number. */
  #changesOf(shares: LabelShares, a: number, probability: number, gold: number, negligible: number): number {
    const changed = this.#changed;
    const changes = this.#changes;
    let count = 0;
    const arcGradient = (gold === NOT_GOLD ? 0 : 1) - probability;
    if (Math.abs(arcGradient) > negligible) {
      changed[count] = 0;
      changes[count++] = arcGradient;
      changed[count] = bucketOf(shares.arcs.head[a], shares.arcs.modifier[a]);
      changes[count++] = arcGradient;
    }
    for (let l = shares.start[a]; l < shares.start[a + 1]; l++) {
      const label = shares.label[l];
      const labelScore = (label === gold ? 1 : 0) - probability * exp(shares.logShares[l]);
      if (Math.abs(labelScore) <= negligible) continue;
      changed[count] = FIRST_LABEL + label;
      changes[count++] = labelScore;
    }
    return count;
  }

  #addChanges(lineCount: number, count: number, into: SparseVector): void {
    const { lines } = this.#lines;
    for (let k = 0; k < lineCount; k++) {
      const line = lines[k];
      for (let c = 0; c < count; c++) into.add(line + this.#changed[c], this.#changes[c]);
    }
  }

  /** Takes the sums of the allowed labels from the sums of all entries of lines. */
  #copyLabels(all: Int32Array, pair: number): void {
    const { start, list } = this.filter!;
    const sums = this.#labelSums;
    const to = start[pair + 1];
    for (let l = start[pair]; l < to; l++) {
      const entry = FIRST_LABEL + list[l];
      sums[entry] = all[entry];
    }
  }

  /** Sums each allowed label over all lines, four at a time so that the offset of a line serves them. */
  #sumLabels(weights: Weights, count: number, pair: number): void {
    const { start, list } = this.filter!;
    const to = start[pair + 1];
    const sums = this.#labelSums;
    const { lines } = this.#lines;
    let l = start[pair];
    for (; l + 3 < to; l += 4) {
      const [p, q] = [FIRST_LABEL + list[l], FIRST_LABEL + list[l + 1]];
      const [r, s] = [FIRST_LABEL + list[l + 2], FIRST_LABEL + list[l + 3]];
      let [sumP, sumQ, sumR, sumS] = [0, 0, 0, 0];
      for (let k = 0; k < count; k++) {
        const line = lines[k];
        sumP += weights[line + p];
        sumQ += weights[line + q];
        sumR += weights[line + r];
        sumS += weights[line + s];
      }
      sums[p] = sumP;
      sums[q] = sumQ;
      sums[r] = sumR;
      sums[s] = sumS;
    }
    for (; l < to; l++) {
      const only = FIRST_LABEL + list[l];
      let sum = 0;
      for (let k = 0; k < count; k++) sum += weights[lines[k] + only];
      sums[only] = sum;
    }
  }

  /** Returns the best label by the sums, the first among equals; -1 if no label is allowed. */
  #bestLabel(pair: number, scale: number, gold: number, cost: number): number {
    const { start, list } = this.filter!;
    const to = start[pair + 1];
    let best = -1;
    let bestScore = -Infinity;
    for (let l = start[pair]; l < to; l++) {
      const score = this.#labelScore(list[l], scale, gold, cost);
      if (score > bestScore) {
        bestScore = score;
        best = list[l];
      }
    }
    return best;
  }

  /** Returns the score of a label by the sums, where every label but `gold` costs (unless that is -1). */
  #labelScore(label: number, scale: number, gold: number, cost: number): number {
    if (label < 0) return -Infinity;
    return this.#labelSums[FIRST_LABEL + label] * scale + (gold < 0 || label === gold ? 0 : cost);
  }
}

/** Marks the gold label of arcs that are not in the gold tree. */
const NOT_GOLD = -2;

/**
 * Adds an amount to the entries of `count` lines: the first, the entry at the bucket, and the entry of the
 * label.
 */
function addLines(
  lines: Int32Array,
  count: number,
  { bucket, label, amount }: { readonly bucket: number; readonly label: number; readonly amount: number },
  into: Pick<SparseVector, "add">,
): void {
  for (let k = count - 1; k >= 0; k--) {
    const line = lines[k];
    into.add(line, amount);
    into.add(line + bucket, amount);
    if (label >= 0) into.add(line + FIRST_LABEL + label, amount);
  }
}

/** Returns the arcs of a tree as candidates: one head for each word. */
export function treeArcs(heads: Int32Array): Arcs {
  const n = heads.length - 1;
  const start = Int32Array.from({ length: n + 2 }, (_, m) => Math.max(0, m - 1));
  return { n, start, head: heads.subarray(1), modifier: Int32Array.from({ length: n }, (_, a) => a + 1) };
}

/** Returns the weights of a table, from offset 0 on. */
function weightsFrom({ values, first }: WeightTable): Weights {
  return first === 0 ? values : values.subarray(first);
}
