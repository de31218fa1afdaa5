import type { Arcs } from "@arcwise/core";
import { logSum } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";

/** Scores of candidate arcs, and of each of their allowed labels; no labels in an unlabelled model. */
export interface ScoredLabels {
  readonly arcScores: Float64Array;
  /** The labels of arc a are at `start[a] .. start[a + 1] - 1`, ascending. */
  readonly start: Int32Array;
  readonly label: Int32Array;
  readonly scores: Float64Array;
}

/**
 * Scores of arcs with their labels summed out, and the share of each allowed label in the sum of its arc. In
 * an unlabelled model the scores are scores of arcs, and there are no shares.
 */
export class LabelShares {
  readonly sentence: EncodedSentence;
  readonly arcs: Arcs;
  /** For each arc, the logarithm of the sum over its allowed labels of exp(score). */
  readonly scores: Float64Array;
  /** Labels of arc a, and the logarithms of their shares, are at `start[a] .. start[a + 1] - 1`. */
  readonly start: Int32Array;
  readonly label: Int32Array;
  readonly logShares: Float64Array;

  /** Sums out the labels of scored arcs, whose arrays it takes. O(labels). */
  constructor(sentence: EncodedSentence, arcs: Arcs, { arcScores, start, label, scores }: ScoredLabels) {
    this.sentence = sentence;
    this.arcs = arcs;
    this.scores = arcScores;
    this.start = start;
    this.label = label;
    this.logShares = scores;
    if (label.length === 0) return;
    for (let a = 0; a < arcScores.length; a++) {
      const sum = logSum(scores, start[a], start[a + 1]);
      for (let l = start[a]; l < start[a + 1]; l++) scores[l] -= sum;
      arcScores[a] += sum;
    }
  }

  /** Logarithm of the share of a label among the labels of arc a; -Infinity when not allowed. */
  logShare(a: number, label: number): number {
    if (this.label.length === 0) return 0;
    for (let l = this.start[a]; l < this.start[a + 1]; l++)
      if (this.label[l] === label) return this.logShares[l];
    return -Infinity;
  }
}
