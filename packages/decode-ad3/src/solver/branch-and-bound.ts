import { type Ad3Options, Ad3Run } from "./ad3.ts";
import type { FactorGraph } from "./factor-graph.ts";
import { layOut } from "./layout.ts";
import type { WarmStart } from "./messages.ts";

/** Options of branch and bound; the options of AD3 hold in every node. */
export interface BranchAndBoundOptions extends Ad3Options {
  /** Maximum number of nodes; 10,000 by default. */
  readonly maxNodes?: number | undefined;
  /** Maximum milliseconds, checked between nodes; Infinity by default. */
  readonly maxMilliseconds?: number | undefined;
  /**
   * Maximum number of iterations of every node but the first; 200 by default. Nodes that are not solved by
   * then are split further.
   */
  readonly nodeIterations?: number | undefined;
  /** Only assignments of a higher value are searched for; -Infinity by default. */
  readonly lowerBound?: number | undefined;
  /** Clock in milliseconds; `performance.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * Result of a search. `optimal`: no assignment is better, up to a relative 1e-9. `feasible`: an assignment,
 * but a limit was reached before it was proved optimal. `infeasible`: every assignment is forbidden, or none
 * is above `lowerBound`. `unknown`: a limit was reached before any assignment was found.
 */
export interface ExactSolution {
  readonly status: "optimal" | "feasible" | "infeasible" | "unknown";
  /** -Infinity when no assignment was found. */
  readonly value: number;
  /** Upper bound of every assignment's value. */
  readonly bound: number;
  /** 0 or 1 for each binary variable; all 0 when no assignment was found. */
  readonly assignment: Uint8Array;
  readonly nodes: number;
  /** Total over all nodes. */
  readonly iterations: number;
}

/** A node of the search: assignments in which some variables are fixed. */
interface Node {
  /** Per variable; -1 is free. */
  readonly fixed: Int8Array;
  /** The variable that was fixed last; -1 in the first node. */
  readonly variable: number;
  readonly bound: number;
  readonly start: WarmStart | undefined;
}

/**
 * Finds the best assignment of a factor graph by branch and bound with the bounds of AD3. A node whose bound
 * exceeds the best assignment is split on an undecided variable; each child starts from the multipliers of
 * its parent. Depth first, towards the rounded means first, so that there are never more open nodes than free
 * variables.
 *
 * Exponential in the worst case, unless the options set limits. A node costs as much as `ad3`; memory is
 * O(links) per open node. Das, Martins and Smith: An exact dual decomposition algorithm for shallow semantic
 * parsing with constraints (*SEM 2012).
 *
 * @throws RangeError when an option is out of range
 */
export function branchAndBound(graph: FactorGraph, options: BranchAndBoundOptions = {}): ExactSolution {
  const { maxNodes = 10_000, maxMilliseconds = Infinity, nodeIterations = 200 } = options;
  const floor = options.lowerBound ?? -Infinity;
  for (const [name, value] of Object.entries({ maxNodes, maxMilliseconds, nodeIterations })) {
    if (!(value >= 0)) throw new RangeError(`${name} must be 0 or more, got ${value}`);
  }
  const now = options.now ?? (() => performance.now());
  const end = now() + maxMilliseconds;
  const layout = layOut(graph);
  const run = new Ad3Run(layout, options);
  const open: Node[] = [{ fixed: layout.fixed, variable: -1, bound: Infinity, start: undefined }];
  let nodes = 0;
  let iterations = 0;
  while (open.length > 0 && nodes < maxNodes && now() < end) {
    const node = open.pop()!;
    const aim = Math.max(floor, run.incumbentValue);
    if (isBeaten(node.bound, aim)) continue;
    const status = solveNode(run, node, aim, nodes === 0 ? undefined : nodeIterations);
    nodes++;
    iterations += run.iterations;
    const bound = Math.min(node.bound, run.bound);
    if (status === "integral" || status === "infeasible") continue;
    if (isBeaten(bound, Math.max(floor, run.incumbentValue))) continue;
    const variable = branchingVariable(run, node.fixed);
    if (variable >= 0) divide(open, run, node, bound, variable);
  }
  const left = open.reduce((highest, { bound }) => Math.max(highest, bound), -Infinity);
  return conclude(run, floor, left, { nodes, iterations });
}

/** Returns whether a bound excludes any improvement. */
function isBeaten(bound: number, value: number): boolean {
  return bound <= value + 1e-9 * (1 + Math.abs(value)) && value > -Infinity;
}

function solveNode(
  run: Ad3Run,
  { fixed, variable, start }: Node,
  aim: number,
  maxIterations: number | undefined,
) {
  const { messages } = run;
  run.resetSteps();
  messages.infeasible = false;
  if (start !== undefined) {
    messages.fixed.set(fixed);
    messages.restore(start);
    messages.force(variable);
  }
  return run.run(aim, maxIterations);
}

/** Returns the free variable whose mean is nearest to 1/2; -1 when none is left. */
function branchingVariable({ messages, layout }: Ad3Run, fixed: Int8Array): number {
  const { mean } = messages;
  let best = -1;
  let distance = Infinity;
  for (let v = 0; v < mean.length; v++) {
    if (fixed[v] >= 0 || layout.degree[v] === 0 || Math.abs(mean[v] - 0.5) >= distance) continue;
    distance = Math.abs(mean[v] - 0.5);
    best = v;
  }
  return best;
}

/** Adds both children; the one that the mean is nearer to comes first. */
function divide(open: Node[], { messages }: Ad3Run, node: Node, bound: number, variable: number): void {
  const start = messages.save();
  const likely = messages.mean[variable] > 0.5 ? 1 : 0;
  for (const value of [1 - likely, likely]) {
    const fixed = node.fixed.slice();
    fixed[variable] = value;
    open.push({ fixed, variable, bound, start });
  }
}

function conclude(
  run: Ad3Run,
  floor: number,
  left: number,
  counts: Pick<ExactSolution, "nodes" | "iterations">,
): ExactSolution {
  const isFound = run.incumbentValue > floor;
  const value = isFound ? run.incumbentValue : -Infinity;
  const aim = Math.max(floor, value);
  const isDone = left === -Infinity || isBeaten(left, aim);
  return {
    status: isDone ? (isFound ? "optimal" : "infeasible") : isFound ? "feasible" : "unknown",
    value,
    bound: isDone ? aim : Math.max(left, aim),
    assignment: isFound ? Uint8Array.from(run.incumbent) : new Uint8Array(run.layout.variables),
    ...counts,
  };
}
