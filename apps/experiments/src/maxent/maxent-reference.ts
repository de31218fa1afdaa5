import { processorTime } from "@arcwise/bench/measures";
import { lbfgs } from "@arcwise/learn";
import { type MaxentDesign, maxentObjective, trainMaxent } from "@arcwise/learn/maxent";

/** A value near the minimum, and an upper bound of its relative distance from it, by the gradient. */
export interface MaxentReference {
  readonly value: number;
  readonly certificate: number;
}

/** Number of sweeps of coordinate descent before L-BFGS. */
const SWEEPS = 30;
/** Relative distance from the minimum at which the search ends. */
const NEAR = 1e-7;

/**
 * Computes the minimum for comparisons: by coordinate descent, which is fast at first, and then by L-BFGS,
 * which is fast near the minimum. The objective has curvature 1 / variance at least everywhere, so that it is
 * above its minimum by at most variance / 2 · |gradient|².
 */
export function maxentReference(design: MaxentDesign, variance: number, seconds: number): MaxentReference {
  const end = processorTime() + 1000 * seconds;
  const isOver = (): boolean => processorTime() >= end;
  const objective = maxentObjective(design, variance);
  const nearness = (value: number, gradient: Float64Array): number =>
    ((variance / 2) * gradient.reduce((sum, partial) => sum + partial * partial, 0)) / value;
  const { weights } = trainMaxent(design, {
    method: "cd",
    variance,
    iterations: SWEEPS,
    tolerance: 0,
    onIteration: () => !isOver(),
  });
  const { value, gradient } = lbfgs(objective, {
    initial: weights,
    history: 20,
    tolerance: 0,
    iterations: 10_000,
    onIteration: (state) => nearness(state.value, state.gradient) > NEAR && !isOver(),
  });
  return { value, certificate: nearness(value, gradient) };
}
