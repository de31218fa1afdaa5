import {
  type GraphDecoder,
  type GraphDecoding,
  type GraphHandled,
  type GraphMarginals,
  type GraphProblem,
  requireGraphHandled,
  scoreGraph,
  validateGraphProblem,
} from "@arcwise/core";
import { exp, log1p, logSum } from "@arcwise/core/arithmetic";
import { bestBasicGraph } from "./basic-graph.ts";

/**
 * Makes an exact decoder of dependency graphs without parts of several arcs: predicates, arcs and labels
 * (Martins and Almeida 2014). It also computes marginals, since predicates are independent of each other. O(n
 * + labelled arcs) per problem.
 *
 * The decoder throws UnsupportedPart when the problem has parts, unique labels or constraints, RangeError
 * when a score is NaN or +Infinity or arrays do not fit each other.
 */
export function basicGraphDecoder(): GraphDecoder {
  const name = "basic-graph";
  const handles: ReadonlySet<GraphHandled> = new Set();
  let gains = new Float64Array(64);

  function check(problem: GraphProblem): void {
    requireGraphHandled(problem, name, handles);
    validateGraphProblem(problem);
  }

  function decode(problem: GraphProblem): GraphDecoding {
    check(problem);
    const { n, head } = problem.arcs;
    if (gains.length <= n) gains = new Float64Array(2 * (n + 1));
    const predicates = new Uint8Array(n + 1);
    const labelled = new Int32Array(head.length);
    bestBasicGraph(problem, predicates, labelled, gains);
    const score = scoreGraph(problem, { predicates, labelled });
    return { predicates, labelled, score, bound: score };
  }

  return {
    name,
    handles,
    decode,
    marginals(problem) {
      check(problem);
      return basicMarginals(problem);
    },
  };
}

/** Returns the marginals of the basic parts. O(n + labelled arcs). */
function basicMarginals({ arcs, arcScores, predicateScores, labels }: GraphProblem): GraphMarginals {
  const { n, head } = arcs;
  const count = head.length;
  // Log-sum-exp over the labels of each arc, its own score included.
  const sums = new Float64Array(count);
  const weights = predicateScores.slice();
  for (let a = 0; a < count; a++) {
    sums[a] = arcScores[a] + logSum(labels.scores, labels.start[a], labels.start[a + 1]);
    weights[head[a]] += softplus(sums[a]);
  }
  let logPartition = weights[0];
  for (let w = 1; w <= n; w++) logPartition += softplus(weights[w]);
  const predicates = weights.map((weight, w) => (w === 0 ? 1 : logistic(weight)));
  const arcMarginals = sums.map((sum, a) => predicates[head[a]] * logistic(sum));
  const labelled = new Float64Array(labels.scores.length);
  for (let a = 0; a < count; a++) {
    for (let k = labels.start[a]; k < labels.start[a + 1]; k++) {
      const share = exp(labels.scores[k] + arcScores[a] - sums[a]);
      labelled[k] = arcMarginals[a] === 0 ? 0 : arcMarginals[a] * share;
    }
  }
  return { logPartition, predicates, arcs: arcMarginals, labelled };
}

/** Returns log(1 + exp(x)). */
function softplus(x: number): number {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/** Returns 1 / (1 + exp(-x)). */
function logistic(x: number): number {
  return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}
