import { ArcFactor } from "../trees/arc-factor.ts";

/** The variables of an arc in a predicate's factor. */
export interface PredicateArc {
  readonly arc: number;
  /** Labels of which at most one is on, if the arc is. */
  readonly labels: readonly number[];
  /** Whether one of them is on when the arc is. */
  readonly isLabelled: boolean;
}

/**
 * Factor of the basic parts of one predicate: arcs that are on need the predicate and have one label each
 * (Martins and Almeida 2014). An arc is profitable if it and its best label sum to more than 0, the predicate
 * if it and its profitable arcs do. A maximum takes O(labelled arcs).
 */
export class PredicateFactor extends ArcFactor {
  /** All scores are potentials of variables. */
  override readonly ownScores = false;
  readonly #hasPredicate: boolean;
  /**
   * Per arc: first variable of its labels and the one after the last; the arc's own variable precedes them.
   */
  readonly #labelStart: Int32Array;
  readonly #labelEnd: Int32Array;
  readonly #isLabelled: Uint8Array;

  /** `predicate`: its variable; undefined if it needs none. */
  constructor(predicate: number | undefined, members: readonly PredicateArc[]) {
    super();
    const variables = predicate === undefined ? [] : [predicate];
    this.#hasPredicate = predicate !== undefined;
    this.#labelStart = new Int32Array(members.length);
    this.#labelEnd = new Int32Array(members.length);
    this.#isLabelled = Uint8Array.from(members, (member) => (member.isLabelled ? 1 : 0));
    for (const [i, { arc, labels }] of members.entries()) {
      variables.push(arc);
      this.#labelStart[i] = variables.length;
      variables.push(...labels);
      this.#labelEnd[i] = variables.length;
    }
    this.start(variables.length, variables.length);
    this.arcs.set(variables);
  }

  protected best(potentials: Float64Array, slot: number): number {
    const { places } = this;
    const labelStart = this.#labelStart;
    const labelEnd = this.#labelEnd;
    const isLabelled = this.#isLabelled;
    const hasPredicate = this.#hasPredicate;
    const from = slot * this.stride;
    let at = from;
    let value = 0;
    if (hasPredicate) {
      places[++at] = 0;
      value = potentials[0];
    }
    for (let i = 0; i < labelStart.length; i++) {
      const first = labelStart[i];
      let gain = isLabelled[i] === 1 ? -Infinity : 0;
      let chosen = -1;
      for (let k = first; k < labelEnd[i]; k++) {
        if (potentials[k] <= gain) continue;
        gain = potentials[k];
        chosen = k;
      }
      gain += potentials[first - 1];
      if (gain <= 0) continue;
      value += gain;
      places[++at] = first - 1;
      if (chosen >= 0) places[++at] = chosen;
    }
    this.own[slot] = 0;
    if (hasPredicate && value <= 0) {
      places[from] = 0;
      return 0;
    }
    places[from] = at - from;
    return value;
  }

  configure(on: Uint8Array, slot: number): number {
    const { places, arcs, variables } = this;
    const from = slot * this.stride;
    let at = from;
    for (let i = 0; i < variables; i++) if (on[arcs[i]] === 1) places[++at] = i;
    places[from] = at - from;
    this.own[slot] = 0;
    return 0;
  }
}
