/**
 * All that the solver has to know of a factor that has no closed form: how to find its best configuration. A
 * configuration says which of the factor's binary variables are on, and which of its additional potentials
 * (scores of the factor's own, over several variables at once) it is paid.
 *
 * Configurations live in numbered slots that the maximizer owns, as whatever typed arrays it likes. The
 * solver says which slot to write, keeps the few that matter and reuses the others: nothing is allocated
 * while it runs. One maximizer serves one factor; what several factors have in common may be shared between
 * them.
 *
 * Potentials are finite. Both arrays are the solver's: they may be read during a call, and not be kept or
 * changed.
 */
export interface LocalMaximizer {
  /** Binary variables of the factor, numbered in its own order. */
  readonly variables: number;
  /** Additional potentials of the factor; 0 if it has none. */
  readonly additional: number;
  /**
   * Whether values contain scores that the maximizer holds itself, besides the additional potentials. It may:
   * potentials always come in the units of the problem. Taken to be false.
   */
  readonly ownScores?: boolean;

  /** Makes slots 0..slots - 1 usable; those that were keep their configurations. */
  reserve(slots: number): void;

  /**
   * Writes a configuration of highest value into a slot and returns the value: the sum of the potentials of
   * the variables that are on, plus that of the additional potentials that the configuration is paid.
   * -Infinity says that there is no configuration.
   */
  maximize(variable: Float64Array, additional: Float64Array, slot: number): number;

  /** Returns the value of the configuration in a slot. */
  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number;

  /**
   * Adds `weight` to the entry of every variable that is on and of every additional potential that is paid.
   */
  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void;

  /** Returns the number of variables that are on in both slots. */
  countCommon(slot: number, other: number): number;

  /**
   * Returns whether two slots hold the same configuration, as to variables and as to additional potentials.
   */
  same(slot: number, other: number): boolean;

  /** Copies the configuration of one slot into another. */
  copy(from: number, to: number): void;
}
