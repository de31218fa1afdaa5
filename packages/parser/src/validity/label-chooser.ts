import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { Forbidden } from "./label-rules.ts";

/** Chooses the labels of trees among those that are not forbidden. */
export interface LabelChooser {
  /** Whether the label of an arc does not depend on other arcs, so that losses of arcs can be summed. */
  readonly isLocal: boolean;
  /** Returns the best labels of the arcs of a tree; every arc must have one that is not forbidden. */
  labels(heads: Int32Array, forbidden: Forbidden): Int32Array;
  /**
   * Returns by how much the labels of a tree score less if word m has a label that is not forbidden: 0 or
   * less, -Infinity if all its labels are forbidden.
   */
  loss(heads: Int32Array, m: number, forbidden: Forbidden): number;
}

/** The labels of one arc. */
export interface ArcLabels {
  /** The labels that it has as a rule. */
  readonly usual: Int32Array;
  /** The labels that it may have if no usual label is left. */
  readonly others: Int32Array;
  /** The score of each label, by label. */
  readonly scores: Float64Array;
}

/** Chooses the label of each arc by itself. */
export class LocalLabels implements LabelChooser {
  readonly isLocal = true;
  readonly #labelsOf: (heads: Int32Array, words: readonly number[]) => readonly ArcLabels[];
  readonly #tree: EncodedTree | undefined;
  readonly #known = new Map<string, ArcLabels>();

  /**
   * @param labelsOf scores the labels of the arcs of some words of a tree
   * @param tree a tree whose labels are the best ones: they are scored where one of them is forbidden
   */
  constructor(
    labelsOf: (heads: Int32Array, words: readonly number[]) => readonly ArcLabels[],
    tree?: EncodedTree,
  ) {
    this.#labelsOf = labelsOf;
    this.#tree = tree;
  }

  labels(heads: Int32Array, forbidden: Forbidden): Int32Array {
    const labels = new Int32Array(heads.length).fill(-1);
    for (let m = 1; m < heads.length; m++) {
      const own = this.#labelInTree(heads, m);
      labels[m] =
        own >= 0 && !forbidden(heads[m], m, own)
          ? own
          : bestOf(this.#arc(heads, m), (label) => forbidden(heads[m], m, label));
    }
    return labels;
  }

  loss(heads: Int32Array, m: number, forbidden: Forbidden): number {
    const own = this.#labelInTree(heads, m);
    if (own >= 0 && !forbidden(heads[m], m, own)) return 0;
    const arc = this.#arc(heads, m);
    const best = bestOf(arc, (label) => forbidden(heads[m], m, label));
    if (best < 0) return -Infinity;
    return Math.min(0, arc.scores[best] - arc.scores[bestOf(arc, () => false)]);
  }

  /** Returns the label of a word if the tree with the best labels has its arc, otherwise -1. */
  #labelInTree(heads: Int32Array, m: number): number {
    return this.#tree?.heads[m] === heads[m] ? this.#tree!.labels[m] : -1;
  }

  /** Returns the labels of the arc of a word; scores the new arcs of a tree together. */
  #arc(heads: Int32Array, m: number): ArcLabels {
    const key = (word: number) => `${heads[word]} ${word}`;
    const known = this.#known.get(key(m));
    if (known !== undefined) return known;
    const words = [m];
    for (let word = 1; word < heads.length; word++) {
      if (word !== m && this.#labelInTree(heads, word) < 0 && !this.#known.has(key(word))) words.push(word);
    }
    for (const [k, arc] of this.#labelsOf(heads, words).entries()) this.#known.set(key(words[k]), arc);
    return this.#known.get(key(m))!;
  }
}

/** Returns the best label of an arc that is not forbidden: a usual label if possible; -1 if all are forbidden. */
function bestOf({ usual, others, scores }: ArcLabels, isForbidden: (label: number) => boolean): number {
  for (const labels of [usual, others]) {
    let best = -1;
    for (const label of labels) {
      if ((best < 0 || scores[label] > scores[best]) && !isForbidden(label)) best = label;
    }
    if (best >= 0) return best;
  }
  return -1;
}
