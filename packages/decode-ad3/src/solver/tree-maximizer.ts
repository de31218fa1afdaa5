import { type Arcs, filterArcs } from "@arcwise/core";
import { type ArborescenceSolver, createArborescenceSolver, EisnerChart } from "@arcwise/decode-mst";
import type { LocalMaximizer } from "./local-maximizer.ts";
import { RowMaximizer } from "./row-maximizer.ts";

/** Family of trees that a tree factor allows. */
export interface TreeOptions {
  /** Exactly one word is attached to the root (the default), or one or more. */
  readonly singleRoot?: boolean | undefined;
  /** Only trees without crossing arcs; false by default. */
  readonly projective?: boolean | undefined;
}

/**
 * Returns the maximizer over spanning arborescences of n words and root 0: variable i is the arc arcs[i] =
 * [head, modifier]. One maximum takes O(n²) or O(arcs log n) (`ArborescenceSolver` of decode-mst), among
 * projective trees O(n arcs + n²).
 *
 * @throws RangeError when an arc does not fit n or occurs twice
 */
export function treeMaximizer(
  n: number,
  arcs: readonly (readonly [head: number, modifier: number])[],
  options: TreeOptions = {},
): LocalMaximizer {
  return new TreeMaximizer(n, arcs, options);
}

/** A configuration is one variable per word. */
class TreeMaximizer extends RowMaximizer {
  readonly #arcs: Arcs;
  /** The variable of each arc of `arcs`, and at m (n + 1) + h the variable of h -> m, -1 if there is none. */
  readonly #variable: Int32Array;
  readonly #byPair: Int32Array;
  readonly #scores: Float64Array;
  readonly #heads: Int32Array;
  readonly #singleRoot: boolean;
  readonly #arborescences: ArborescenceSolver = createArborescenceSolver();
  readonly #chart: EisnerChart | undefined;

  constructor(n: number, pairs: readonly (readonly [number, number])[], options: TreeOptions) {
    super(pairs.length, 0, n);
    const width = n + 1;
    this.#byPair = new Int32Array(width * width).fill(-1);
    pairs.forEach(([h, m], i) => {
      const fits =
        Number.isInteger(h) && Number.isInteger(m) && h >= 0 && h <= n && m >= 1 && m <= n && h !== m;
      if (!fits)
        throw new RangeError(
          `an arc must join two of the positions 0..${n}, the modifier not 0, got ${h} -> ${m}`,
        );
      if (this.#byPair[m * width + h] >= 0) throw new RangeError(`the arc ${h} -> ${m} must occur once`);
      this.#byPair[m * width + h] = i;
    });
    this.#arcs = filterArcs(n, (h, m) => this.#byPair[m * width + h] >= 0);
    const { head, modifier } = this.#arcs;
    this.#variable = Int32Array.from(head, (h, a) => this.#byPair[modifier[a] * width + h]);
    this.#scores = new Float64Array(head.length);
    this.#heads = new Int32Array(width);
    this.#singleRoot = options.singleRoot ?? true;
    this.#chart = options.projective === true ? new EisnerChart() : undefined;
  }

  maximize(potentials: Float64Array, _additional: Float64Array, slot: number): number {
    const n = this.width;
    const arcs = this.#arcs;
    const variable = this.#variable;
    const byPair = this.#byPair;
    const scores = this.#scores;
    const heads = this.#heads;
    const chart = this.#chart;
    const tree = this.rows;
    for (let a = 0; a < scores.length; a++) scores[a] = potentials[variable[a]];
    const found =
      chart === undefined
        ? this.#arborescences.arcs(arcs, scores, heads, this.#singleRoot)
        : chart.solve(arcs, scores, heads, this.#singleRoot);
    if (!found) return -Infinity;
    let value = 0;
    for (let m = 1, at = slot * n; m <= n; m++, at++) {
      const arc = byPair[m * (n + 1) + heads[m]];
      tree[at] = arc;
      value += potentials[arc];
    }
    return value;
  }

  evaluate(potentials: Float64Array, _additional: Float64Array, slot: number): number {
    const n = this.width;
    const tree = this.rows;
    let value = 0;
    for (let at = slot * n, end = at + n; at < end; at++) value += potentials[tree[at]];
    return value;
  }

  addPosteriors(slot: number, weight: number, posteriors: Float64Array): void {
    const n = this.width;
    const tree = this.rows;
    for (let at = slot * n, end = at + n; at < end; at++) posteriors[tree[at]] += weight;
  }
}
