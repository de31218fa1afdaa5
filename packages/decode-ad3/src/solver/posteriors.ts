import { GENERIC } from "./kinds.ts";
import type { Layout } from "./layout.ts";
import type { Messages } from "./messages.ts";

/**
 * Rounds means to the nearest assignment; of a multi-valued variable, the state with the highest mean is on.
 * Returns whether the assignment has changed.
 */
export function roundMeans(mean: Float64Array, layout: Layout, on: Float64Array): boolean {
  const { groupStart, groupEnd, grouped } = layout;
  let changed = false;
  for (let v = 0; v < mean.length; v++) {
    if (grouped[v] === 1) continue;
    const value = mean[v] > 0.5 ? 1 : 0;
    if (on[v] !== value) changed = true;
    on[v] = value;
  }
  for (let group = 0; group < groupStart.length; group++) {
    let best = groupStart[group];
    for (let v = best + 1; v < groupEnd[group]; v++) if (mean[v] > mean[best]) best = v;
    if (on[best] === 1) continue;
    changed = true;
    for (let v = groupStart[group]; v < groupEnd[group]; v++) on[v] = v === best ? 1 : 0;
  }
  return changed;
}

/**
 * Returns the share of its potential that a pair with these inputs, negated already, scores: the best that
 * the local polytope allows.
 */
export function pairShare(a: number, b: number, potential: number): number {
  if (potential >= 0) return Math.min(a, b);
  return Math.max(0, a + b - 1);
}

/**
 * Returns the value of the means: the scores of variables, plus the scores of the factors' solutions. Exact
 * for means that every factor allows.
 */
export function relaxedValue({ mean, layout, activeSets }: Messages): number {
  const { variables, potential, factors, kind, pairPotential, start, variable, flip, potentials } = layout;
  let total = 0;
  for (let v = 0; v < variables; v++) total += mean[v] * potential[v];
  for (let f = 0; f < factors; f++) {
    if (kind[f] === GENERIC) total += activeSets[f]!.ownScore(potentials[f]!);
    if (pairPotential[f] === 0) continue;
    const l = start[f];
    const a = mean[variable[l]];
    const b = mean[variable[l + 1]];
    const share = pairShare(flip[l] === 1 ? 1 - a : a, flip[l + 1] === 1 ? 1 - b : b, pairPotential[f]);
    total += share * pairPotential[f];
  }
  return total;
}

/**
 * Writes the additional posteriors, factor by factor as in the graph: the posteriors of factor f begin at
 * `at[f]`.
 */
export function additionalPosteriors(
  messages: Messages,
  additionalStart: Int32Array,
  result: Float64Array,
): void {
  const { mean, layout, activeSets } = messages;
  const { factors, factor, kind, pairPotential, start, variable, flip, potentials } = layout;
  for (let f = 0; f < factors; f++) {
    if (factor[f] < 0) continue;
    const at = additionalStart[factor[f]];
    const l = start[f];
    if (kind[f] === GENERIC) {
      const set = activeSets[f]!;
      const own = new Float64Array(potentials[f]!.length);
      set.addPosteriors(new Float64Array(set.input.length), own);
      result.set(own, at);
    } else if (additionalStart[factor[f] + 1] > at) {
      const a = mean[variable[l]];
      const b = mean[variable[l + 1]];
      result[at] = pairShare(flip[l] === 1 ? 1 - a : a, flip[l + 1] === 1 ? 1 - b : b, pairPotential[f]);
    }
  }
}
