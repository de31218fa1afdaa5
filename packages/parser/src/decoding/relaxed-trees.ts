import { type Arcs, activeParts, arcIndex, type ParsingProblem, type SparseVector } from "@arcwise/core";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { Scorers } from "../training/parsing-task.ts";
import type { CostWeights } from "../types.ts";

/** The solution of a relaxation that is no tree: how far each arc and each part of a problem is in it. */
export interface Relaxed {
  readonly problem: ParsingProblem;
  readonly arcs: Float64Array;
  /** One array a table of parts. */
  readonly parts: readonly Float64Array[];
  /** The label that the score of each arc was for. */
  readonly labels: Int32Array;
}

/** A tree, and the fractional solution that it was rounded from if it was. */
export interface RoundedTree extends EncodedTree {
  readonly relaxed?: Relaxed;
}

/**
 * Adds the features of a rounded tree less those of what it was rounded from: of arcs, each with its label, and of
 * parts. Of what the tree and the solution have in common nothing is added. The sentence is the one that was scored last.
 *
 * O(arcs + parts), and the features of the arcs and parts on which the two differ.
 *
 * @param firstPart where the weights of parts begin
 */
export function addRounding(
  { heads, relaxed }: RoundedTree,
  scorers: Scorers,
  firstPart: number,
  into: SparseVector,
): void {
  if (relaxed === undefined) return;
  const { problem, arcs: posteriors, parts, labels } = relaxed;
  const { arcs } = problem;
  const amounts = posteriors.map((posterior) => -posterior);
  for (let m = 1; m <= arcs.n; m++) amounts[arcIndex(arcs, heads[m]!, m)]! += 1;
  for (let a = 0; a < amounts.length; a++) {
    const amount = amounts[a]!;
    if (amount === 0) continue;
    const h = arcs.head[a]!;
    const m = arcs.modifier[a]!;
    scorers.arcs.addFeatures(h, m, labels[a]!, amount, into);
    scorers.arcs.tensor?.addArc(h, m, amount);
  }
  problem.parts.forEach((table, index) => {
    const ofParts = parts[index]!.map((posterior) => -posterior);
    for (const part of activeParts(table, arcs, heads)) ofParts[part]! += 1;
    scorers.parts.addTable(table, arcs, ofParts, firstPart, into);
  });
}

/** The costs of a solution's arcs, each as far as it is in the solution. O(arcs). */
export function relaxedCost(
  { problem, arcs: posteriors, labels }: Relaxed,
  gold: EncodedTree,
  costs: CostWeights,
): number {
  const { head, modifier }: Arcs = problem.arcs;
  let cost = 0;
  for (let a = 0; a < posteriors.length; a++) {
    const m = modifier[a]!;
    if (head[a] !== gold.heads[m]) cost += costs.head * posteriors[a]!;
    else if (labels[a] !== gold.labels[m]) cost += costs.label * posteriors[a]!;
  }
  return cost;
}
