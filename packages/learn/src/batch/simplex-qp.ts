/**
 * A concave quadratic programme over the simplex: maximises linear · x - ½ xᵀ Q x with x >= 0 and Σ x = 1.
 * Sequential minimal optimisation (Platt 1999): what is moved at a time is an amount from one coordinate to
 * another, with the pair by second-order choice (Fan, Chen and Lin 2005).
 *
 * @param quadratic rows of Q, symmetric and positive semidefinite
 * @param x a point of the simplex, from which the search starts; receives the solution
 * @param tolerance stop when no two gradient entries differ by more, which bounds how far the value is from
 *   the maximum
 * @param steps most moves
 * @returns moves done. O(size) each
 */
export function maximiseOnSimplex(
  quadratic: readonly Float64Array[],
  linear: Float64Array,
  x: Float64Array,
  tolerance: number,
  steps = 100_000,
): number {
  const size = x.length;
  const gradient = linear.slice();
  for (let i = 0; i < size; i++) {
    if (x[i] === 0) continue;
    const row = quadratic[i];
    for (let j = 0; j < size; j++) gradient[j] -= x[i] * row[j];
  }
  for (let step = 0; step < steps; step++) {
    let up = 0;
    for (let i = 1; i < size; i++) if (gradient[i] > gradient[up]) up = i;
    const row = quadratic[up];
    let down = -1;
    let least = Infinity;
    let most = 0;
    for (let i = 0; i < size; i++) {
      const rise = gradient[up] - gradient[i];
      if (x[i] === 0 || rise <= 0) continue;
      least = Math.min(least, gradient[i]);
      const curvature = Math.max(1e-300, row[up] + quadratic[i][i] - 2 * row[i]);
      const gain = (rise * rise) / curvature;
      if (gain <= most) continue;
      most = gain;
      down = i;
    }
    if (down < 0 || gradient[up] - least <= tolerance) return step;
    const other = quadratic[down];
    const curvature = Math.max(1e-300, row[up] + other[down] - 2 * row[down]);
    const amount = Math.min(x[down], (gradient[up] - gradient[down]) / curvature);
    x[up] += amount;
    x[down] = amount === x[down] ? 0 : x[down] - amount;
    for (let j = 0; j < size; j++) gradient[j] -= amount * (row[j] - other[j]);
  }
  return steps;
}
