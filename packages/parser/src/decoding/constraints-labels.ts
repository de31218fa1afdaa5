import type { Arcs } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import type { ScoredArcs } from "../scoring/arcs/arc-scorer.ts";
import type { SentenceLabels } from "../scoring/sentence-labels.ts";
import { allowedLabels, type CheckedConstraints } from "./constraints.ts";

/** Chooses and scores the labels of words whose labels are constrained. */
export class ConstrainedLabels {
  readonly #labels: SentenceLabels;
  readonly #strings: readonly string[];
  readonly #constraints: CheckedConstraints;
  readonly #scores: Float64Array;

  /** @param strings the labels of the model, by index */
  constructor(labels: SentenceLabels, strings: readonly string[], constraints: CheckedConstraints) {
    this.#labels = labels;
    this.#strings = strings;
    this.#constraints = constraints;
    this.#scores = new Float64Array(strings.length);
  }

  /**
   * Gives the arcs of constrained words their best allowed label, and its score. O(arcs of these words ·
   * templates · labels).
   */
  choose(arcs: Arcs, { scores, labels: chosen }: ScoredArcs): void {
    for (const m of this.#constraints.labels.keys()) {
      for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
        const labels = this.#allowed(arcs.head[a]!, m);
        const own = this.#score(arcs.head[a]!, m, labels);
        const best = this.#bestOf(labels);
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

  /** Returns the best allowed label of the arc h -> m of a constrained word; -1 when the model does not have it. */
  best(h: number, m: number): number {
    const labels = this.#allowed(h, m);
    this.#score(h, m, labels);
    return labels[this.#bestOf(labels)] ?? -1;
  }

  /** Returns the index of the label with the highest score; -1 without labels. */
  #bestOf(labels: Int32Array): number {
    let best = -1;
    for (let l = 0; l < labels.length; l++) {
      if (best < 0 || this.#scores[l]! > this.#scores[best]!) best = l;
    }
    return best;
  }

  #allowed(h: number, m: number): Int32Array {
    return allowedLabels(m, this.#constraints.labels.get(m)!, this.#labels.usual(h, m), this.#strings);
  }

  #score(h: number, m: number, labels: Int32Array): number {
    return this.#labels.scoreLabels(h, m, labels, this.#scores);
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
