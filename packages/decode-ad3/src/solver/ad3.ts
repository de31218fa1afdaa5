import { Assignments } from "./assignments.ts";
import { DualBound } from "./bound.ts";
import type { FactorGraph } from "./factor-graph.ts";
import { type Layout, layOut } from "./layout.ts";
import { Messages, type WarmStart } from "./messages.ts";
import { additionalPosteriors, relaxedValue, roundMeans } from "./posteriors.ts";

/**
 * How a run ended. `integral`: the bound proves that the assignment is optimal. `fractional`: the relaxation
 * was solved to the requested residuals, and its solution is not integral. `unsolved`: the iterations or the
 * time ran out, or the bound fell to that of a better assignment. `infeasible`: the bound proves that every assignment is
 * forbidden.
 */
export type Status = "integral" | "fractional" | "unsolved" | "infeasible";

/** Options of AD3. */
export interface Ad3Options {
  /** Maximum number of iterations; 1000 by default. */
  readonly maxIterations?: number | undefined;
  /** Both residuals, per link, must be below this; 1e-6 by default. */
  readonly residualThreshold?: number | undefined;
  /**
   * Initial step size, in the units of the potentials; by default 0.8 times the mean absolute log-potential
   * of a variable.
   */
  readonly eta?: number | undefined;
}

/** The solution of a relaxation, with its status and the work that it took. */
export interface Solution {
  readonly status: Status;
  /** Value of the posteriors: exact when `integral`, otherwise accurate to the residuals. */
  readonly value: number;
  /** Upper bound of every assignment's value, whatever the status. */
  readonly bound: number;
  /** Per binary variable. */
  readonly posteriors: Float64Array;
  /** Per additional potential, in the order in which factors were added. */
  readonly additionalPosteriors: Float64Array;
  readonly iterations: number;
  /** Root mean squares over links. */
  readonly primalResidual: number;
  readonly dualResidual: number;
  readonly warmStart: WarmStart;
}

/** Iterations between adaptations of the step size. */
const ADAPT_EVERY = 10;
/** Iterations between checks of bound and rounding, which are more frequent in the first `CHECK_FIRST`. */
const CHECK_EVERY = 10;
const CHECK_FIRST = 40;
const CHECK_EVERY_FIRST = 4;
/** Default initial step size, for potentials whose mean size is 1. */
const ETA = 0.8;
/** Limits of the ratio of the step size to the initial one. */
const MIN_ETA = 1e-2;
const MAX_ETA = 1e3;
/** A bound this close to a value, relative to it, proves it optimal. */
const TIGHT = 1e-9;
/** Relative tolerance between bound and value of a fractional solution. */
const SMALL_GAP = 2e-6;

const NONE = new Float64Array(0);

/** Returns the options with their defaults. */
function checkedOptions(options: Ad3Options, { typical }: Layout) {
  const checked = {
    maxIterations: options.maxIterations ?? 1000,
    residualThreshold: options.residualThreshold ?? 1e-6,
    eta: options.eta ?? (typical > 0 ? ETA * typical : ETA),
  };
  const { maxIterations, residualThreshold, eta } = checked;
  if (!(maxIterations >= 1)) throw new RangeError(`maxIterations must be 1 or more, got ${maxIterations}`);
  if (!(residualThreshold >= 0)) {
    throw new RangeError(`residualThreshold must be 0 or more, got ${residualThreshold}`);
  }
  if (!(eta > 0 && eta < Infinity)) throw new RangeError(`eta must be positive and finite, got ${eta}`);
  return checked;
}

/** The state of a run, from which another one can continue. */
export class Ad3Run {
  readonly layout: Layout;
  readonly messages: Messages;
  readonly dualBound: DualBound;
  readonly assignments: Assignments;
  /** The best assignment found, and its value. */
  readonly incumbent: Float64Array;
  incumbentValue = -Infinity;
  bound = Infinity;
  iterations = 0;
  status: Status = "unsolved";
  primalResidual = Infinity;
  dualResidual = Infinity;
  /** Squared residuals summed since the last adaptation of the step size. */
  #recentPrimal = 0;
  #recentDual = 0;
  /** Direction of the last change of the step size, and the factor of changes. */
  #direction = 0;
  #factor = 2;
  /** The means at the last rounding, and the value. */
  readonly #candidate: Float64Array;
  #candidateValue = -Infinity;
  readonly #options: ReturnType<typeof checkedOptions>;

  constructor(layout: Layout, options: Ad3Options) {
    this.#options = checkedOptions(options, layout);
    this.layout = layout;
    this.messages = new Messages(layout, this.#options.eta);
    this.dualBound = new DualBound(layout, this.messages.activeSets);
    this.assignments = new Assignments(layout, this.messages.activeSets);
    this.incumbent = new Float64Array(layout.variables);
    this.#candidate = new Float64Array(layout.variables).fill(-1);
  }

  /** Clears the result. */
  reset(): void {
    this.messages.reset(this.#options.eta);
    this.incumbentValue = -Infinity;
    this.#candidate.fill(-1);
    this.#candidateValue = -Infinity;
    this.resetSteps();
  }

  /** Lets the step size move freely again. */
  resetSteps(): void {
    this.#direction = 0;
    this.#factor = 2;
    this.#recentPrimal = 0;
    this.#recentDual = 0;
  }

  /** Iterates until a status is found, or until the bound is at most `lowerBound`. */
  run(lowerBound = -Infinity, maxIterations = this.#options.maxIterations): Status {
    const { messages, layout } = this;
    const { residualThreshold } = this.#options;
    const scale = 1 / Math.sqrt(Math.max(1, layout.links));
    this.bound = Infinity;
    this.status = "unsolved";
    for (this.iterations = 0; this.iterations < maxIterations; ) {
      messages.iterate();
      this.iterations++;
      if (messages.infeasible) return this.#finish("infeasible");
      this.#recentPrimal += messages.primal;
      this.#recentDual += messages.dual;
      this.primalResidual = Math.sqrt(messages.primal) * scale;
      this.dualResidual = Math.sqrt(messages.dual) * scale;
      const converged = this.dualResidual < residualThreshold && this.primalResidual < residualThreshold;
      const checkEvery = this.iterations < CHECK_FIRST ? CHECK_EVERY_FIRST : CHECK_EVERY;
      const isLast = converged || this.iterations === maxIterations;
      if (isLast || this.iterations % checkEvery === 0) {
        const isDue = isLast || this.iterations % CHECK_EVERY === 0 || lowerBound > -Infinity;
        if (this.#check(isDue)) return this.#finish("integral");
        if (this.bound < layout.least) return this.#finish("infeasible");
        if (this.bound <= lowerBound) return this.#finish("unsolved");
      }
      if (converged && this.#gapIsSmall()) return this.#finish("fractional");
      if (this.iterations % ADAPT_EVERY === 0) this.#adapt();
    }
    return this.#finish("unsolved");
  }

  #finish(status: Status): Status {
    this.status = status;
    return status;
  }

  /**
   * Checks the rounded means and, if they are an assignment or a check is due, the bound; returns whether
   * they prove each other optimal.
   */
  #check(isDue: boolean): boolean {
    const { messages, layout } = this;
    const candidate = this.#candidate;
    if (roundMeans(messages.mean, layout, candidate)) this.#tryCandidate();
    if (!isDue && this.#candidateValue === -Infinity) return false;
    const bound = messages.boundOf(this.dualBound);
    if (bound < this.bound) this.bound = bound;
    return this.bound <= this.incumbentValue + TIGHT * (1 + Math.abs(this.bound));
  }

  #tryCandidate(): void {
    const { incumbent } = this;
    const candidate = this.#candidate;
    const value = this.assignments.value(candidate);
    this.#candidateValue = value;
    if (value > this.incumbentValue) {
      this.incumbentValue = value;
      incumbent.set(candidate);
    }
  }

  /**
   * Returns whether the value of the means agrees with the bound. Residuals say little about the error of the
   * value.
   */
  #gapIsSmall(): boolean {
    return Math.abs(this.bound - relaxedValue(this.messages)) <= SMALL_GAP * (1 + Math.abs(this.bound));
  }

  /**
   * Adapts the step size to balance the residuals summed since the last adaptation; residuals of single
   * iterations oscillate. The factor shrinks whenever the direction changes, so that the step size converges.
   */
  #adapt(): void {
    const { messages } = this;
    const recentPrimal = this.#recentPrimal;
    const recentDual = this.#recentDual;
    const { eta } = messages;
    this.#recentPrimal = 0;
    this.#recentDual = 0;
    const direction = recentPrimal > 100 * recentDual ? 1 : recentDual > 100 * recentPrimal ? -1 : 0;
    if (direction === 0) return;
    if (direction === -this.#direction) this.#factor = Math.sqrt(this.#factor);
    this.#direction = direction;
    const start = this.#options.eta;
    const changed =
      direction > 0
        ? Math.min(MAX_ETA * start, eta * this.#factor)
        : Math.max(MIN_ETA * start, eta / this.#factor);
    if (changed !== eta) messages.setEta(changed);
  }
}

/** A solver for one graph, which can be called any number of times. */
export interface Ad3Solver {
  /** Solves from scratch, or from a warm start of a graph of the same shape. */
  solve(warmStart?: WarmStart): Solution;
}

/**
 * Prepares a graph for repeated calls of `solve`. Later changes of the graph have no effect. Costs
 * O(variables + links + additional potentials); memory is reused from one call of `solve` to the next.
 */
export function createAd3(graph: FactorGraph, options: Ad3Options = {}): Ad3Solver {
  const layout = layOut(graph);
  const run = new Ad3Run(layout, options);
  const additionalStart = new Int32Array(graph.factors.length + 1);
  for (let f = 0; f < graph.factors.length; f++) {
    additionalStart[f + 1] = additionalStart[f] + graph.factors[f].additionalCount;
  }

  function solve(warmStart?: WarmStart): Solution {
    run.reset();
    if (warmStart !== undefined) run.messages.restore(warmStart);
    const status = run.run();
    const { messages } = run;
    const { eta } = messages;
    const multipliers = messages.saveMultipliers();
    if (status === "integral") {
      messages.mean.set(run.incumbent);
      run.assignments.settle(run.incumbent);
    }
    const posteriors = messages.mean.slice();
    const additional = additionalStart.at(-1) === 0 ? NONE : new Float64Array(additionalStart.at(-1)!);
    if (status !== "infeasible") additionalPosteriors(messages, additionalStart, additional);
    return {
      status,
      value: runValue(run),
      bound: status === "infeasible" ? -Infinity : run.bound,
      posteriors,
      additionalPosteriors: additional,
      iterations: run.iterations,
      primalResidual: run.primalResidual,
      dualResidual: run.dualResidual,
      warmStart: { eta, means: posteriors, multipliers },
    };
  }

  return { solve };
}

function runValue(run: Ad3Run): number {
  if (run.status === "infeasible") return -Infinity;
  return run.status === "integral" ? run.incumbentValue : relaxedValue(run.messages);
}

/**
 * Solves the linear relaxation of a factor graph by alternating directions dual decomposition: every factor
 * solves a quadratic problem of its own, and multipliers make the factors agree on the variables they share.
 * Deterministic.
 *
 * One iteration takes O(links) for pairs and constraints (a factor with k inputs O(k log k) at most), and up
 * to ten local maxima of each generic factor whose inputs changed. The number of iterations depends on the
 * potentials: a few dozen where the relaxation is tight, hundreds or thousands where it is not.
 *
 * Martins, Figueiredo, Aguiar, Smith and Xing: AD3: alternating directions dual decomposition for MAP
 * inference in graphical models. JMLR 16 (2015).
 *
 * @throws RangeError when an option is out of range, or a warm start has another shape
 */
export function ad3(graph: FactorGraph, options: Ad3Options = {}, warmStart?: WarmStart): Solution {
  return createAd3(graph, options).solve(warmStart);
}
