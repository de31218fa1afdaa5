/**
 * Euclidean projections onto the convex hulls of logic constraints, in place: x[from] .. x[from + k - 1] is
 * replaced by the nearest point of the hull. Thresholds are found by Newton's method on a piecewise linear
 * function, which takes a few passes of O(k); where it takes more than log k or so, the values are sorted:
 * O(k log k) in any case. Nothing is allocated; `scratch` has at least 2 k entries.
 *
 * Martins, Figueiredo, Aguiar, Smith and Xing (2015), section 5 and appendix; Duchi, Shalev-Shwartz, Singer
 * and Chandra (2008) and Michelot (1986) for the simplex.
 */

/** Newton steps before sorting: enough for all but values that grow geometrically. */
const NEWTON_STEPS = 24;
/** Relative tolerance of a budget. */
const SMALL = 1e-14;

/** Projects onto "exactly one": the simplex. */
export function projectXor(x: Float64Array, from: number, k: number, scratch: Float64Array): void {
  const to = from + k;
  const threshold = simplexThreshold(x, from, to, scratch);
  for (let i = from; i < to; i++) {
    const value = x[i] - threshold;
    x[i] = value > 0 ? value : 0;
  }
}

/** Returns the t with sum max(0, x - t) = 1. */
function simplexThreshold(x: Float64Array, from: number, to: number, scratch: Float64Array): number {
  let sum = -1;
  for (let i = from; i < to; i++) sum += x[i];
  let count = to - from;
  let threshold = sum / count;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let kept = 0;
    sum = -1;
    for (let i = from; i < to; i++) {
      if (x[i] <= threshold) continue;
      sum += x[i];
      kept++;
    }
    if (kept === count || kept === 0) return threshold;
    count = kept;
    threshold = sum / count;
  }
  return sortedThreshold(x, from, to, -1, 0, scratch);
}

/**
 * Returns the t with sum max(0, x - t) = weight t - offset, where offset = `initial`, over values in
 * descending order.
 */
function sortedThreshold(
  x: Float64Array,
  from: number,
  to: number,
  initial: number,
  weight: number,
  scratch: Float64Array,
): number {
  const k = to - from;
  for (let i = 0; i < k; i++) scratch[i] = x[from + i];
  sortAscending(scratch, k);
  let sum = initial;
  let count = weight;
  let threshold = count > 0 ? sum / count : -Infinity;
  for (let i = k - 1; i >= 0; i--) {
    if (scratch[i] <= threshold) break;
    sum += scratch[i];
    count++;
    threshold = sum / count;
  }
  return threshold;
}

/** Projects onto "at most one". */
export function projectAtMostOne(x: Float64Array, from: number, k: number, scratch: Float64Array): void {
  const to = from + k;
  let sum = 0;
  for (let i = from; i < to; i++) if (x[i] > 0) sum += x[i];
  if (sum > 1) {
    projectXor(x, from, k, scratch);
    return;
  }
  for (let i = from; i < to; i++) if (x[i] < 0) x[i] = 0;
}

/** Projects onto "at least one". */
export function projectOr(x: Float64Array, from: number, k: number, scratch: Float64Array): void {
  const to = from + k;
  let sum = 0;
  for (let i = from; i < to; i++) sum += clip(x[i]);
  if (sum < 1) {
    projectXor(x, from, k, scratch);
    return;
  }
  for (let i = from; i < to; i++) x[i] = clip(x[i]);
}

/** Projects onto "the last one is the OR of the others". */
export function projectOrWithOutput(x: Float64Array, from: number, k: number, scratch: Float64Array): void {
  const last = from + k - 1;
  // Nearest point in which no input exceeds the output; without those above it, the output is a mean.
  const output = x[last];
  const level = clip(coneThreshold(x, from, last, output, scratch));
  let sum = 0;
  for (let i = from; i < last; i++) {
    const value = clip(x[i]);
    sum += value < level ? value : level;
  }
  if (sum >= level) {
    for (let i = from; i < last; i++) {
      const value = clip(x[i]);
      x[i] = value < level ? value : level;
    }
    x[last] = level;
    return;
  }
  // Inputs do not reach the output: at the nearest point they add up to it, which is XOR with the output
  // negated.
  x[last] = 1 - output;
  projectXor(x, from, k, scratch);
  x[last] = 1 - x[last];
}

/** Returns the t with t - output = sum max(0, x - t). */
function coneThreshold(
  x: Float64Array,
  from: number,
  to: number,
  output: number,
  scratch: Float64Array,
): number {
  let threshold = output;
  let count = 0;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let kept = 0;
    let sum = output;
    for (let i = from; i < to; i++) {
      if (x[i] <= threshold) continue;
      sum += x[i];
      kept++;
    }
    if (kept === count) return threshold;
    count = kept;
    threshold = sum / (count + 1);
  }
  return sortedThreshold(x, from, to, output, 1, scratch);
}

/**
 * Projects onto "costs, all of them >= 0, sum to at most the budget", as a linear constraint. Costs begin at
 * `from`.
 */
export function projectKnapsack(
  x: Float64Array,
  from: number,
  k: number,
  costs: Float64Array,
  costsFrom: number,
  budget: number,
  scratch: Float64Array,
): void {
  let sum = 0;
  for (let i = 0; i < k; i++) sum += costs[costsFrom + i] * clip(x[from + i]);
  const threshold = sum <= budget ? 0 : knapsackThreshold(x, from, k, costs, costsFrom, budget, scratch);
  for (let i = 0; i < k; i++) x[from + i] = clip(x[from + i] - threshold * costs[costsFrom + i]);
}

/** Returns the t >= 0 with sum c clip(x - t c) = budget, by Newton's method within a bracket. */
function knapsackThreshold(
  x: Float64Array,
  from: number,
  k: number,
  costs: Float64Array,
  costsFrom: number,
  budget: number,
  scratch: Float64Array,
): number {
  const small = SMALL * (1 + budget);
  let low = 0;
  let high = Infinity;
  let threshold = 0;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let excess = -budget;
    let weight = 0;
    for (let i = 0; i < k; i++) {
      const cost = costs[costsFrom + i];
      const value = x[from + i] - threshold * cost;
      if (value <= 0) continue;
      if (value >= 1) excess += cost;
      else {
        excess += cost * value;
        weight += cost * cost;
      }
    }
    if (Math.abs(excess) <= small) return threshold;
    if (excess > 0) low = threshold;
    else high = threshold;
    const next = threshold + excess / weight;
    if (!(next > low && next < high)) break;
    threshold = next;
  }
  return sortedKnapsackThreshold(x, from, k, costs, costsFrom, budget, scratch);
}

/** Returns the same threshold, by sorting the breakpoints and bisection. */
function sortedKnapsackThreshold(
  x: Float64Array,
  from: number,
  k: number,
  costs: Float64Array,
  costsFrom: number,
  budget: number,
  scratch: Float64Array,
): number {
  let count = 0;
  for (let i = 0; i < k; i++) {
    const cost = costs[costsFrom + i];
    if (cost <= 0) continue;
    const value = x[from + i];
    if (value > 0) scratch[count++] = value / cost;
    if (value > 1) scratch[count++] = (value - 1) / cost;
  }
  sortAscending(scratch, count);
  // The last breakpoint at which the costs are still above the budget; -1 stands for 0.
  let low = -1;
  let high = count - 1;
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (costAt(scratch[middle], x, from, k, costs, costsFrom) > budget) low = middle;
    else high = middle - 1;
  }
  const left = low < 0 ? 0 : scratch[low];
  const right = low + 1 < count ? scratch[low + 1] : left;
  const atLeft = costAt(left, x, from, k, costs, costsFrom);
  const atRight = costAt(right, x, from, k, costs, costsFrom);
  return atRight < atLeft ? left + ((atLeft - budget) / (atLeft - atRight)) * (right - left) : right;
}

function costAt(
  threshold: number,
  x: Float64Array,
  from: number,
  k: number,
  costs: Float64Array,
  costsFrom: number,
): number {
  let sum = 0;
  for (let i = 0; i < k; i++) {
    const cost = costs[costsFrom + i];
    sum += cost * clip(x[from + i] - threshold * cost);
  }
  return sum;
}

/**
 * Projects onto the hull of a pair: finds the z nearest to x[from], x[from + 1], where `potential` is added
 * for the largest z12 that the local polytope allows, min(z1, z2) or, when negative, max(0, z1 + z2 - 1).
 */
export function projectPair(x: Float64Array, from: number, potential: number): void {
  let a = x[from];
  let b = x[from + 1];
  let c = potential;
  if (c < 0) {
    a += c;
    b = 1 - b;
    c = -c;
  }
  let first: number;
  let second: number;
  if (a > b + c) {
    first = a;
    second = b + c;
  } else if (b > a + c) {
    first = a + c;
    second = b;
  } else {
    first = (a + b + c) / 2;
    second = first;
  }
  x[from] = clip(first);
  x[from + 1] = potential < 0 ? 1 - clip(second) : clip(second);
}

function clip(value: number): number {
  return value > 0 ? (value < 1 ? value : 1) : 0;
}

/** Sorts values[0] .. values[count - 1]: by insertion when few, otherwise by heaps. O(count log count). */
export function sortAscending(values: Float64Array, count: number): void {
  if (count <= 24) {
    for (let i = 1; i < count; i++) {
      const value = values[i];
      let j = i - 1;
      for (; j >= 0 && values[j] > value; j--) values[j + 1] = values[j];
      values[j + 1] = value;
    }
    return;
  }
  for (let root = (count >> 1) - 1; root >= 0; root--) siftDown(values, root, count, values[root]);
  for (let end = count - 1; end > 0; end--) {
    const value = values[end];
    values[end] = values[0];
    siftDown(values, 0, end, value);
  }
}

/** Puts `value` where it belongs in the heap below `root`. */
function siftDown(values: Float64Array, root: number, end: number, value: number): void {
  let at = root;
  for (let child = 2 * at + 1; child < end; child = 2 * at + 1) {
    if (child + 1 < end && values[child + 1] > values[child]) child++;
    if (values[child] <= value) break;
    values[at] = values[child];
    at = child;
  }
  values[at] = value;
}
