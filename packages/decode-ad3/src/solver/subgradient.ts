import { ActiveSet } from "./active-set.ts";
import { Assignments } from "./assignments.ts";
import { DualBound } from "./bound.ts";
import type { FactorGraph } from "./factor-graph.ts";
import { type Layout, layOut } from "./layout.ts";
import { roundMeans } from "./posteriors.ts";

/** Result of a method that only lowers the dual bound. */
export interface DualSolution {
  /** `integral`: the bound proves that the assignment is optimal. `unsolved`: anything else. */
  readonly status: "integral" | "unsolved" | "infeasible";
  /** Value of the best assignment found, -Infinity when there is none. */
  readonly value: number;
  /** Upper bound of every assignment's value. */
  readonly bound: number;
  /** The best assignment: 0 or 1 for each binary variable; all 0 when none was found. */
  readonly assignment: Uint8Array;
  readonly iterations: number;
  /** The best bound after each iteration. */
  readonly bounds: Float64Array;
}

/** Returns 1 for variables that are in no factor and score more when on, 0 for all others. */
export function aloneOn({ degree, potential, fixed }: Layout): Float64Array {
  return potential.map((value, v) => (degree[v] === 0 && fixed[v] < 0 && value > 0 ? 1 : 0));
}

/** Best bound and best assignment so far of a dual method. */
export class DualSearch {
  readonly layout: Layout;
  readonly dualBound: DualBound;
  readonly activeSets: readonly (ActiveSet | undefined)[];
  /** Potential of each link: the links of a variable sum to its log-potential. */
  readonly shares: Float64Array;
  bound = Infinity;
  value = -Infinity;
  readonly best: Float64Array;
  readonly #assignments: Assignments;
  readonly #bounds: number[] = [];

  constructor(graph: FactorGraph) {
    const layout = layOut(graph);
    const { variables, links, variable, potential, degree, fixed } = layout;
    this.layout = layout;
    this.activeSets = layout.maximizers.map((maximizer) =>
      maximizer === undefined ? undefined : new ActiveSet(maximizer),
    );
    this.dualBound = new DualBound(layout, this.activeSets);
    this.#assignments = new Assignments(layout, this.activeSets);
    this.best = new Float64Array(variables);
    this.shares = new Float64Array(links);
    for (let l = 0; l < links; l++) {
      const v = variable[l];
      const forbidden = fixed[v] === 0 ? 1 + 4 * layout.largest : 0;
      this.shares[l] = potential[v] / degree[v] - forbidden;
    }
  }

  /** Records the bound and assignment of an iteration; returns whether they end the search. */
  note(bound: number, candidate: Float64Array): boolean {
    if (bound < this.bound) this.bound = bound;
    this.#bounds.push(this.bound);
    const value = this.#assignments.value(candidate);
    if (value > this.value) {
      this.value = value;
      this.best.set(candidate);
    }
    return this.#isTight() || this.#isInfeasible();
  }

  solution(): DualSolution {
    const infeasible = this.#isInfeasible();
    return {
      status: infeasible ? "infeasible" : this.#isTight() ? "integral" : "unsolved",
      value: this.value,
      bound: infeasible ? -Infinity : this.bound,
      assignment: Uint8Array.from(this.best),
      iterations: this.#bounds.length,
      bounds: Float64Array.from(this.#bounds),
    };
  }

  #isTight(): boolean {
    return this.bound <= this.value + 1e-9 * (1 + Math.abs(this.bound));
  }

  #isInfeasible(): boolean {
    return this.bound < this.layout.least || this.bound === -Infinity;
  }
}

/** Options of the projected subgradient method. */
export interface SubgradientOptions {
  /** Maximum number of iterations; 1000 by default. */
  readonly maxIterations?: number | undefined;
  /** First step, in the units of the potentials; 1 by default. */
  readonly stepSize?: number | undefined;
}

/**
 * Minimises the dual by projected subgradient steps: every factor takes its best configuration, and
 * potentials move from those that have a variable on to those that have it off. The step is stepSize / (1 +
 * number of times that the dual rose), as in Koo, Rush, Collins, Jaakkola and Sontag (2010). One iteration
 * takes O(links) and a maximum of each generic factor.
 *
 * Komodakis, Paragios and Tziritas: MRF optimization via dual decomposition. ICCV 2007.
 *
 * @throws RangeError when an option is out of range
 */
export function subgradient(graph: FactorGraph, options: SubgradientOptions = {}): DualSolution {
  const { maxIterations = 1000, stepSize = 1 } = options;
  if (!(maxIterations >= 1)) throw new RangeError(`maxIterations must be 1 or more, got ${maxIterations}`);
  if (!(stepSize > 0 && stepSize < Infinity))
    throw new RangeError(`stepSize must be positive, got ${stepSize}`);
  const search = new DualSearch(graph);
  const { shares, dualBound, layout } = search;
  const { variables, links, variable, degree, fixed } = layout;
  const { point } = dualBound;
  const alone = aloneOn(layout);
  const mean = new Float64Array(variables);
  const candidate = new Float64Array(variables);
  let rises = 0;
  let previous = Infinity;
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const bound = dualBound.evaluate(shares, 1, fixed, true);
    mean.set(alone);
    for (let l = 0; l < links; l++) mean[variable[l]] += point[l] / degree[variable[l]];
    roundMeans(mean, layout, candidate);
    if (search.note(bound, candidate)) break;
    if (bound > previous) rises++;
    previous = bound;
    const step = stepSize / (1 + rises);
    for (let l = 0; l < links; l++) {
      const v = variable[l];
      const wanted = fixed[v] >= 0 ? fixed[v] : mean[v];
      shares[l] -= step * (point[l] - wanted);
    }
  }
  return search.solution();
}
