import { Assignments } from "./assignments.ts";
import { DualBound } from "./bound.ts";
import type { FactorGraph } from "./factor-graph.ts";
import { type Layout, layOut } from "./layout.ts";
import { Messages, type WarmStart } from "./messages.ts";
import { additionalPosteriors, relaxedValue, roundMeans } from "./posteriors.ts";

/**
 * How a run ended. `integral`: an assignment of which the bound proves that none is better. `fractional`: the
 * relaxation was solved to the residuals asked for, and its solution is not integral. `unsolved`: the iterations or the
 * time ran out, or the bound fell below `lowerBound`. `infeasible`: the bound proves that no assignment is allowed.
 */
export type Status = "integral" | "fractional" | "unsolved" | "infeasible";

export interface Ad3Options {
  /** Iterations at most; 1000. */
  readonly maxIterations?: number;
  /** Both residuals, per link, have to be below this; 1e-6. */
  readonly residualThreshold?: number;
  /** Step size to start from; 0.1. It is in the units of the potentials. */
  readonly eta?: number;
  /** Adapt the step size to the residuals; true. */
  readonly adaptEta?: boolean;
  /** Over-relaxation of the copies, 1 (none) to below 2. */
  readonly relaxation?: number;
  /** Stops as soon as the bound is not above this; -Infinity. */
  readonly lowerBound?: number;
  /** Where to begin: what an earlier solution of a graph of the same shape returned. */
  readonly warmStart?: WarmStart;
}

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

/** Iterations between looks at the step size, and at bound and rounding. */
const ADAPT_EVERY = 10;
const CHECK_EVERY = 10;
const MIN_ETA = 1e-3;
const MAX_ETA = 100;
/** A bound this close to a value, relative to it, proves it to be the best. */
const TIGHT = 1e-9;

/** Everything that a run works with, so that another one can go on from it. */
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
  private readonly candidate: Float64Array;
  private readonly options: Required<Omit<Ad3Options, "warmStart">>;

  constructor(layout: Layout, options: Ad3Options) {
    this.options = {
      maxIterations: options.maxIterations ?? 1000,
      residualThreshold: options.residualThreshold ?? 1e-6,
      eta: options.eta ?? 0.1,
      adaptEta: options.adaptEta ?? true,
      relaxation: options.relaxation ?? 1,
      lowerBound: options.lowerBound ?? -Infinity,
    };
    this.layout = layout;
    this.messages = new Messages(layout, this.options.eta, this.options.relaxation);
    this.dualBound = new DualBound(layout, this.messages.activeSets);
    this.assignments = new Assignments(layout, this.messages.activeSets);
    this.incumbent = new Float64Array(layout.variables);
    this.candidate = new Float64Array(layout.variables);
  }

  /** Iterates until a status is found; the options' lower bound may be raised by `incumbentValue` of the caller. */
  run(lowerBound = this.options.lowerBound): Status {
    const { messages, options, layout } = this;
    const { maxIterations, residualThreshold, adaptEta } = options;
    const scale = 1 / Math.sqrt(Math.max(1, layout.links));
    this.bound = Infinity;
    this.status = "unsolved";
    for (this.iterations = 0; this.iterations < maxIterations; ) {
      messages.iterate();
      this.iterations++;
      if (messages.infeasible) return this.finish("infeasible");
      this.primalResidual = Math.sqrt(messages.primal) * scale;
      this.dualResidual = Math.sqrt(messages.dual) * scale;
      const converged = this.dualResidual < residualThreshold && this.primalResidual < residualThreshold;
      if (converged || this.iterations % CHECK_EVERY === 0) {
        if (this.check()) return this.finish("integral");
        if (this.bound < layout.least) return this.finish("infeasible");
        if (this.bound <= lowerBound) return this.finish("unsolved");
      }
      if (converged) return this.finish("fractional");
      if (adaptEta && this.iterations % ADAPT_EVERY === 0) this.adapt();
    }
    return this.finish("unsolved");
  }

  private finish(status: Status): Status {
    this.status = status;
    return status;
  }

  /** Looks at the bound and at the rounded means; returns whether they prove each other to be the best. */
  private check(): boolean {
    const { messages, candidate, incumbent } = this;
    const bound = messages.boundOf(this.dualBound);
    if (bound < this.bound) this.bound = bound;
    roundMeans(messages, candidate);
    const value = this.assignments.value(candidate);
    if (value > this.incumbentValue) {
      this.incumbentValue = value;
      incumbent.set(candidate);
    }
    return this.bound <= this.incumbentValue + TIGHT * (1 + Math.abs(this.bound));
  }

  private adapt(): void {
    const { messages, primalResidual, dualResidual } = this;
    const { eta } = messages;
    if (primalResidual > 100 * dualResidual && eta < MAX_ETA) messages.setEta(Math.min(MAX_ETA, 2 * eta));
    else if (dualResidual > 10 * primalResidual && eta > MIN_ETA) messages.setEta(Math.max(MIN_ETA, eta / 2));
  }
}

/**
 * Solves the linear relaxation of a factor graph by alternating directions dual decomposition, and says how good the
 * answer is.
 */
export function ad3(graph: FactorGraph, options: Ad3Options = {}): Solution {
  const layout = layOut(graph);
  const run = new Ad3Run(layout, options);
  if (options.warmStart !== undefined) run.messages.restore(options.warmStart);
  const status = run.run();
  const { messages } = run;
  if (status === "integral") {
    messages.mean.set(run.incumbent);
    run.assignments.settle(run.incumbent);
  }
  const additionalStart = new Int32Array(graph.factors.length + 1);
  graph.factors.forEach(({ additionalCount }, f) => {
    additionalStart[f + 1] = additionalStart[f]! + additionalCount;
  });
  const additional = new Float64Array(graph.additional.length);
  if (status !== "infeasible") additionalPosteriors(messages, additionalStart, additional);
  return {
    status,
    value:
      status === "integral"
        ? run.incumbentValue
        : status === "infeasible"
          ? -Infinity
          : relaxedValue(messages),
    bound: status === "infeasible" ? -Infinity : run.bound,
    posteriors: messages.mean.slice(),
    additionalPosteriors: additional,
    iterations: run.iterations,
    primalResidual: run.primalResidual,
    dualResidual: run.dualResidual,
    warmStart: messages.save(),
  };
}
