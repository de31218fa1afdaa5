import { checkTree, type Decoder, type ParsingProblem, type PartKind, scoreTree } from "@arcwise/core";
import { ad3Decoder, type DualSolution, type FactorGraph, parsingGraph } from "@arcwise/decode-ad3";
import { mstDecoder } from "@arcwise/decode-mst";

/**
 * Makes a decoder of a method that lowers the dual bound of a factor graph: the best tree that it rounds to,
 * or the maximum arborescence by arc scores where that is better or it finds none.
 *
 * @param solve the method: `(graph) => mplp(graph, options)`
 */
export function dualDecoder(name: string, solve: (graph: FactorGraph) => DualSolution): Decoder {
  const arborescence = mstDecoder();
  const handles: ReadonlySet<PartKind> = new Set(
    [...ad3Decoder().handles].filter((kind): kind is PartKind => kind !== "global"),
  );
  return {
    name,
    trees: "any",
    singleRoot: true,
    handles,
    decode(problem) {
      const solution = solve(parsingGraph(problem));
      const { arcs, arcScores } = problem;
      const byArcs = arborescence.decode({ arcs, arcScores, parts: [] }).heads;
      const rounded = treeOf(problem, solution);
      const scores = [byArcs, ...(rounded === undefined ? [] : [rounded])].map((heads) => ({
        heads,
        score: scoreTree(problem, heads),
      }));
      const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
      const isOptimal = solution.status === "integral" && best.heads === rounded;
      return { ...best, bound: isOptimal ? best.score : Math.max(best.score, solution.bound) };
    },
  };
}

/** Returns the tree of the arcs that are on; undefined if they do not form a tree. */
function treeOf({ arcs, arcScores }: ParsingProblem, { assignment }: DualSolution): Int32Array | undefined {
  const heads = new Int32Array(arcs.n + 1).fill(-1);
  let variable = 0;
  let on = 0;
  for (let arc = 0; arc < arcScores.length; arc++) {
    // Pruned arcs have no variable.
    if (arcScores[arc] === -Infinity) continue;
    if (assignment[variable++] === 0) continue;
    heads[arcs.modifier[arc]!] = arcs.head[arc]!;
    on++;
  }
  return on === arcs.n && checkTree(heads) === undefined ? heads : undefined;
}
