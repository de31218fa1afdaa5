import type { PartKind } from "@arcwise/core";

/** Options of everything that chooses, ranks, sums or draws trees. */
export interface TreeOptions {
  /** Whether the root has exactly one modifier, as in Universal Dependencies, or one or more. Default: true. */
  readonly singleRoot?: boolean | undefined;
}

/** The kinds of parts that first-order decoders score: none. */
export const NO_PARTS: ReadonlySet<PartKind> = new Set();

/** All the kinds of parts that projective dynamic programmes score. */
export const PROJECTIVE_KINDS: readonly PartKind[] = [
  "grandparent",
  "nextSibling",
  "lastSibling",
  "grandSibling",
  "triSibling",
];
