import { AT_MOST_ONE, KNAPSACK, OR, OR_WITH_OUTPUT, XOR } from "./kinds.ts";
import type { Layout } from "./layout.ts";
import {
  projectAtMostOne,
  projectKnapsack,
  projectOr,
  projectOrWithOutput,
  projectPair,
  projectXor,
} from "./projections.ts";

/**
 * Replaces the inputs of a logic constraint or a pair by the nearest point of its hull. Returns false when
 * the hull is empty. O(k log k) for k inputs; a knapsack O(k²) in the worst case.
 *
 * @param f index of the factor
 * @param inputs its k inputs, negated already
 * @param scratch at least 2 k entries
 */
export function projectConstraint(
  layout: Layout,
  f: number,
  eta: number,
  inputs: Float64Array,
  scratch: Float64Array,
): boolean {
  const { kind, start, cost, budget, pairPotential } = layout;
  const k = start[f + 1] - start[f];
  switch (kind[f]) {
    case XOR:
      projectXor(inputs, 0, k, scratch);
      return true;
    case AT_MOST_ONE:
      projectAtMostOne(inputs, 0, k, scratch);
      return true;
    case OR:
      projectOr(inputs, 0, k, scratch);
      return true;
    case OR_WITH_OUTPUT:
      projectOrWithOutput(inputs, 0, k, scratch);
      return true;
    case KNAPSACK:
      if (budget[f] < 0) return false;
      projectKnapsack(inputs, 0, k, cost, start[f], budget[f], scratch);
      return true;
    default:
      projectPair(inputs, 0, pairPotential[f] / eta);
      return true;
  }
}
