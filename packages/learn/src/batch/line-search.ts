/** Weights at which to evaluate an objective, and the vector for its gradient. */
export interface Evaluation {
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
}

/** Value and derivative of a function along a line, at a step from the start of the line. */
export interface LinePoint {
  readonly step: number;
  readonly value: number;
  readonly derivative: number;
}

/** Armijo condition: a step must lower the value by this share of the first-order prediction. */
const DECREASE = 1e-4;
/** Curvature condition: the derivative must be at most this share of the first one. */
const CURVATURE = 0.9;
const MAX_TRIALS = 40;

/**
 * Finds a step that meets the strong Wolfe conditions: bracketing, then zooming by the minimum of the cubic
 * through the ends of the bracket (Nocedal and Wright 2006, algorithms 3.5 and 3.6). Near the minimum, where
 * values differ by rounding only, a value that is not higher up to rounding counts as lower.
 *
 * @param start the point of step 0; its derivative is below 0
 * @param first the step to try first
 * @returns the point, the last one that `evaluate` was called with; undefined if none was found
 */
export function* strongWolfe(
  start: LinePoint,
  first: number,
  evaluate: (step: number) => Generator<Evaluation, LinePoint, number>,
): Generator<Evaluation, LinePoint | undefined, number> {
  const slack = 4 * Number.EPSILON * Math.abs(start.value);
  const isLow = ({ step, value }: LinePoint): boolean =>
    value <= start.value + DECREASE * step * start.derivative + slack;
  const isFlat = ({ derivative }: LinePoint): boolean =>
    Math.abs(derivative) <= -CURVATURE * start.derivative;

  let low = start;
  let high: LinePoint | undefined;
  let step = first;
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const point = yield* evaluate(step);
    if (Number.isNaN(point.value) || !isLow(point) || point.value > low.value + slack) high = point;
    else if (isFlat(point)) return point;
    else {
      // The minimum is between this point and the low one if the derivative points back, else on the other
      // side.
      const back = high === undefined ? 1 : high.step - low.step;
      if (point.derivative * back >= 0) high = low;
      low = point;
    }
    step = high === undefined ? 4 * step : between(low, high);
    if (step === low.step || step === high?.step) break;
  }
  return undefined;
}

/** The minimum of the cubic through two points with their derivatives, kept off the ends. */
function between(a: LinePoint, b: LinePoint): number {
  const width = b.step - a.step;
  const middle = a.step + width / 2;
  const d1 = a.derivative + b.derivative - (3 * (a.value - b.value)) / (a.step - b.step);
  const d2 = Math.sign(width) * Math.sqrt(d1 * d1 - a.derivative * b.derivative);
  const step = b.step - width * ((b.derivative + d2 - d1) / (b.derivative - a.derivative + 2 * d2));
  if (!Number.isFinite(step)) return middle;
  const share = (step - a.step) / width;
  if (share < 0.1) return a.step + 0.1 * width;
  return share > 0.9 ? a.step + 0.9 * width : step;
}
