import type { Random } from "@arcwise/core";
import type { EncodedTree } from "../../scoring/arcs/label-filter.ts";
import { composeExample, type NetworkExample } from "./network-example.ts";
import { familiesOf, isSpan, type Spans, spansOf } from "./spans.ts";

/** The rate of changes of order, and the labels of the dependents that change places. */
export interface Reordering {
  /** Probability that the free dependents of a head change places. */
  readonly rate: number;
  /** For each label, by number, whether dependents that have it are free. */
  readonly free: readonly boolean[];
}

/**
 * Draws another order of the words of a tree: the free dependents of a head, each with all that depends on
 * it, change places among themselves. A treebank is thereby shown sentences that it might have had, in
 * languages where the order of subjects and objects says little about the syntax, with the trees that these
 * would have (Şahin and Steedman 2018). Heads and other dependents keep their places. In
 * trees that are not projective, all dependents of a head keep their places if other words interrupt one of them.
 *
 * `order[i]` is the position that word i has in the tree, and `order[0]` is 0. O(n · depth of the tree).
 *
 * @returns undefined if no word moves
 */
export function drawOrder(
  { heads, labels }: EncodedTree,
  { rate, free }: Reordering,
  stream: Random,
): Int32Array | undefined {
  const families = familiesOf(heads);
  const spans = spansOf(heads, families);
  let order: Int32Array | undefined;
  // Dependents before their heads, whose spans they are moved with.
  for (let k = spans.downwards.length - 1; k > 0; k--) {
    const head = spans.downwards[k]!;
    const members = families[head]!;
    const places = members.flatMap((member, k) => (member !== head && free[labels[member]!] ? [k] : []));
    if (places.length < 2 || stream.next() >= rate) continue;
    // The head is one of the members; its span covers all of them.
    if (!members.every((member) => isSpan(spans, member))) continue;
    const drawn = stream.shuffle(places.slice());
    const moved = [...members];
    for (const [p, place] of places.entries()) moved[place] = members[drawn[p]!]!;
    order ??= Int32Array.from(heads, (_, i) => i);
    reorder(order, spans, moved, head);
  }
  return order;
}

/** Puts the words below a head into the order of its members. Those below each member are in order. */
function reorder(order: Int32Array, { first, last }: Spans, members: readonly number[], head: number): void {
  const words = members.flatMap((member) =>
    member === head ? [head] : [...order.subarray(first[member], last[member]! + 1)],
  );
  order.set(words, first[head]!);
}

/** Returns an example in another order of its words, as `drawOrder` returns it. O(n). */
export function inOrder(example: NetworkExample, order: Int32Array): NetworkExample {
  const { heads } = example.tree;
  const place = new Int32Array(order.length);
  for (const [i, old] of order.entries()) place[old] = i;
  return composeExample(
    Array.from(order, (position) => ({ example, position })),
    Int32Array.from(order, (old) => (old === 0 ? heads[0]! : place[heads[old]!]!)),
  );
}
