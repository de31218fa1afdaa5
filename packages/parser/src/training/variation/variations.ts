import type { Random } from "@arcwise/core";
import type { NetworkExample } from "./network-example.ts";
import { Substitutions } from "./substitution.ts";
import { drawOrder, inOrder, type Reordering } from "./word-order.ts";

/** How examples are varied. Plain data. */
export interface VariationPlan {
  /** Other orders of words. Default: none. */
  readonly reordering?: Reordering | undefined;
  /** Probability that a dependent, with all that depends on it, is replaced by another. Default: 0. */
  readonly substitution?: number | undefined;
}

/** Draws another example to learn from, in place of one by its index; undefined: that one itself. */
export type Vary = (example: number, stream: Random) => NetworkExample | undefined;

/** Returns what varies the examples of a treebank; undefined: nothing does. O(words). */
export function variationsOf(
  examples: readonly NetworkExample[],
  { reordering, substitution = 0 }: VariationPlan,
): Vary | undefined {
  if (reordering === undefined && substitution === 0) return undefined;
  const substitutions = substitution > 0 ? new Substitutions(examples) : undefined;
  return (index, stream) => {
    const order = reordering && drawOrder(examples[index]!.tree, reordering, stream);
    const ordered = order && inOrder(examples[index]!, order);
    return substitutions?.draw(ordered ?? examples[index]!, substitution, stream) ?? ordered;
  };
}
