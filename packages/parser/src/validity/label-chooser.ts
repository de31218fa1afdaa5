import type { Forbidden } from "./label-rules.ts";

/** Chooses the labels of trees among those that are not forbidden. */
export interface LabelChooser {
  /** Whether the label of an arc does not depend on other arcs, so that losses of arcs can be summed. */
  readonly isLocal: boolean;
  /** Returns the best labels of the arcs of a tree; every arc must have one that is not forbidden. */
  labels(heads: Int32Array, forbidden: Forbidden): Int32Array;
  /**
   * Returns by how much the labels of a tree score less where word m has a label that is not forbidden: 0 or
   * less, -Infinity if it has none.
   */
  loss(heads: Int32Array, m: number, forbidden: Forbidden): number;
}

/** The labels of one arc. */
export interface ArcLabels {
  /** The labels that it has as a rule. */
  readonly usual: Int32Array;
  /** The labels that it may have where no usual one is left. */
  readonly others: Int32Array;
  /** The score of each label, by label. */
  readonly scores: Float64Array;
}

/** Chooses the label of each arc by itself. */
export class LocalLabels implements LabelChooser {
  readonly isLocal = true;
  readonly #labelsOf: (heads: Int32Array, words: readonly number[]) => readonly ArcLabels[];
  readonly #known = new Map<string, ArcLabels>();

  /** @param labelsOf scores the labels of the arcs of some words of a tree */
  constructor(labelsOf: (heads: Int32Array, words: readonly number[]) => readonly ArcLabels[]) {
    this.#labelsOf = labelsOf;
  }

  labels(heads: Int32Array, forbidden: Forbidden): Int32Array {
    const labels = new Int32Array(heads.length).fill(-1);
    for (let m = 1; m < heads.length; m++) labels[m] = this.#best(this.of(heads, m), heads[m]!, m, forbidden);
    return labels;
  }

  loss(heads: Int32Array, m: number, forbidden: Forbidden): number {
    const arc = this.of(heads, m);
    const best = this.#best(arc, heads[m]!, m, forbidden);
    if (best < 0) return -Infinity;
    const free = this.#best(arc, heads[m]!, m, () => false);
    return Math.min(0, arc.scores[best]! - arc.scores[free]!);
  }

  /** Returns the labels of the arc of a word; scores the arcs of the tree that are new together. */
  of(heads: Int32Array, m: number): ArcLabels {
    const key = (word: number) => `${heads[word]} ${word}`;
    const known = this.#known.get(key(m));
    if (known !== undefined) return known;
    const words = Array.from(heads.keys()).filter((word) => word > 0 && !this.#known.has(key(word)));
    for (const [k, arc] of this.#labelsOf(heads, words).entries()) this.#known.set(key(words[k]!), arc);
    return this.#known.get(key(m))!;
  }

  #best({ usual, others, scores }: ArcLabels, h: number, m: number, forbidden: Forbidden): number {
    for (const labels of [usual, others]) {
      let best = -1;
      for (const label of labels) {
        if ((best < 0 || scores[label]! > scores[best]!) && !forbidden(h, m, label)) best = label;
      }
      if (best >= 0) return best;
    }
    return -1;
  }
}
