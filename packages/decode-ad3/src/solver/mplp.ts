import type { FactorGraph } from "./factor-graph.ts";
import { MaxMarginals } from "./max-marginals.ts";
import { roundMeans } from "./posteriors.ts";
import { aloneOn, DualSearch, type DualSolution } from "./subgradient.ts";

/** Options of max-product linear programming. */
export interface MplpOptions {
  /** Maximum number of passes over all factors; 1000 by default. */
  readonly maxIterations?: number | undefined;
  /** Stops when a pass lowers the bound by less than this, relative to it; 1e-9 by default. */
  readonly improvement?: number | undefined;
}

/**
 * Max-product linear programming: block coordinate descent on the dual, factor by factor. The bound never
 * rises, but may converge above the optimum of the relaxation. One iteration takes O(links) for pairs, XOR
 * and at-most-one, and k + 1 maxima of every other factor with k inputs.
 *
 * Globerson and Jaakkola: Fixing max-product: convergent message passing algorithms for MAP LP-relaxations.
 * NIPS 2007.
 *
 * @throws RangeError when an option is out of range
 */
export function mplp(graph: FactorGraph, options: MplpOptions = {}): DualSolution {
  const { maxIterations = 1000, improvement = 1e-9 } = options;
  if (!(maxIterations >= 1)) throw new RangeError(`maxIterations must be 1 or more, got ${maxIterations}`);
  if (!(improvement >= 0)) throw new RangeError(`improvement must be 0 or more, got ${improvement}`);
  const search = new DualSearch(graph);
  const { shares, dualBound, layout, activeSets } = search;
  const { variables, links, variable, degree, fixed, potential, factors, start, flip } = layout;
  const { point } = dualBound;
  const marginals = new MaxMarginals(layout, activeSets);
  // The part of each variable's log-potential that its links have no share of.
  const rest = potential.map((value, v) => (fixed[v] === 0 ? -1 - 4 * layout.largest : value));
  for (let l = 0; l < links; l++) rest[variable[l]] -= shares[l];
  const input = new Float64Array(links);
  const result = new Float64Array(links);
  const alone = aloneOn(layout);
  const mean = new Float64Array(variables);
  const candidate = new Float64Array(variables);

  for (let iteration = 0; iteration < maxIterations; iteration++) {
    for (let f = 0; f < factors; f++) {
      const from = start[f];
      const k = start[f + 1] - from;
      for (let i = 0, l = from; i < k; i++, l++) {
        const all = rest[variable[l]] + shares[l];
        input[i] = flip[l] === 1 ? -all : all;
      }
      marginals.write(f, input, k, result);
      for (let i = 0, l = from; i < k; i++, l++) {
        const v = variable[l];
        const all = rest[v] + shares[l];
        // The factor keeps all but its share of the max-marginal, which the variable decides with.
        rest[v] = (flip[l] === 1 ? -result[i] : result[i]) / k;
        shares[l] = all - rest[v];
      }
    }
    const before = search.bound;
    const bound = dualBound.evaluate(shares, 1, fixed, true);
    mean.set(alone);
    for (let l = 0; l < links; l++) mean[variable[l]] += point[l] / degree[variable[l]];
    for (let v = 0; v < variables; v++) {
      if (Math.abs(rest[v]) > 1e-9 && degree[v] > 0 && fixed[v] < 0) mean[v] = rest[v] > 0 ? 1 : 0;
    }
    roundMeans(mean, layout, candidate);
    if (search.note(bound, candidate)) break;
    if (before - search.bound <= improvement * (1 + Math.abs(bound)) && before < Infinity) break;
  }
  return search.solution();
}
