import type { PartKind } from "@arcwise/core";

/** Options of the first-order decoders. */
export interface FirstOrderOptions {
  /** Exactly one word is attached to the root (the default), or one or more. */
  readonly singleRoot?: boolean | undefined;
}

/** The kinds of parts that first-order decoders score: none. */
export const NO_PARTS: ReadonlySet<PartKind> = new Set();

/** Options of everything projective. */
export interface ProjectiveOptions {
  /** Whether the root has exactly one modifier (default), or one or more. */
  readonly singleRoot?: boolean | undefined;
}

/** All the kinds of parts that projective dynamic programmes score. */
export const PROJECTIVE_KINDS: readonly PartKind[] = [
  "grandparent",
  "nextSibling",
  "lastSibling",
  "grandSibling",
  "triSibling",
];
