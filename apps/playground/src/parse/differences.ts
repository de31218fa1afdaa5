import { counted } from "@arcwise/core/errors";
import type { PlainTree } from "../model/calls.ts";

/** Numbers of words with other heads, and with other labels on the same head. */
export interface Differences {
  readonly heads: number;
  readonly labels: number;
}

/** Counts what differs between two trees of a sentence. O(n). */
export function differences(best: PlainTree, other: PlainTree): Differences {
  let heads = 0;
  let labels = 0;
  for (let m = 1; m < best.heads.length; m++) {
    if (best.heads[m] !== other.heads[m]) heads++;
    else if (best.labels[m] !== other.labels[m]) labels++;
  }
  return { heads, labels };
}

/** Says what differs between two trees. */
export function describeDifferences(best: PlainTree, other: PlainTree): string {
  const { heads, labels } = differences(best, other);
  if (heads + labels === 0) return "the same tree.";
  const count = (n: number, noun: string) => (n === 0 ? [] : [counted(n, noun)]);
  const counts = [...count(heads, "head"), ...count(labels, "label")].join(" and ");
  return `${counts} differ${heads + labels === 1 ? "s" : ""}.`;
}
