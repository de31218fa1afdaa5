import { log } from "@arcwise/core/arithmetic";
import { squaredNorm } from "../batch/dual.ts";
import { lbfgs } from "../batch/lbfgs.ts";
import type { Objective } from "../batch/objective.ts";
import { checkInteger, checkNotNegative } from "../checks.ts";
import { ClassColumn } from "./column.ts";
import { Course, type MaxentMethod, type MaxentOptions, type MaxentResult, METHODS } from "./course.ts";
import type { MaxentDesign } from "./design.ts";
import { scaleImproved } from "./improved-scaling.ts";
import { penalty, Rows } from "./rows.ts";
import { uniformScalingStep } from "./scaling.ts";

/**
 * Trains a conditional maximum entropy model: minimises the sum over the events of -log p(class | context),
 * plus |w|² / (2 · variance), where p is proportional to exp(sum of the weights of context and class).
 *
 * An iteration of any method costs O(non-zeros + events · classes). For `cd` and `scgis` a step on one weight
 * costs its column; no method increases the value from one iteration to the next. Memory besides the design:
 * 24 bytes per event and 8 to 24 per weight; for `lbfgs` 200 bytes per weight.
 *
 * Blocks the event loop until it ends.
 *
 * @throws RangeError when an option is out of range, or scores overflow
 */
export function trainMaxent(design: MaxentDesign, options: MaxentOptions = {}): MaxentResult {
  const { method = "cd", variance = 10, iterations = 100, tolerance = 1e-6, initial } = options;
  if (!METHODS.has(method))
    throw new RangeError(`method must be one of ${[...METHODS].join(", ")}, got ${method}`);
  if (!(variance > 0)) throw new RangeError(`variance must be > 0, got ${variance}`);
  checkInteger("iterations", iterations, 1);
  checkNotNegative("tolerance", tolerance);
  if (initial !== undefined && initial.length !== design.dimension) {
    throw new RangeError(`expected ${design.dimension} initial weights, got ${initial.length}`);
  }
  const weights = initial === undefined ? new Float64Array(design.dimension) : Float64Array.from(initial);
  const course = new Course(weights, iterations, tolerance, options);
  if (method === "lbfgs") minimise(design, weights, variance, iterations, course);
  else if (method === "gis") scale(design, weights, variance, course);
  else if (method === "iis") scaleImproved(design, weights, variance, course);
  else sweep(design, weights, variance, course, coordinateStep(method, design));
  return course.result();
}

/** Makes the objective of `trainMaxent`. */
export function maxentObjective(design: MaxentDesign, variance: number): Objective {
  const rows = new Rows(design);
  const { dimension, counts } = design;
  function evaluate(weights: Float64Array, gradient: Float64Array): number {
    gradient.fill(0);
    const loss = rows.expectations(weights, gradient);
    for (let t = 0; t < dimension; t++) gradient[t] += weights[t] / variance - counts[t];
    return loss + squaredNorm(weights) / (2 * variance);
  }
  return { dimension, evaluate };
}

/** Makes a step on one weight of the class that the column has. */
type CoordinateStep = (
  column: ClassColumn,
  feature: number,
  weight: number,
  count: number,
  variance: number,
) => number;

/** Makes a step on each weight in turn, class by class. */
function sweep(
  design: MaxentDesign,
  weights: Float64Array,
  variance: number,
  course: Course,
  step: CoordinateStep,
): void {
  const { classes, classStart, classWeights, weightFeature, counts } = design;
  const totals = new Float64Array(design.events).fill(classes.length);
  if (weights.some((weight) => weight !== 0)) new Rows(design).totals(weights, totals);
  const column = new ClassColumn(design, totals);
  course.begin(column.totals.reduce((sum, total) => sum + log(total), penalty(design, weights, variance)));
  let logTotals: number;
  do {
    column.beginSweep();
    for (let label = 0; label < classes.length; label++) {
      column.enter(label, weights);
      const end = classStart[label + 1];
      for (let k = classStart[label]; k < end; k++) {
        const t = classWeights[k];
        weights[t] += step(column, weightFeature[t], weights[t], counts[t], variance);
      }
      column.leave();
    }
    logTotals = column.endSweep();
  } while (course.done(logTotals + penalty(design, weights, variance)));
}

/**
 * Line search: a step is shortened unless it lowers the value by this share of what the derivative predicts.
 */
const DECREASE = 0.001;
const SHRINK = 0.5;
const MAX_TRIALS = 40;
/** Maximum length of a Newton step: exponentials of the sums of a few steps must stay finite. */
const MAX_STEP = 20;

/**
 * Makes a step of coordinate descent: Newton's step, halved until it lowers the value enough, which the full
 * step nearly always does.
 */
function newtonStep(
  column: ClassColumn,
  feature: number,
  weight: number,
  count: number,
  variance: number,
): number {
  const expectation = column.expectation(feature);
  const derivative = expectation - count + weight / variance;
  const curvature = column.variance(feature, expectation) + 1 / variance;
  let step = Math.max(-MAX_STEP, Math.min(MAX_STEP, -derivative / curvature));
  if (step === 0 || !Number.isFinite(step)) return 0;
  let growth = column.moveWithGrowth(feature, step);
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const change = growth + step * (weight / variance - count) + (step * step) / (2 * variance);
    // Differences by rounding alone do not count as lower.
    if (change <= DECREASE * step * derivative + 1e-12 * count) return step;
    growth += column.moveWithGrowth(feature, (SHRINK - 1) * step);
    step *= SHRINK;
  }
  column.move(feature, -step);
  return 0;
}

/** Newton steps on one weight end at this length, relative to the weight, or this number. */
const PRECISION = 1e-10;
const MAX_NEWTON_STEPS = 50;

/** Makes a step of traditional coordinate descent: to the minimum with all other weights fixed. */
function exactStep(
  column: ClassColumn,
  feature: number,
  weight: number,
  count: number,
  variance: number,
): number {
  let sum = 0;
  for (let k = 0; k < MAX_NEWTON_STEPS; k++) {
    const step = newtonStep(column, feature, weight + sum, count, variance);
    sum += step;
    if (Math.abs(step) <= PRECISION * (1 + Math.abs(weight + sum))) break;
  }
  return sum;
}

function coordinateStep(method: MaxentMethod, design: MaxentDesign): CoordinateStep {
  if (method === "cd") return newtonStep;
  return method === "exact-cd" ? exactStep : scgisStep(design);
}

/** The bound of a weight assumes that all events have the largest value of its feature. */
function scgisStep({ featureStart, featureValues: values, features }: MaxentDesign): CoordinateStep {
  const largest = new Float64Array(features.length).fill(1);
  if (values !== undefined) {
    for (let i = 0; i < features.length; i++) {
      largest[i] = 0;
      for (let e = featureStart[i]; e < featureStart[i + 1]; e++) {
        largest[i] = Math.max(largest[i], values[e]);
      }
    }
  }
  return (column, feature, weight, count, variance) => {
    const expectation = column.expectation(feature);
    const step = uniformScalingStep(expectation, largest[feature], weight, count, variance);
    column.move(feature, step);
    return step;
  };
}

/**
 * Runs generalised iterative scaling: changes all weights at once, as if all events had as many features as
 * the largest.
 */
function scale(design: MaxentDesign, weights: Float64Array, variance: number, course: Course): void {
  const { eventStart, eventValues, events, counts, dimension } = design;
  let active = eventValues === undefined ? 1 : 0;
  for (let x = 0; x < events; x++) {
    const end = eventStart[x + 1];
    let sum = end - eventStart[x];
    if (eventValues !== undefined) {
      sum = 0;
      for (let k = eventStart[x]; k < end; k++) sum += eventValues[k];
    }
    active = Math.max(active, sum);
  }
  const rows = new Rows(design);
  const expectations = new Float64Array(dimension);
  const value = (): number =>
    rows.expectations(weights, expectations) + squaredNorm(weights) / (2 * variance);
  course.begin(value());
  let seconds: number;
  do {
    for (let t = 0; t < dimension; t++) {
      weights[t] += uniformScalingStep(expectations[t], active, weights[t], counts[t], variance);
    }
    // The value is computed with the expectations of the next iteration: its time does not count for this
    // one.
    seconds = course.seconds();
    expectations.fill(0);
  } while (course.done(value(), seconds));
}

function minimise(
  design: MaxentDesign,
  weights: Float64Array,
  variance: number,
  iterations: number,
  course: Course,
): void {
  const objective = maxentObjective(design, variance);
  const minimum = lbfgs(objective, {
    initial: weights,
    iterations,
    tolerance: 0,
    onIteration: (state) => {
      weights.set(state.weights);
      return course.done(state.value);
    },
  });
  weights.set(minimum.weights);
}
