import type { PartKind } from "@arcwise/core";

/** An amount for each part of the tables of some kinds, in their layout. */
export type PartSums = Partial<Record<PartKind, Float64Array>>;
