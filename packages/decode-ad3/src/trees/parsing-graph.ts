import { type ParsingProblem, requireHandled, validateProblem } from "@arcwise/core";
import { dropPrunedArcs } from "@arcwise/decode-mst";
import { FactorGraph } from "../solver/factor-graph.ts";
import { AD3_KINDS, type Decomposition, Relaxation } from "./relaxation.ts";
import type { TreeFamily } from "./tree-factor.ts";

/** Family of trees of a graph, and how its factors divide the parts. */
export interface ParsingGraphOptions extends TreeFamily {
  readonly decomposition?: Decomposition | undefined;
}

/**
 * Builds the factor graph of a parsing problem, for any solver of this package: variable i is the i-th arc
 * that is not pruned, factor 0 is the tree, and the other factors score parts. The graph refers to arrays of
 * the problem, which must not change while it is in use.
 *
 * O(n + arcs + parts).
 *
 * @throws UnsupportedPart for parts that `ad3Decoder` does not handle, RangeError for an invalid problem
 */
export function parsingGraph(problem: ParsingProblem, options: ParsingGraphOptions = {}): FactorGraph {
  requireHandled(problem, "parsingGraph", new Set(AD3_KINDS));
  validateProblem(problem);
  const isPruned = problem.arcScores.includes(-Infinity);
  const kept = isPruned ? dropPrunedArcs(problem).problem : problem;
  const relaxation = new Relaxation(options, options.decomposition ?? {});
  relaxation.reset(kept);
  relaxation.tree.potentials.fill(0);
  const { graph } = graphOf(relaxation);
  for (let arc = 0; arc < kept.arcScores.length; arc++) graph.setPotential(arc, kept.arcScores[arc]);
  return graph;
}

/** The graph, and which pairs of the relaxation its plain pairs are. */
interface PairedGraph {
  readonly graph: FactorGraph;
  readonly pairs: readonly number[];
}

/** Shares of scores stay within the factors, except scores of pairs, which go to the variables. */
export function graphOf({ tree, factors, count, pairs }: Relaxation): PairedGraph {
  const graph = new FactorGraph();
  const potentials = new Float64Array(tree.variables);
  const plain: number[] = [];
  for (let i = 0; i < pairs.count; i++) {
    potentials[pairs.arcs[2 * i]] += pairs.potentials[2 * i];
    potentials[pairs.arcs[2 * i + 1]] += pairs.potentials[2 * i + 1];
  }
  graph.addVariables(potentials);
  graph.addGeneric([...tree.arcs.subarray(0, tree.variables)], tree);
  for (let i = 0; i < count; i++) {
    const factor = factors[i];
    if (factor.variables > 0) graph.addGeneric([...factor.arcs.subarray(0, factor.variables)], factor);
  }
  for (let i = 0; i < pairs.count; i++) {
    const both = [pairs.arcs[2 * i], pairs.arcs[2 * i + 1]] as const;
    if (pairs.scores[i] === -Infinity) graph.addAtMostOne(both);
    else {
      graph.addPair(both[0], both[1], pairs.scores[i]);
      plain.push(i);
    }
  }
  return { graph, pairs: plain };
}
