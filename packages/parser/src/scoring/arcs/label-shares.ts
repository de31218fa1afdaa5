import type { Arcs } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import { type LabelFilter, TAGS } from "./label-filter.ts";

/**
 * Scores of arcs with their labels summed out, and the share of each allowed label in the sum of its arc. In
 * an unlabelled model the scores are scores of arcs, and there are no shares.
 */
export class LabelShares {
  readonly sentence: EncodedSentence;
  readonly arcs: Arcs;
  /** For each arc, the logarithm of the sum over its allowed labels of exp(score). */
  readonly scores: Float64Array;
  /** Logarithms of the shares of the labels of arc a are at `start[a] .. start[a + 1] - 1`. */
  readonly start: Int32Array;
  readonly logShares: Float64Array;
  readonly #filter: LabelFilter | undefined;

  /** Allocates entries for all allowed labels; the caller fills in scores and shares. O(arcs). */
  constructor(sentence: EncodedSentence, arcs: Arcs, filter: LabelFilter | undefined) {
    const count = arcs.head.length;
    this.sentence = sentence;
    this.arcs = arcs;
    this.scores = new Float64Array(count);
    this.start = new Int32Array(count + 1);
    this.#filter = filter;
    if (filter !== undefined) {
      for (let a = 0; a < count; a++) {
        const pair = this.pair(a);
        this.start[a + 1] = this.start[a] + filter.start[pair + 1] - filter.start[pair];
      }
    }
    this.logShares = new Float64Array(this.start[count]);
  }

  /** Pair of tags of an arc: its allowed labels are the labels of the pair in the filter. */
  pair(a: number): number {
    const { tag } = this.sentence;
    return tag[this.arcs.head[a]] * TAGS + tag[this.arcs.modifier[a]];
  }

  /** Logarithm of the share of a label among the labels of arc a; -Infinity when not allowed. */
  logShare(a: number, label: number): number {
    if (this.#filter === undefined) return 0;
    const { start, list } = this.#filter;
    const pair = this.pair(a);
    for (let l = start[pair]; l < start[pair + 1]; l++) {
      if (list[l] === label) return this.logShares[this.start[a] + l - start[pair]];
    }
    return -Infinity;
  }

  /** Returns the label of the share at index `place`, which belongs to arc a. */
  label(a: number, place: number): number {
    return this.#filter!.list[this.#filter!.start[this.pair(a)] + place - this.start[a]];
  }
}
