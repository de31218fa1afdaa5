import type { ActiveSet } from "./active-set.ts";
import type { Layout } from "./layout.ts";
import { localMaximum } from "./local-maxima.ts";

/**
 * Dual function of a factor graph: the sum of the factors' maxima under potentials shared among them, which
 * is an upper bound of every assignment's value. Shares are first corrected to sum to the log-potential of
 * each free variable, so that rounding in the multipliers cannot make the bound too low; a fixed variable
 * contributes the difference at its value.
 */
export class DualBound {
  readonly #layout: Layout;
  readonly #activeSets: readonly (ActiveSet | undefined)[];
  /** Per variable: the correction of each of its links. */
  readonly #correction: Float64Array;
  readonly #gathered: Float64Array;
  readonly #best: Float64Array;
  /** Per link, the value at the maxima: 0 or 1, or between for a knapsack. */
  readonly point: Float64Array;

  constructor(layout: Layout, activeSets: readonly (ActiveSet | undefined)[]) {
    this.#layout = layout;
    this.#activeSets = activeSets;
    const { variables, links, widest } = layout;
    this.#correction = new Float64Array(variables);
    this.point = new Float64Array(links);
    this.#gathered = new Float64Array(widest);
    this.#best = new Float64Array(widest);
  }

  /**
   * Returns the bound, for a potential of `scale * shares[l]` at each link; -Infinity when a factor allows
   * nothing.
   */
  evaluate(shares: Float64Array, scale: number, fixed: Int8Array, writePoint = false): number {
    const total = this.#share(shares, scale, fixed);
    return (
      total +
      this.#pairs(shares, scale, writePoint) +
      this.#constraints(shares, scale, writePoint) +
      this.#generics(shares, scale, writePoint)
    );
  }

  /**
   * Writes the corrections; returns the contribution of fixed variables, and of those in no factor, to the
   * bound.
   */
  #share(shares: Float64Array, scale: number, fixed: Int8Array): number {
    const correction = this.#correction;
    const { variables, links, variable, potential, degree } = this.#layout;
    correction.fill(0);
    for (let l = 0; l < links; l++) correction[variable[l]] += scale * shares[l];
    let total = 0;
    for (let v = 0; v < variables; v++) {
      const missing = potential[v] - correction[v];
      const free = fixed[v] < 0;
      if (!free) total += fixed[v] * missing;
      else if (degree[v] === 0 && missing > 0) total += missing;
      correction[v] = free && degree[v] > 0 ? missing / degree[v] : 0;
    }
    return total;
  }

  #pairs(shares: Float64Array, scale: number, writePoint: boolean): number {
    const { point } = this;
    const correction = this.#correction;
    const { pairs, variable, pairPotential } = this.#layout;
    let total = 0;
    for (let f = 0, l = 0; f < pairs; f++, l += 2) {
      const a = scale * shares[l] + correction[variable[l]];
      const b = scale * shares[l + 1] + correction[variable[l + 1]];
      const both = a + b + pairPotential[f];
      const single = a > b ? a : b;
      const best = both > single ? both : single;
      if (best > 0) total += best;
      if (!writePoint) continue;
      const on = best > 0;
      point[l] = on && (both > single || a > b) ? 1 : 0;
      point[l + 1] = on && (both > single || a <= b) ? 1 : 0;
    }
    return total;
  }

  #constraints(shares: Float64Array, scale: number, writePoint: boolean): number {
    const { point } = this;
    const correction = this.#correction;
    const gathered = this.#gathered;
    const best = this.#best;
    const layout = this.#layout;
    const { pairs, generic, start, variable, flip, kind, pairPotential, cost, budget } = layout;
    let total = 0;
    for (let f = pairs; f < generic; f++) {
      const from = start[f];
      const k = start[f + 1] - from;
      for (let i = 0, l = from; i < k; i++, l++) {
        const value = scale * shares[l] + correction[variable[l]];
        gathered[i] = flip[l] === 1 ? -value : value;
        if (flip[l] === 1) total += value;
      }
      total += localMaximum(kind[f], gathered, k, pairPotential[f], cost, from, budget[f], best);
      if (!writePoint) continue;
      for (let i = 0, l = from; i < k; i++, l++) point[l] = flip[l] === 1 ? 1 - best[i] : best[i];
    }
    return total;
  }

  #generics(shares: Float64Array, scale: number, writePoint: boolean): number {
    const { point } = this;
    const correction = this.#correction;
    const best = this.#best;
    const activeSets = this.#activeSets;
    const layout = this.#layout;
    const { generic, factors, start, variable, potentials } = layout;
    let total = 0;
    for (let f = generic; f < factors; f++) {
      const from = start[f];
      const k = start[f + 1] - from;
      const { input } = activeSets[f]!;
      for (let i = 0, l = from; i < k; i++, l++) {
        input[i] = scale * shares[l] + correction[variable[l]];
      }
      total += activeSets[f]!.maximum(potentials[f]!, writePoint ? best : undefined);
      if (!writePoint) continue;
      for (let i = 0, l = from; i < k; i++, l++) point[l] = best[i];
    }
    return total;
  }
}
