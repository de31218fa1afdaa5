import type { ParsingProblem } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { ArcScorer } from "../scoring/arcs/arc-scorer.ts";
import { type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";
import type { ModelWeights } from "../training/parsing-task.ts";
import { allowedLabels, type CheckedConstraints } from "./constraints.ts";

/** Scores the arcs of words whose labels are constrained, after all arcs were scored without these constraints. */
export class ConstrainedLabels {
  readonly #scorer: ArcScorer;
  readonly #filter: LabelFilter;
  readonly #strings: readonly string[];
  readonly #scores: Float64Array;

  /** @param strings the labels of the model, by number */
  constructor(scorer: ArcScorer, filter: LabelFilter, strings: readonly string[]) {
    this.#scorer = scorer;
    this.#filter = filter;
    this.#strings = strings;
    this.#scores = new Float64Array(strings.length);
  }

  /**
   * Gives the arcs of constrained words their best label that is allowed, and its score: in the scorer and in the
   * problem. O(arcs of these words · templates · labels).
   *
   * @throws NoTree when every label of a word is forbidden
   */
  choose(
    { arcs, arcScores }: ParsingProblem,
    sentence: EncodedSentence,
    constraints: CheckedConstraints,
    weights: ModelWeights,
  ): void {
    for (const m of constraints.labels.keys()) {
      for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
        const labels = this.#allowed(arcs.head[a]!, m, sentence, constraints);
        const own = this.#score(arcs.head[a]!, m, labels, weights);
        let best = -1;
        for (let l = 0; l < labels.length; l++) {
          if (best < 0 || this.#scores[l]! > this.#scores[best]!) best = l;
        }
        this.#scorer.labels[a] = best < 0 ? -1 : labels[best]!;
        arcScores[a] = best < 0 ? own : own + this.#scores[best]!;
        this.#scorer.scores[a] = arcScores[a]!;
      }
    }
  }

  /** Gives the arcs of constrained words the logarithm of the sum over their allowed labels of exp(score). */
  sum(
    { arcs, arcScores }: ParsingProblem,
    sentence: EncodedSentence,
    constraints: CheckedConstraints,
    weights: ModelWeights,
  ): void {
    for (const m of constraints.labels.keys()) {
      for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
        const labels = this.#allowed(arcs.head[a]!, m, sentence, constraints);
        const own = this.#score(arcs.head[a]!, m, labels, weights);
        arcScores[a] = labels.length === 0 ? own : own + logSum(this.#scores, labels.length);
      }
    }
  }

  /** The share of a label among those that a constrained word's arc h -> m may have; 1 when it has no number. */
  share(
    h: number,
    m: number,
    label: number,
    sentence: EncodedSentence,
    constraints: CheckedConstraints,
    weights: ModelWeights,
  ): number {
    const labels = this.#allowed(h, m, sentence, constraints);
    this.#score(h, m, labels, weights);
    const at = labels.indexOf(label);
    return at < 0 ? 1 : Math.exp(this.#scores[at]! - logSum(this.#scores, labels.length));
  }

  #allowed(h: number, m: number, { tag }: EncodedSentence, { labels }: CheckedConstraints): Int32Array {
    const { start, list } = this.#filter;
    const pair = tag[h]! * TAGS + tag[m]!;
    const usual = list.subarray(start[pair]!, start[pair + 1]!);
    return allowedLabels(m, labels.get(m)!, usual, this.#strings);
  }

  #score(h: number, m: number, labels: Int32Array, { arcs, arcScale }: ModelWeights): number {
    return this.#scorer.scoreLabels(h, m, labels, arcs, arcScale, this.#scores);
  }
}

/** Logarithm of the sum of exp over the first `count` numbers. */
function logSum(values: Float64Array, count: number): number {
  let most = -Infinity;
  for (let i = 0; i < count; i++) most = Math.max(most, values[i]!);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.exp(values[i]! - most);
  return most + Math.log(sum);
}
