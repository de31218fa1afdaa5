import type { ActiveSet } from "./active-set.ts";
import { GENERIC } from "./kinds.ts";
import type { Layout } from "./layout.ts";
import { allows } from "./local-maxima.ts";

/** Evaluates assignments: 0 or 1 for each variable. */
export class Assignments {
  readonly #layout: Layout;
  readonly #activeSets: readonly (ActiveSet | undefined)[];
  readonly #gathered: Float64Array;

  constructor(layout: Layout, activeSets: readonly (ActiveSet | undefined)[]) {
    this.#layout = layout;
    this.#activeSets = activeSets;
    this.#gathered = new Float64Array(layout.widest);
  }

  /** Returns whether a factor other than a generic one forbids the assignment. O(links). */
  forbidden(on: Float64Array): boolean {
    const gathered = this.#gathered;
    const layout = this.#layout;
    const { pairs, factors, start, variable, flip, kind, cost, budget } = layout;
    for (let f = pairs; f < factors; f++) {
      if (kind[f] === GENERIC) continue;
      const from = start[f];
      const k = start[f + 1] - from;
      for (let i = 0, l = from; i < k; i++, l++) {
        const value = on[variable[l]];
        gathered[i] = flip[l] === 1 ? 1 - value : value;
      }
      if (!allows(kind[f], gathered, k, cost, from, budget[f])) return true;
    }
    return false;
  }

  /**
   * Returns the value of an assignment, -Infinity when a factor forbids it. O(links) and a maximum of each
   * generic factor.
   */
  value(on: Float64Array): number {
    if (this.forbidden(on)) return -Infinity;
    const layout = this.#layout;
    const activeSets = this.#activeSets;
    const { variables, potential, pairs, factors, start, variable, flip, kind, pairPotential } = layout;
    let total = 0;
    for (let v = 0; v < variables; v++) total += on[v] * potential[v];
    for (let f = 0, l = 0; f < pairs; f++, l += 2) {
      total += pairPotential[f] * on[variable[l]] * on[variable[l + 1]];
    }
    for (let f = pairs; f < factors; f++) {
      const from = start[f];
      if (kind[f] === GENERIC) {
        const set = activeSets[f]!;
        for (let i = 0; i < set.input.length; i++) set.output[i] = on[variable[from + i]];
        total += set.scoreOf(set.output, layout.potentials[f]!);
        if (total === -Infinity) return total;
      } else if (pairPotential[f] !== 0) {
        const a = Math.abs(flip[from] - on[variable[from]]);
        const b = Math.abs(flip[from + 1] - on[variable[from + 1]]);
        total += pairPotential[f] * a * b;
      }
    }
    return total;
  }

  /** Makes a feasible assignment the solution of all generic factors. */
  settle(on: Float64Array): void {
    const layout = this.#layout;
    const activeSets = this.#activeSets;
    for (let f = layout.pairs; f < layout.factors; f++) {
      const set = activeSets[f];
      if (set === undefined) continue;
      const from = layout.start[f];
      for (let i = 0; i < set.input.length; i++) set.output[i] = on[layout.variable[from + i]];
      set.scoreOf(set.output, layout.potentials[f]!);
      set.settle();
    }
  }
}
