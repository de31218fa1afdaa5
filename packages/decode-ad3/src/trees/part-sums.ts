import type { PartKind } from "@arcwise/core";

/** One value for each part of the tables of some kinds, in their layout. */
export type PartSums = Partial<Record<PartKind, Float64Array>>;
