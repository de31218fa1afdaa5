import type { LocalMaximizer } from "./local-maximizer.ts";

/** A configuration, as lists. */
export interface Configuration {
  /** The variables that are on, each once. */
  readonly on: readonly number[];
  /** The additional potentials that it has, each once; none by default. */
  readonly paid?: readonly number[] | undefined;
}

/** A custom factor, defined by a function that finds its best configuration. */
export interface OwnFactor {
  /** Number of binary variables. */
  readonly variables: number;
  /** Number of additional potentials; 0 by default. */
  readonly additional?: number | undefined;
  /**
   * Returns a configuration whose variables and additional potentials have the highest sum of potentials, or
   * undefined if every configuration is forbidden. The arrays must not be kept or changed.
   */
  maximize(variable: Float64Array, additional: Float64Array): Configuration | undefined;
}

/**
 * Makes a local maximizer of a function that finds the best configuration. Everything else follows from the
 * lists that it returns, at O(their length). It allocates as much as the function does; write a
 * `LocalMaximizer` where that is too slow.
 *
 * The maximizer throws RangeError when a configuration names a variable or an additional potential that does
 * not exist, or names one twice.
 *
 * @example
 * import { ad3, FactorGraph, ownMaximizer } from "@arcwise/decode-ad3";
 *
 * // The variables that are on are consecutive; there may be none.
 * const stretch = (variables: number) =>
 *   ownMaximizer({
 *     variables,
 *     maximize: (scores) => {
 *       let best = { value: 0, from: 0, to: 0 };
 *       for (let from = 0, to = 0, value = 0; to < variables; ) {
 *         value += scores[to++]!;
 *         if (value > best.value) best = { value, from, to };
 *         if (value < 0) [from, value] = [to, 0];
 *       }
 *       return { on: Array.from({ length: best.to - best.from }, (_, i) => best.from + i) };
 *     },
 *   });
 *
 * const graph = new FactorGraph();
 * const hours = [2, -1, 2, -5, 4].map((score) => graph.addVariable(score));
 * graph.addGeneric(hours, stretch(5));
 * graph.addBudget(hours, 2);
 * const { status, value, posteriors } = ad3(graph);
 * console.log(status, value, posteriors.join(" ")); // integral 4 0 0 0 0 1
 */
export function ownMaximizer(factor: OwnFactor): LocalMaximizer {
  const { variables, additional: parts = 0 } = factor;
  const slots: { on: readonly number[]; paid: readonly number[] }[] = [];
  const empty: readonly number[] = [];

  function maximize(variable: Float64Array, additional: Float64Array, slot: number): number {
    const best = factor.maximize(variable, additional);
    if (best === undefined) return -Infinity;
    const on = best.on.slice().sort((a, b) => a - b);
    const paid = (best.paid ?? empty).slice().sort((a, b) => a - b);
    checkList("variables", on, variables);
    checkList("additional potentials", paid, parts);
    slots[slot] = { on, paid };
    return evaluate(variable, additional, slot);
  }

  function evaluate(variable: Float64Array, additional: Float64Array, slot: number): number {
    const { on, paid } = slots[slot];
    let value = 0;
    for (const i of on) value += variable[i];
    for (const i of paid) value += additional[i];
    return value;
  }

  return {
    variables,
    additional: parts,
    reserve: () => {},
    maximize,
    evaluate,
    addPosteriors: (slot, weight, variable, additional) => {
      for (const i of slots[slot].on) variable[i] += weight;
      for (const i of slots[slot].paid) additional[i] += weight;
    },
    countCommon: (slot, other) => common(slots[slot].on, slots[other].on),
    same: (slot, other) =>
      equal(slots[slot].on, slots[other].on) && equal(slots[slot].paid, slots[other].paid),
  };
}

function checkList(what: string, ascending: readonly number[], count: number): void {
  ascending.forEach((value, i) => {
    if (Number.isInteger(value) && value >= 0 && value < count && value !== ascending[i - 1]) return;
    throw new RangeError(
      `${what} of a configuration must be below ${count}, each once, got ${ascending.join(" ")}`,
    );
  });
}

function common(a: readonly number[], b: readonly number[]): number {
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i] - b[j];
    if (difference === 0) count++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return count;
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
