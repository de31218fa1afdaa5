import {
  GRAPH_CONSTRAINTS,
  GRAPH_PART_KINDS,
  type GraphChoice,
  type GraphDecoder,
  type GraphHandled,
  type GraphMarginals,
  type GraphProblem,
  NoGraph,
  requireGraphHandled,
  scoreGraph,
  validateGraphProblem,
} from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";

/** A graph of highest score. */
export interface BestGraph extends GraphChoice {
  readonly score: number;
}

/**
 * Calls `visit` with every graph over the candidates of a problem and its score; the arrays are reused.
 * Graphs that use a pruned item, repeat a unique label or break a constraint are left out.
 *
 * Cost: O(n + arcs + parts) for each of the product of (labels + 1) over all arcs, times 2 for each word
 * without arcs: for up to about ten arcs.
 */
export function visitGraphs(
  problem: GraphProblem,
  visit: (choice: GraphChoice, score: number) => void,
): void {
  const { arcs, labels } = problem;
  const predicates = new Uint8Array(arcs.n + 1);
  const labelled = new Int32Array(arcs.head.length).fill(-1);
  const choice = { predicates, labelled };
  predicates[0] = 1;

  function choosePredicate(word: number): void {
    if (word > arcs.n) {
      chooseArc(0);
      return;
    }
    for (const value of [0, 1]) {
      predicates[word] = value;
      choosePredicate(word + 1);
    }
  }

  function chooseArc(arc: number): void {
    if (arc === labelled.length) {
      const score = scoreGraph(problem, choice);
      if (score > -Infinity) visit(choice, score);
      return;
    }
    labelled[arc] = -1;
    chooseArc(arc + 1);
    if (predicates[arcs.head[arc]] === 0) return;
    for (let k = labels.start[arc]; k < labels.start[arc + 1]; k++) {
      labelled[arc] = k;
      chooseArc(arc + 1);
    }
    labelled[arc] = -1;
  }

  choosePredicate(1);
}

/**
 * Returns the graph of highest score, or `undefined` when none meets the constraints. Cost: see
 * `visitGraphs`.
 */
export function bestGraph(problem: GraphProblem): BestGraph | undefined {
  let best: BestGraph | undefined;
  visitGraphs(problem, ({ predicates, labelled }, score) => {
    if (best !== undefined && score <= best.score) return;
    best = { predicates: predicates.slice(), labelled: labelled.slice(), score };
  });
  return best;
}

/**
 * Returns marginals over all graphs, by enumeration; `undefined` if no graph meets the constraints. Cost: see `visitGraphs`.
 */
export function graphMarginals(problem: GraphProblem): GraphMarginals | undefined {
  const best = bestGraph(problem);
  if (best === undefined) return undefined;
  const predicates = new Float64Array(problem.arcs.n + 1);
  const arcs = new Float64Array(problem.arcs.head.length);
  const labelled = new Float64Array(problem.labels.label.length);
  let total = 0;
  visitGraphs(problem, (choice, score) => {
    const weight = exp(score - best.score);
    total += weight;
    for (let w = 0; w < predicates.length; w++) if (choice.predicates[w] === 1) predicates[w] += weight;
    for (let a = 0; a < arcs.length; a++) {
      if (choice.labelled[a] < 0) continue;
      arcs[a] += weight;
      labelled[choice.labelled[a]] += weight;
    }
  });
  for (const sums of [predicates, arcs, labelled]) for (let i = 0; i < sums.length; i++) sums[i] /= total;
  return { logPartition: best.score + log(total), predicates, arcs, labelled };
}

/** All entries that `handles` of a decoder of graphs may have. */
export const GRAPH_HANDLED: readonly GraphHandled[] = [...GRAPH_PART_KINDS, "unique", ...GRAPH_CONSTRAINTS];

/** Options of the brute-force decoder of graphs. */
export interface BruteForceGraphOptions {
  /** Contents that it handles in addition to predicates, arcs and labels; all by default. */
  readonly handles?: Iterable<GraphHandled> | undefined;
}

/** Returns `bestGraph` and `graphMarginals` as a decoder, for up to about ten arcs. */
export function bruteForceGraphDecoder(options: BruteForceGraphOptions = {}): GraphDecoder & {
  marginals(problem: GraphProblem): GraphMarginals;
} {
  const name = "brute-force-graph";
  const handles: ReadonlySet<GraphHandled> = new Set(options.handles ?? GRAPH_HANDLED);

  function solved<T>(problem: GraphProblem, solve: (problem: GraphProblem) => T | undefined): T {
    requireGraphHandled(problem, name, handles);
    validateGraphProblem(problem);
    const found = solve(problem);
    if (found === undefined) throw new NoGraph(name, "every graph breaks a constraint");
    return found;
  }

  return {
    name,
    handles,
    decode(problem) {
      const best = solved(problem, bestGraph);
      return { ...best, bound: best.score };
    },
    marginals: (problem) => solved(problem, graphMarginals),
  };
}
