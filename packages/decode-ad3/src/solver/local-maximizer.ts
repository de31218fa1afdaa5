/**
 * Interface of a factor that has no closed form: it finds the factor's best configuration. A configuration
 * says which of the factor's binary variables are on, and which of its additional potentials (scores over
 * several variables at once) it has.
 *
 * Configurations live in numbered slots that the maximizer owns, in typed arrays of its choice. The solver
 * chooses the slot to write, keeps the few that matter and reuses the others: nothing is allocated while it
 * runs. A maximizer belongs to one factor; several may share data.
 *
 * Potentials are finite. Both arrays belong to the solver: a maximizer may read them during a call, and must
 * not keep or change them.
 */
export interface LocalMaximizer {
  /** Binary variables of the factor, numbered in its own order. */
  readonly variables: number;
  /** Number of additional potentials of the factor; may be 0. */
  readonly additional: number;
  /**
   * Whether values contain scores that the maximizer stores itself, besides the additional potentials. That
   * is allowed, since potentials always have the units of the problem. False by default.
   */
  readonly ownScores?: boolean | undefined;

  /** Makes slots 0..slots - 1 usable; existing ones keep their configurations. */
  reserve(slots: number): void;

  /**
   * Writes a configuration of highest value into a slot and returns the value: the sum of the potentials of
   * the variables that are on, plus the additional potentials of the configuration. Returns -Infinity
   * when there is no configuration.
   */
  maximize(variable: Float64Array, additional: Float64Array, slot: number): number;

  /** Returns the value of the configuration in a slot. */
  evaluate(variable: Float64Array, additional: Float64Array, slot: number): number;

  /**
   * Adds `weight` to the entry of every variable that is on and of every additional potential of the
   * configuration.
   */
  addPosteriors(slot: number, weight: number, variable: Float64Array, additional: Float64Array): void;

  /** Returns the number of variables that are on in both slots. */
  countCommon(slot: number, other: number): number;

  /**
   * Returns whether two slots hold the same configuration, both in variables and in additional potentials.
   */
  same(slot: number, other: number): boolean;
}
