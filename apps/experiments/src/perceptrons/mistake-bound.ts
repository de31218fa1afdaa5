import { goldenSection } from "@arcwise/core/arithmetic";
import { lbfgs } from "@arcwise/learn";

/** The bound of theorem 2 of Collins (2002), minimised over all weights. */
export interface MistakeBound {
  /** Upper bound of the mistakes in one pass: (R + D)² / γ². */
  readonly bound: number;
  /** U / γ: the direction U of the bound, divided by its margin. */
  readonly weights: Float64Array;
}

/** The division is searched between these logits of t, until they are this close. */
const LOGITS = { from: -12, to: 12, precision: 0.02 };

/**
 * Minimises the bound (R + D)² / γ² of the mistakes of the perceptron in its first pass over the examples
 * (Freund and Schapire 1999; Collins 2002, theorem 2), over all unit weights U and margins γ.
 *
 * With V = U / γ it is the square of R |V| + sqrt(sum of max(0, 1 - the least V · gap)² over the examples). The
 * square of a sum a + b is the least a² / t + b² / (1 - t) over 0 < t < 1, which is convex in V and t together:
 * L-BFGS minimises over V, a golden-section search over t. Every V gives a valid bound; V = 0 gives the number
 * of examples.
 *
 * @param examples for each example, the differences of the gold features and the features of each wrong output
 */
export function minimalMistakeBound(
  examples: readonly (readonly Float64Array[])[],
  dimension: number,
): MistakeBound {
  const radius = Math.sqrt(Math.max(...examples.flat().map((gap) => dot(gap, gap))));
  let best: MistakeBound = { bound: examples.length, weights: new Float64Array(dimension) };
  /** Returns the least value for one division of the bound, and keeps the best weights. */
  function divided(logit: number): number {
    const share = 1 / (1 + Math.exp(-logit));
    const [first, second] = [radius ** 2 / share, 1 / (1 - share)];
    const evaluate = (weights: Float64Array, gradient: Float64Array): number => {
      for (let i = 0; i < dimension; i++) gradient[i] = 2 * first * weights[i]!;
      let value = first * dot(weights, weights);
      for (const gaps of examples) {
        const gap = least(gaps, weights);
        const lack = 1 - dot(gap, weights);
        if (lack <= 0) continue;
        value += second * lack ** 2;
        for (let i = 0; i < dimension; i++) gradient[i]! -= 2 * second * lack * gap[i]!;
      }
      return value;
    };
    const { weights, value } = lbfgs({ dimension, evaluate }, { initial: best.weights, iterations: 100 });
    const bound = boundAt(examples, weights, radius);
    if (bound < best.bound) best = { bound, weights: weights.slice() };
    return value;
  }
  goldenSection(divided, LOGITS.from, LOGITS.to, LOGITS.precision);
  return best;
}

/** Returns the bound of theorem 2 at V = U / γ. */
function boundAt(
  examples: readonly (readonly Float64Array[])[],
  weights: Float64Array,
  radius: number,
): number {
  const squares = examples.reduce(
    (sum, gaps) => sum + Math.max(0, 1 - dot(least(gaps, weights), weights)) ** 2,
    0,
  );
  return (radius * Math.sqrt(dot(weights, weights)) + Math.sqrt(squares)) ** 2;
}

function least(gaps: readonly Float64Array[], weights: Float64Array): Float64Array {
  return gaps.reduce((a, b) => (dot(b, weights) < dot(a, weights) ? b : a));
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
