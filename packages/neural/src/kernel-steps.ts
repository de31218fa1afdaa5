import type { Matrix } from "./matrix.ts";

/**
 * Offsets of the first row of each matrix in a step of a long short-term memory. Rows follow each other,
 * except the rows of states.
 */
export interface CellStep {
  /** `units` sums of the input gate, then of the forget gate, the candidate and the output gate. */
  readonly gates: number;
  /** The cells before, which may be at the offset of the cells; -1 at the beginning. */
  readonly before: number;
  readonly cells: number;
  readonly tangents: number;
  readonly states: number;
  /** A multiple of `LANES`. */
  readonly units: number;
  /** Number of sequences. */
  readonly rows: number;
  /** Distance from a row of states to the next. */
  readonly statesRow: number;
}

/** A range of parameters for a step of Adam: offsets of the first one, of its gradient, and of its means. */
export interface AdamRange {
  readonly at: number;
  /** A multiple of `LANES`. */
  readonly length: number;
  readonly gradients: number;
  readonly means: number;
  readonly squares: number;
}

/** Coefficients of a step of Adam. */
export interface AdamNumbers {
  /** Factor of the gradients. */
  readonly factor: number;
  /** Decay of the mean of gradients, and of the mean of their squares. */
  readonly decay: number;
  readonly squareDecay: number;
  readonly rate: number;
  /** Correction of the means of squares for their zero initial values. */
  readonly correction: number;
  /** Added to the root of the mean square. */
  readonly epsilon: number;
}

/** Steps of a long short-term memory over sequences in lockstep, which begin with a state of zeros. */
export interface LstmSteps {
  /** Offset of row 0 of the gates: sums of the inputs, `4 units` columns a row. Rows of other steps need not be there. */
  readonly gates: number;
  /** Offsets of space for a row of `units` columns for each sequence. */
  readonly cells: number;
  readonly tangents: number;
  readonly states: Matrix;
  readonly units: number;
  /** The weights of states. */
  readonly weights: Matrix;
  /** Numbers of steps: see `stepNumbers`. */
  readonly steps: Int32Array;
  /** Maximum number of sequences of a step. */
  readonly rows: number;
}

/** Terms of the scores of heads, see `MatrixMemory.headScores`. */
export interface HeadTerms {
  /** Number of positions. */
  readonly length: number;
  readonly units: number;
  /** Offset of the weight of distance 0: weights of other distances are around it. */
  readonly middle: number;
  /** Distances beyond this one have its weight. */
  readonly most: number;
}
