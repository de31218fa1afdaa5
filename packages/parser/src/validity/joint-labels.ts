import type { LabelChooser, LocalLabels } from "./label-chooser.ts";
import type { Forbidden } from "./label-rules.ts";

/** The labels of a tree, and their score. */
export interface LabelledTree {
  readonly labels: Int32Array;
  readonly score: number;
}

/** The functions and label lists by which the labels of a tree are chosen. */
export interface JointLabelsOptions {
  /** Returns the best labels of a tree; `lists` are the labels that certain words may have. */
  label(heads: Int32Array, lists: ReadonlyMap<number, Int32Array>): LabelledTree;
  /** Returns the labels that an arc has as a rule, and the labels that it has if no usual label is left. */
  listsOf(h: number, m: number): readonly Int32Array[];
  /** The labels of words whose labels are decided by constraints. */
  readonly decided: LocalLabels;
  isDecided(m: number): boolean;
}

/** Chooses the labels of a tree together, by a labeller. */
export class JointLabels implements LabelChooser {
  readonly isLocal = false;
  readonly #options: JointLabelsOptions;
  /** Trees with their best labels. */
  readonly #free = new Map<Int32Array, LabelledTree>();

  constructor(options: JointLabelsOptions) {
    this.#options = options;
  }

  labels(heads: Int32Array, forbidden: Forbidden): Int32Array {
    const { label, decided, isDecided } = this.#options;
    const lists = new Map<number, Int32Array>();
    for (let m = 1; m < heads.length; m++) {
      const list = isDecided(m) ? undefined : this.#restricted(heads[m], m, forbidden);
      if (list !== undefined) lists.set(m, list);
    }
    const labels = (lists.size === 0 ? this.#freely(heads) : label(heads, lists)).labels.slice();
    const own = heads.some((_, m) => m > 0 && isDecided(m)) ? decided.labels(heads, forbidden) : labels;
    return labels.map((label, m) => (m > 0 && isDecided(m) ? own[m] : label));
  }

  loss(heads: Int32Array, m: number, forbidden: Forbidden): number {
    const { label, listsOf, decided, isDecided } = this.#options;
    if (isDecided(m)) return decided.loss(heads, m, forbidden);
    const h = heads[m];
    const free = this.#freely(heads);
    if (!forbidden(h, m, free.labels[m])) return 0;
    const list = this.#restricted(h, m, forbidden)!;
    if (list.length === 0) return -Infinity;
    // A label that an arc has always has no score, unless it is asked for.
    const usual = listsOf(h, m)[0];
    const before = usual.length > 1 ? free : label(heads, new Map([[m, usual]]));
    return Math.min(0, label(heads, new Map([[m, list]])).score - before.score);
  }

  #freely(heads: Int32Array): LabelledTree {
    const known = this.#free.get(heads) ?? this.#options.label(heads, new Map());
    this.#free.set(heads, known);
    return known;
  }

  /** Returns the labels that are left of an arc; undefined if all usual ones are. */
  #restricted(h: number, m: number, forbidden: Forbidden): Int32Array | undefined {
    const lists = this.#options.listsOf(h, m);
    const left = lists.map((list) => list.filter((label) => !forbidden(h, m, label)));
    if (left[0].length === lists[0].length) return undefined;
    return left.find((list) => list.length > 0) ?? left[0];
  }
}
