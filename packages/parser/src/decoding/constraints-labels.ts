import type { Arcs } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import type { EncodedSentence, WeightTable } from "@arcwise/core/features";
import type { ArcScorer, ScoredArcs, SentenceArcs } from "../scoring/arcs/arc-scorer.ts";
import { type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";
import { allowedLabels, type CheckedConstraints } from "./constraints.ts";

/** The scorer of labels, and the labels of a model. */
export interface LabelModel {
  readonly scorer: ArcScorer;
  readonly filter: LabelFilter;
  /** The labels of the model, by index. */
  readonly strings: readonly string[];
  readonly table: WeightTable;
}

/** Chooses and scores the labels of words whose labels are constrained. */
export class ConstrainedLabels {
  readonly #model: LabelModel;
  readonly #sentence: EncodedSentence;
  readonly #constraints: CheckedConstraints;
  readonly #features: SentenceArcs;
  readonly #scores: Float64Array;

  constructor(model: LabelModel, sentence: EncodedSentence, constraints: CheckedConstraints) {
    this.#model = model;
    this.#sentence = sentence;
    this.#constraints = constraints;
    this.#features = model.scorer.features(sentence);
    this.#scores = new Float64Array(model.strings.length);
  }

  /**
   * Gives the arcs of constrained words their best allowed label, and its score. O(arcs of these words ·
   * templates · labels).
   *
   * @throws NoTree when every label of a word is forbidden
   */
  choose(arcs: Arcs, { scores, labels: chosen }: ScoredArcs): void {
    for (const m of this.#constraints.labels.keys()) {
      for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
        const labels = this.#allowed(arcs.head[a]!, m);
        const own = this.#score(arcs.head[a]!, m, labels);
        let best = -1;
        for (let l = 0; l < labels.length; l++) {
          if (best < 0 || this.#scores[l]! > this.#scores[best]!) best = l;
        }
        chosen[a] = best < 0 ? -1 : labels[best]!;
        scores[a] = best < 0 ? own : own + this.#scores[best]!;
      }
    }
  }

  /** Gives the arcs of constrained words the logarithm of the sum over their allowed labels of exp(score). */
  sum(arcs: Arcs, scores: Float64Array): void {
    for (const m of this.#constraints.labels.keys()) {
      for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
        const labels = this.#allowed(arcs.head[a]!, m);
        const own = this.#score(arcs.head[a]!, m, labels);
        scores[a] = labels.length === 0 ? own : own + logSum(this.#scores, labels.length);
      }
    }
  }

  /**
   * Returns the probability of a label among those that a constrained word's arc h -> m may have; 1 when the
   * model does not have the label.
   */
  share(h: number, m: number, label: number): number {
    const labels = this.#allowed(h, m);
    this.#score(h, m, labels);
    const at = labels.indexOf(label);
    return at < 0 ? 1 : exp(this.#scores[at]! - logSum(this.#scores, labels.length));
  }

  #allowed(h: number, m: number): Int32Array {
    const { filter, strings } = this.#model;
    const { tag } = this.#sentence;
    const pair = tag[h]! * TAGS + tag[m]!;
    const usual = filter.list.subarray(filter.start[pair]!, filter.start[pair + 1]!);
    return allowedLabels(m, this.#constraints.labels.get(m)!, usual, strings);
  }

  #score(h: number, m: number, labels: Int32Array): number {
    return this.#features.scoreLabels(h, m, labels, this.#model.table, this.#scores);
  }
}

/** Returns the logarithm of the sum of exp over the first `count` values. */
function logSum(values: Float64Array, count: number): number {
  let most = -Infinity;
  for (let i = 0; i < count; i++) most = Math.max(most, values[i]!);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += exp(values[i]! - most);
  return most + log(sum);
}
