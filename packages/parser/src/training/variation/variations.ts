import type { Random } from "@arcwise/core";
import type { NetworkSettings } from "../settings.ts";
import type { NetworkExample } from "./network-example.ts";
import { Substitutions } from "./substitution.ts";
import { drawOrder, inOrder } from "./word-order.ts";

/** How sentences are varied: probabilities of other orders and of substitutions. */
export interface Variation {
  readonly permute: number;
  readonly replace: number;
}

/** Words of a treebank below which networks alone learn from substitutions. */
const SMALL_TREEBANK = 45_000;
/** Their probability of substitution, chosen on development splits (docs/notes, *Networks alone*). */
const SUBSTITUTION = 0.15;

/**
 * Returns how the sentences of a treebank of `words` words are varied. Small treebanks gain from substitution; a network that
 * sees a large one a few times does not.
 *
 * @param isAlone whether it is for a network alone that does not continue a model
 */
export function variationFor(
  { permute, replace }: NetworkSettings["augment"],
  words: number,
  isAlone: boolean,
): Variation {
  return { permute, replace: replace ?? (isAlone && words < SMALL_TREEBANK ? SUBSTITUTION : 0) };
}

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
  { permute, replace }: Variation,
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
