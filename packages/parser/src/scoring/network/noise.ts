import type { Random } from "@arcwise/core";

/**
 * Dropout in training: entries are set to 0 with the rate of their kind, and the others scaled up to
 * compensate.
 */
export interface Noise {
  /**
   * Rates of word vectors, of the inputs of the layers above, and of the states that a recurrent layer reads
   * at its next position: of these, the same numbers at all positions of a sentence.
   */
  readonly rates: { readonly words: number; readonly layers: number; readonly states: number };
  readonly stream: Random;
}
