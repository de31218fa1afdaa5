import type { Lattice } from "../inference/chain-problem.ts";

/**
 * A sequence whose features have been looked up. Memory: 4 bytes per template and position, for any labels.
 */
export interface PreparedSequence {
  readonly n: number;
  readonly lattice: Lattice;
  /** Whether every position has all labels. */
  readonly complete: boolean;
  /** For each arity, slots of position i: `slots[start[i] .. start[i + 1] - 1]`. */
  readonly features: readonly { readonly start: Int32Array; readonly slots: Int32Array }[];
}

/** A prepared sequence with its gold labels, which are among its candidates. */
export interface ChainExample {
  readonly prepared: PreparedSequence;
  readonly labels: Int32Array;
}
