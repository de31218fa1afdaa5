import type { Arcs } from "@arcwise/core";
import { createArborescenceSolver, EisnerChart } from "@arcwise/decode-mst";
import { ArcFactor } from "./arc-factor.ts";

/** Family of trees that a parser chooses from. */
export interface TreeFamily {
  /** Exactly one word is attached to the root (the default), or one or more. */
  readonly singleRoot?: boolean | undefined;
  /** Only trees without crossing arcs; false by default. */
  readonly projective?: boolean | undefined;
}

/**
 * Factor whose configurations are spanning arborescences, or projective trees; variables are all candidate
 * arcs by index. One maximum takes O(arcs log n), or O(n²) on dense candidates; projective, O(n arcs + n²).
 */
export class TreeFactor extends ArcFactor {
  /** Heads of the tree that the last maximum found. */
  heads = new Int32Array(0);
  /** Called with every tree that is found: it may score more than others in the whole problem. */
  onTree: (() => void) | undefined;
  readonly #arborescences = createArborescenceSolver();
  readonly #chart = new EisnerChart();
  readonly #singleRoot: boolean;
  readonly #projective: boolean;
  #candidates: Arcs | undefined;
  #scores = new Float64Array(0);

  constructor(family: TreeFamily = {}) {
    super();
    this.#singleRoot = family.singleRoot ?? true;
    this.#projective = family.projective ?? false;
  }

  reset(arcs: Arcs): void {
    this.#candidates = arcs;
    this.onTree = undefined;
    this.start(arcs.head.length, arcs.n);
    for (let arc = 0; arc < this.variables; arc++) this.arcs[arc] = arc;
    if (this.#scores.length !== this.variables) this.#scores = new Float64Array(this.variables);
    if (this.heads.length !== arcs.n + 1) this.heads = new Int32Array(arcs.n + 1);
  }

  /**
   * Returns the score of a best tree, -Infinity when there is none; writes the tree to the slot and to
   * `heads`. Potentials are finite, or -Infinity for arcs that must not be used.
   */
  protected best(potentials: Float64Array, slot: number): number {
    const { heads, variables, places } = this;
    const scores = this.#scores;
    const arcs = this.#candidates!;
    for (let arc = 0; arc < variables; arc++) scores[arc] = potentials[arc];
    const found = this.#projective
      ? this.#chart.solve(arcs, scores, heads, this.#singleRoot)
      : this.#arborescences.arcs(arcs, scores, heads, this.#singleRoot);
    if (!found) return -Infinity;
    const { n, start, head } = arcs;
    let at = slot * this.stride;
    places[at] = n;
    this.own[slot] = 0;
    let value = 0;
    for (let m = 1; m <= n; m++) {
      let arc = start[m];
      while (head[arc] !== heads[m]) arc++;
      places[++at] = arc;
      value += scores[arc];
    }
    this.onTree?.();
    return value;
  }

  /** Calls `onTree` with the best tree by arc scores alone, without potentials. */
  round(scores: Float64Array): void {
    this.best(scores, 0);
  }

  configure(on: Uint8Array, slot: number): number {
    const { places, stride, variables } = this;
    let at = slot * stride;
    places[at] = stride - 1;
    this.own[slot] = 0;
    for (let arc = 0; arc < variables; arc++) if (on[arc] === 1) places[++at] = arc;
    return 0;
  }
}
