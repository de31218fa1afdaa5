import type { Random } from "@arcwise/core";
import type { NetworkSettings } from "../settings.ts";
import type { NetworkExample } from "./network-example.ts";
import { Substitutions } from "./substitution.ts";
import { drawOrder, inOrder } from "./word-order.ts";

/** Draws another example to learn from, in place of one by its index; undefined: that one itself. */
export type Vary = (example: number, stream: Random) => NetworkExample | undefined;

/**
 * Returns a function that varies the examples of a treebank; undefined if all rates are 0. Partly annotated trees stay as
 * they are. O(words).
 *
 * @param permuted for each label, whether dependents that have it are permuted
 */
export function variationsOf(
  examples: readonly NetworkExample[],
  { permute, replace }: Pick<NetworkSettings["augment"], "permute" | "replace">,
  permuted: readonly boolean[],
): Vary | undefined {
  if (permute === 0 && replace === 0) return undefined;
  const isWhole = examples.map(({ tree }) => !tree.heads.includes(-1, 1));
  const substitutions = replace > 0 ? new Substitutions(examples.filter((_, i) => isWhole[i])) : undefined;
  const reordering = permute > 0 ? { rate: permute, free: permuted } : undefined;
  return (index, stream) => {
    if (!isWhole[index]) return undefined;
    const order = reordering && drawOrder(examples[index]!.tree, reordering, stream);
    const ordered = order && inOrder(examples[index]!, order);
    return substitutions?.draw(ordered ?? examples[index]!, replace, stream) ?? ordered;
  };
}
