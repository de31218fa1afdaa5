import type { ActiveSet } from "./active-set.ts";
import { AT_MOST_ONE, GENERIC, NEGATED_PAIR, PAIR, XOR } from "./kinds.ts";
import type { Layout } from "./layout.ts";
import { localMaximum } from "./local-maxima.ts";

/**
 * Max-marginals of a factor: for each of its inputs, after negation, the highest value with the input on
 * minus the highest with it off. Both values are bounded, in case one of them is impossible.
 */
export class MaxMarginals {
  readonly #layout: Layout;
  readonly #activeSets: readonly (ActiveSet | undefined)[];
  readonly #point: Float64Array;

  constructor(layout: Layout, activeSets: readonly (ActiveSet | undefined)[]) {
    this.#layout = layout;
    this.#activeSets = activeSets;
    this.#point = new Float64Array(layout.widest);
  }

  /**
   * Writes the max-marginals of factor f under the potentials x to `result`. O(k) for pairs, XOR and
   * at-most-one; k + 1 maxima for everything else. Changes x during the call.
   */
  write(f: number, x: Float64Array, k: number, result: Float64Array): void {
    const kind = this.#layout.kind[f];
    if (kind === PAIR || kind === NEGATED_PAIR) {
      const c = this.#layout.pairPotential[f];
      result[0] = x[0] + Math.max(0, x[1] + c) - Math.max(0, x[1]);
      result[1] = x[1] + Math.max(0, x[0] + c) - Math.max(0, x[0]);
    } else if (k > 1 && (kind === XOR || kind === AT_MOST_ONE)) writeOne(x, k, result, kind === AT_MOST_ONE);
    else this.#writeForced(f, x, k, result);
  }

  /** Each input is pushed to the side on which the best configuration does not have it. */
  #writeForced(f: number, x: Float64Array, k: number, result: Float64Array): void {
    const value = this.#maximum(f, x, k);
    const best = this.#point.slice(0, k);
    let push = 1 + 4 * this.#layout.largest + Math.abs(value);
    for (let i = 0; i < k; i++) push += Math.abs(x[i]);
    for (let i = 0; i < k; i++) {
      const kept = x[i];
      const on = best[i] > 0.5;
      x[i] = on ? kept - push : kept + push;
      const other = this.#maximum(f, x, k) - (on ? 0 : push);
      const part = this.#point[i];
      x[i] = kept;
      // Fractional: the budget of the knapsack does not suffice for all of it.
      const complies = on ? part < 0.5 : part > 0.5;
      const difference = complies ? value - other : push;
      result[i] = on ? difference : -difference;
    }
  }

  #maximum(f: number, x: Float64Array, k: number): number {
    const { kind, pairPotential, cost, start, budget, potentials } = this.#layout;
    if (kind[f] !== GENERIC) {
      return localMaximum(kind[f], x, k, pairPotential[f], cost, start[f], budget[f], this.#point);
    }
    const set = this.#activeSets[f]!;
    for (let i = 0; i < k; i++) set.input[i] = x[i];
    return set.maximum(potentials[f]!, this.#point);
  }
}

/** Writes the max-marginals of "exactly one", or "at most one". */
function writeOne(x: Float64Array, k: number, result: Float64Array, orNone: boolean): void {
  let first = orNone ? 0 : -Infinity;
  let second = first;
  let at = -1;
  for (let i = 0; i < k; i++) {
    const value = x[i];
    if (value > first) {
      second = first;
      first = value;
      at = i;
    } else if (value > second) second = value;
  }
  for (let i = 0; i < k; i++) result[i] = x[i] - (i === at ? second : first);
}
