import type { ParsingProblem } from "./problem.ts";

/**
 * Returns the cost-augmented problem: every arc that is not in the gold tree scores `cost` more. A tree then
 * scores `scoreTree(problem, tree) + cost · (number of words with another head than in the gold tree)`, so
 * that the best tree is the most violated one of a margin learner (Taskar, Guestrin and Koller 2003;
 * McDonald, Crammer and Pereira 2005). Pruned arcs stay pruned; parts and the global scorer are unchanged.
 *
 * Where the score of an arc is the score of its best label, add the cost of a wrong label before: choose the
 * label of a gold arc by its score, plus the label's cost if it is not the gold one.
 *
 * O(arcs); the problem itself is not changed.
 *
 * @param gold n + 1 heads, `gold[0] === -1`; its arcs need not be candidates
 * @param cost of a wrong head, at least 0
 * @throws RangeError when the gold tree does not have n + 1 entries, or the cost is negative or not finite
 */
export function addCost(problem: ParsingProblem, gold: Int32Array, cost: number): ParsingProblem {
  const { head, modifier, n } = problem.arcs;
  if (gold.length !== n + 1) throw new RangeError(`gold must have ${n + 1} entries, got ${gold.length}`);
  if (!(cost >= 0 && cost < Infinity)) throw new RangeError(`cost must be finite and >= 0, got ${cost}`);
  const arcScores = problem.arcScores.slice();
  for (let a = 0; a < arcScores.length; a++) if (gold[modifier[a]] !== head[a]) arcScores[a] += cost;
  return { ...problem, arcScores };
}
