import { type DecodingStatus, type GraphChoice, scoreGraph } from "@arcwise/core";
import { Ad3Run } from "../solver/ad3.ts";
import { branchAndBound } from "../solver/branch-and-bound.ts";
import type { FactorGraph } from "../solver/factor-graph.ts";
import { layOut } from "../solver/layout.ts";
import type { SearchLimits } from "../trees/branch-and-bound.ts";
import { brokenCuts, type GraphCut } from "./graph-cuts.ts";
import { factorsOfGraph } from "./graph-factors.ts";
import { GraphRounding } from "./graph-rounding.ts";
import { choiceOf, type GraphVariables, graphVariables } from "./graph-variables.ts";
import type { ScaledGraph } from "./scaled-graph.ts";

/** Iterations between two checks against the best graph seen. */
const CHUNK = 10;
/**
 * Initial step size, for scores of which the largest is between 4 and 8: the fastest of 0.1, 0.3, 1 and 3.
 */
const ETA = 1;
/** Maximum number of iterations per node of a search. */
const NODE_ITERATIONS = 200;
const MAX_NODES = 100_000;

/**
 * Search for the best graph of a problem: AD3 on the relaxation with rounding, then branch and bound. Cycles
 * and components that constraints forbid become factors once they are found.
 */
export class GraphSearch {
  /** The best graph seen and its score; -Infinity if there is none yet. */
  best: GraphChoice | undefined;
  score = -Infinity;
  /** Upper bound of the score of all graphs; -Infinity if there are none. */
  bound = Infinity;
  iterations = 0;
  nodes = 0;
  /** Means of the variables when AD3 ended. */
  mean: Float64Array | undefined;
  readonly variables: GraphVariables;
  readonly cuts: GraphCut[] = [];
  readonly #scaled: ScaledGraph;
  readonly #isSplit: boolean;
  readonly #rounding: GraphRounding;
  readonly #tolerance: number;

  constructor(scaled: ScaledGraph, isSplit: boolean, tolerance: number) {
    this.#scaled = scaled;
    this.#isSplit = isSplit;
    this.#tolerance = tolerance;
    this.variables = graphVariables(scaled.problem, isSplit);
    this.#rounding = new GraphRounding(scaled.problem, this.variables);
  }

  /** Returns whether a graph better than the best one seen may exist. */
  isOpen(): boolean {
    return this.bound > this.score + this.#tolerance;
  }

  /** Stores a graph if it is better. */
  offer(choice: GraphChoice | undefined): void {
    if (choice === undefined) return;
    const score = scoreGraph(this.#scaled.problem, choice);
    if (score <= this.score) return;
    this.score = score;
    this.best = choice;
  }

  /** Solves the relaxation, with at most this many iterations in total. */
  relax(maxIterations: number, residualThreshold: number): DecodingStatus {
    let status: DecodingStatus = "unsolved";
    while (this.isOpen() && this.iterations < maxIterations) {
      const graph = this.#factors();
      if (graph === undefined) return this.#close();
      const run = new Ad3Run(layOut(graph), { maxIterations: CHUNK, residualThreshold, eta: ETA });
      const ended = this.#iterate(run, maxIterations);
      if (ended === "infeasible") return this.#close();
      status = ended === "fractional" ? "fractional" : "unsolved";
      const isIntegral = ended === "integral";
      const mean = isIntegral ? run.incumbent : run.messages.mean;
      this.mean = mean.slice(0, this.variables.potentials.length);
      const on = this.#rounding.above(mean);
      if (isIntegral) this.offer(choiceOf(this.#scaled.problem, this.variables, mean));
      if (!this.#addCuts(on)) break;
    }
    return this.isOpen() ? status : "optimal";
  }

  /** Runs branch and bound until the best graph is found, or the first one, or a limit is reached. */
  divide({ nodes: limit = MAX_NODES, milliseconds = Infinity, now }: SearchLimits, firstOnly: boolean): void {
    const clock = now ?? (() => performance.now());
    const end = milliseconds === Infinity ? Infinity : clock() + milliseconds;
    while (this.isOpen() && this.nodes < limit) {
      if (firstOnly && this.score > -Infinity) return;
      if (end < Infinity && clock() >= end) return;
      const graph = this.#factors();
      if (graph === undefined) {
        this.#close();
        return;
      }
      const found = branchAndBound(graph, {
        eta: ETA,
        maxIterations: NODE_ITERATIONS,
        nodeIterations: NODE_ITERATIONS,
        maxNodes: limit - this.nodes,
        lowerBound:
          (this.score === -Infinity ? -this.#scaled.total - 1 : this.score) - this.variables.constant,
        maxMilliseconds: end < Infinity ? end - clock() : undefined,
        now: end < Infinity ? clock : undefined,
      });
      this.nodes += found.nodes;
      this.iterations += found.iterations;
      if (found.status === "infeasible") {
        this.bound = this.score;
        return;
      }
      this.bound = Math.min(this.bound, Math.max(found.bound + this.variables.constant, this.score));
      if (found.value === -Infinity) return;
      const choice = choiceOf(this.#scaled.problem, this.variables, found.assignment);
      this.offer(choice);
      const hasNew = this.#addCuts(Uint8Array.from(choice.labelled, (chosen) => (chosen >= 0 ? 1 : 0)));
      if (found.status === "feasible" && !hasNew) return;
    }
  }

  #factors(): FactorGraph | undefined {
    const { variables, cuts } = this;
    const scaled = this.#scaled;
    const isSplit = this.#isSplit;
    return factorsOfGraph({ problem: scaled.problem, variables, isSplit, cuts });
  }

  /** Records that the best graph seen is optimal. */
  #close(): DecodingStatus {
    this.bound = this.score;
    return "optimal";
  }

  /** Runs AD3 until it ends, the best graph seen is proved optimal, or iterations run out. */
  #iterate(run: Ad3Run, maxIterations: number): Ad3Run["status"] {
    const { constant } = this.variables;
    let status = run.status;
    while (this.iterations < maxIterations) {
      const floor = this.score === -Infinity ? -this.#scaled.total - 1 : this.score + this.#tolerance;
      status = run.run(floor - constant);
      this.iterations += run.iterations;
      if (status === "infeasible") return status;
      this.bound = Math.min(this.bound, run.bound + constant);
      if (this.score === -Infinity && this.bound <= floor) return "infeasible";
      this.offer(this.#rounding.round(run.messages.mean));
      if (status !== "unsolved" || !this.isOpen()) return status;
    }
    return status;
  }

  /** Adds the cuts that some arcs violate; returns whether there are any. */
  #addCuts(on: Uint8Array): boolean {
    const isArc = (arc: number): boolean => this.variables.arc[arc] >= 0;
    const broken = brokenCuts(this.#scaled.problem, isArc, on);
    this.cuts.push(...broken);
    return broken.length > 0;
  }
}
