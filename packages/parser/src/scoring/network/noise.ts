import type { Random } from "@arcwise/core";

/**
 * Dropout in training: entries are set to 0 with the rate of their kind, and the others scaled up to
 * compensate.
 */
export interface Noise {
  /** Rates of word vectors, and of the inputs of the layers above. */
  readonly rates: { readonly words: number; readonly layers: number };
  readonly stream: Random;
}
