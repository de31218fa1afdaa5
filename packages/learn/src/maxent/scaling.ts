import { exp, log } from "@arcwise/core/arithmetic";

/** Maximum number of Newton steps; near the root each doubles the number of correct digits. */
const MAX_STEPS = 100;
const PRECISION = 1e-13;

/**
 * Returns the change z of a weight that minimises a bound of iterative scaling: the root of
 *
 *     Σ_k expectations[k] · exp(exponents[k] z) + (weight + z) / variance - count
 *
 * by Newton's method. The function is convex and increasing, so that all iterates after the first are right
 * of the root. A first step to the right is limited to the point where one term alone balances the equation:
 * otherwise the exponentials would allow only steps of 1 / exponent back.
 *
 * @param expectations expected counts of the feature, by the number of features that are active with it
 * @param exponents these numbers, above 0 where the expectation is. Default: 0, 1, 2, ...
 */
export function scalingStep(
  expectations: Float64Array,
  weight: number,
  count: number,
  variance: number,
  exponents?: Float64Array,
): number {
  let z = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    let value = (weight + z) / variance - count;
    let derivative = 1 / variance;
    for (let k = 0; k < expectations.length; k++) {
      if (expectations[k] === 0) continue;
      const exponent = exponents === undefined ? k : exponents[k];
      const term = expectations[k] * exp(exponent * z);
      value += term;
      derivative += exponent * term;
    }
    let change = value / derivative;
    if (step === 0 && change < 0) {
      for (let k = 0; k < expectations.length; k++) {
        if (expectations[k] === 0) continue;
        const exponent = exponents === undefined ? k : exponents[k];
        change = Math.max(change, -log((count - weight / variance) / expectations[k]) / exponent);
      }
    }
    z -= change;
    if (Math.abs(change) <= PRECISION * (1 + Math.abs(z))) break;
  }
  return z;
}

/** Returns the same where all events have the same number of features, `active`: one term. */
export function uniformScalingStep(
  expectation: number,
  active: number,
  weight: number,
  count: number,
  variance: number,
): number {
  if (variance === Infinity) return log(count / expectation) / active;
  let z = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    const term = expectation * exp(active * z);
    let change = (term + (weight + z) / variance - count) / (active * term + 1 / variance);
    if (step === 0 && change < 0) {
      change = Math.max(change, -log((count - weight / variance) / expectation) / active);
    }
    z -= change;
    if (Math.abs(change) <= PRECISION * (1 + Math.abs(z))) break;
  }
  return z;
}
