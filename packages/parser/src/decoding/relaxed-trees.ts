import { activeParts, arcIndex, type DecoderWith, type ParsingProblem } from "@arcwise/core";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { PartAmounts } from "../scoring/parts/part-scorer.ts";
import type { ScoredSentence } from "../scoring/sentence-scorer.ts";
import type { CostWeights } from "../types.ts";

/** The solution of a relaxation that is not a tree: a value from 0 to 1 for each arc and part. */
export interface Relaxed {
  readonly problem: ParsingProblem;
  readonly arcs: Float64Array;
  /** One array per table of parts. */
  readonly parts: readonly Float64Array[];
  /** The label of the score of each arc. */
  readonly labels: Int32Array;
}

/** A tree, and the fractional solution that it was rounded from, if any. */
export interface RoundedTree extends EncodedTree {
  readonly relaxed?: Relaxed | undefined;
}

/**
 * Returns the best tree of a scored sentence, with the fractional solution that it was rounded from, if any.
 */
export function decodeRelaxed(scored: ScoredSentence, decoder: DecoderWith<"decodeRelaxed">): RoundedTree {
  const { problem, labels } = scored;
  const found = decoder.decodeRelaxed(problem);
  const tree = scored.labelled(found.heads);
  // Where the tree is proved optimal, it is the solution.
  if (found.status === "optimal") return tree;
  return { ...tree, relaxed: { problem, arcs: found.posteriors, parts: found.partPosteriors, labels } };
}

/**
 * Returns the values of a tree's arcs and parts minus the values of the solution that it was rounded from.
 * O(arcs + parts).
 */
export function rounding(
  heads: Int32Array,
  { problem, arcs: posteriors, parts }: Relaxed,
): { readonly arcs: Float64Array; readonly parts: readonly PartAmounts[] } {
  const { arcs } = problem;
  const arcAmounts = posteriors.map((posterior) => -posterior);
  for (let m = 1; m <= arcs.n; m++) arcAmounts[arcIndex(arcs, heads[m]!, m)]! += 1;
  const partAmounts = problem.parts.map((table, index) => {
    const amounts = parts[index]!.map((posterior) => -posterior);
    for (const part of activeParts(table, arcs, heads)) amounts[part]! += 1;
    return { table, amounts };
  });
  return { arcs: arcAmounts, parts: partAmounts };
}

/** Returns the cost of a solution: the costs of its arcs times their values. O(arcs). */
export function relaxedCost(
  { problem, arcs: posteriors, labels }: Relaxed,
  gold: EncodedTree,
  costs: CostWeights,
): number {
  const { head, modifier } = problem.arcs;
  let cost = 0;
  for (let a = 0; a < posteriors.length; a++) {
    const m = modifier[a]!;
    if (head[a] !== gold.heads[m]) cost += costs.head * posteriors[a]!;
    else if (labels[a] !== gold.labels[m]) cost += costs.label * posteriors[a]!;
  }
  return cost;
}
