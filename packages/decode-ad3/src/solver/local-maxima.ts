import { AT_MOST_ONE, KNAPSACK, NEGATED_PAIR, OR, OR_WITH_OUTPUT, PAIR, XOR } from "./kinds.ts";

/**
 * Returns the maximum of a logic constraint over all assignments, or of a knapsack over its linear
 * relaxation; inputs are negated already. Writes the best point to `best` (0 and 1, but for one input of a
 * knapsack). `x` holds the k potentials. Returns -Infinity when there is none, as for a knapsack with a
 * negative budget.
 *
 * O(k); a knapsack that is full, O(k²) in the worst case. `scratch` has at least k entries.
 */
export function localMaximum(
  kind: number,
  x: Float64Array,
  k: number,
  pairPotential: number,
  costs: Float64Array,
  costsFrom: number,
  budget: number,
  best: Float64Array,
): number {
  switch (kind) {
    case PAIR:
    case NEGATED_PAIR:
      return pairMaximum(x, pairPotential, best);
    case XOR:
      return oneMaximum(x, k, best, false);
    case AT_MOST_ONE:
      return oneMaximum(x, k, best, true);
    case OR:
      return orMaximum(x, k, best);
    case OR_WITH_OUTPUT:
      return orWithOutputMaximum(x, k, best);
    case KNAPSACK:
      return knapsackMaximum(x, k, costs, costsFrom, budget, best);
    default:
      throw new RangeError(`no closed form for kind ${kind}`);
  }
}

function pairMaximum(x: Float64Array, potential: number, best: Float64Array): number {
  const a = x[0];
  const b = x[1];
  const single = a > b ? a : b;
  const both = a + b + potential;
  const value = both > single ? both : single;
  best[0] = value > 0 && (both > single || a > b) ? 1 : 0;
  best[1] = value > 0 && (both > single || a <= b) ? 1 : 0;
  return value > 0 ? value : 0;
}

function oneMaximum(x: Float64Array, k: number, best: Float64Array, orNone: boolean): number {
  let at = 0;
  best[0] = 0;
  for (let i = 1; i < k; i++) {
    best[i] = 0;
    if (x[i] > x[at]) at = i;
  }
  if (orNone && x[at] <= 0) return 0;
  best[at] = 1;
  return x[at];
}

function orMaximum(x: Float64Array, k: number, best: Float64Array): number {
  let at = 0;
  let sum = 0;
  for (let i = 0; i < k; i++) {
    const on = x[i] > 0;
    best[i] = on ? 1 : 0;
    if (on) sum += x[i];
    if (x[i] > x[at]) at = i;
  }
  if (x[at] > 0) return sum;
  best[at] = 1;
  return x[at];
}

function orWithOutputMaximum(x: Float64Array, k: number, best: Float64Array): number {
  const some = orMaximum(x, k - 1, best);
  const output = x[k - 1];
  const value = some + output;
  best[k - 1] = value > 0 ? 1 : 0;
  if (value > 0) return value;
  for (let i = 0; i < k - 1; i++) best[i] = 0;
  return 0;
}

/**
 * Fills the budget in the order of value per cost; the last input that still fits in part is taken in part.
 */
function knapsackMaximum(
  x: Float64Array,
  k: number,
  costs: Float64Array,
  costsFrom: number,
  budget: number,
  best: Float64Array,
): number {
  if (budget < 0) return -Infinity;
  let left = budget;
  let value = 0;
  for (let i = 0; i < k; i++) {
    best[i] = x[i] > 0 ? 1 : 0;
    if (best[i] === 0) continue;
    left -= costs[costsFrom + i];
    value += x[i];
  }
  // The input with the least value per cost goes first.
  while (left < 0) {
    let worst = -1;
    let rate = Infinity;
    for (let i = 0; i < k; i++) {
      const cost = costs[costsFrom + i];
      if (best[i] === 0 || cost === 0 || x[i] / cost >= rate) continue;
      rate = x[i] / cost;
      worst = i;
    }
    if (worst < 0) break;
    const cost = costs[costsFrom + worst];
    const part = Math.max(0, 1 + left / cost);
    best[worst] = part;
    value -= (1 - part) * x[worst];
    left += (1 - part) * cost;
    if (part > 0) break;
  }
  return value;
}

/** Returns whether 0s and 1s, negated already, satisfy a logic constraint. */
export function allows(
  kind: number,
  x: Float64Array,
  k: number,
  costs: Float64Array,
  costsFrom: number,
  budget: number,
): boolean {
  let on = 0;
  let cost = 0;
  for (let i = 0; i < k; i++) {
    on += x[i];
    cost += x[i] * costs[costsFrom + i];
  }
  switch (kind) {
    case XOR:
      return on === 1;
    case AT_MOST_ONE:
      return on <= 1;
    case OR:
      return on >= 1;
    case OR_WITH_OUTPUT:
      return x[k - 1] === (on - x[k - 1] > 0 ? 1 : 0);
    case KNAPSACK:
      return cost <= budget + 1e-9 * (1 + Math.abs(budget));
    default:
      return true;
  }
}
