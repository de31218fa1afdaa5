/**
 * Kinds of factors over inputs x', which are x, or 1 - x where an input is negated. Two more constraints are
 * expressed by these: XOR with output is XOR with the output negated once more, an implication is OR with its
 * premises negated.
 */
export const PAIR = 0; // scores an additional potential when both of two inputs are on; none is negated
export const NEGATED_PAIR = 1; // the same with negated inputs
export const XOR = 2; // exactly one is on
export const AT_MOST_ONE = 3;
export const OR = 4; // at least one is on
export const OR_WITH_OUTPUT = 5; // the last one is on exactly if one of the others is
export const KNAPSACK = 6; // the costs of those that are on, costs >= 0, are within a budget
export const GENERIC = 7; // defined by a local maximizer

export type Kind =
  | typeof PAIR
  | typeof NEGATED_PAIR
  | typeof XOR
  | typeof AT_MOST_ONE
  | typeof OR
  | typeof OR_WITH_OUTPUT
  | typeof KNAPSACK
  | typeof GENERIC;
