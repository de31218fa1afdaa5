import { lbfgs, type MaxentDesign, maxentObjective, trainMaxent } from "@arcwise/learn";
import { processorTime } from "./measure-maxent.ts";

/** A value near the minimum, and how near at most, as a share of it: by the gradient there. */
export interface MaxentReference {
  readonly value: number;
  readonly certificate: number;
}

/** Sweeps of coordinate descent before L-BFGS takes over. */
const SWEEPS = 30;
/** Nearer than this need not be. */
const NEAR = 1e-7;

/**
 * The minimum that methods are compared with: coordinate descent, which is quick at first, and then L-BFGS,
 * which is quick near the minimum. The objective has curvature 1 / variance at least everywhere, so that it
 * is above its minimum by at most variance / 2 · |gradient|².
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
