import { integer, number, record } from "@arcwise/core/options";

/** How scores become probabilities, as learned on a development set. */
export interface Calibration {
  /** The divisor of scores before exponentiation. */
  readonly temperature: number;
  /** Number of words that it was learned on. */
  readonly words: number;
  /** Expected calibration error of the probabilities of heads on these words, and without the temperature. */
  readonly error: number;
  readonly uncalibratedError: number;
}

/** Checks a calibration. */
export const CALIBRATION = record<Calibration>({
  temperature: number(1e-6, 1e6),
  words: integer(1),
  error: number(0, 1),
  uncalibratedError: number(0, 1),
});
