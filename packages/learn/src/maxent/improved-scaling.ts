import { log } from "@arcwise/core/arithmetic";
import { ClassColumn } from "./column.ts";
import type { Course } from "./course.ts";
import type { MaxentDesign } from "./design.ts";
import { penalty, Rows } from "./rows.ts";
import { scalingStep } from "./scaling.ts";

/**
 * Runs improved iterative scaling: changes all weights at once, with the sum of the active features of each
 * event and class.
 */
export function scaleImproved(
  design: MaxentDesign,
  weights: Float64Array,
  variance: number,
  course: Course,
): void {
  const { classes, classStart, classWeights, weightFeature, counts, events } = design;
  const rows = new Rows(design);
  const equation = design.eventValues === undefined ? binnedEquation(design) : valuedEquation(design);
  const totals = new Float64Array(events);
  const column = new ClassColumn(design, totals);
  const next = new Float64Array(weights.length);
  const value = (): number => {
    rows.totals(weights, totals);
    return totals.reduce((sum, total) => sum + log(total), penalty(design, weights, variance));
  };
  course.begin(value());
  let seconds: number;
  do {
    for (let label = 0; label < classes.length; label++) {
      column.enter(label, weights);
      equation.enter(label);
      for (let k = classStart[label]; k < classStart[label + 1]; k++) {
        const t = classWeights[k];
        const { terms, exponents } = equation.read(weightFeature[t], column.probabilities);
        next[t] = weights[t] + scalingStep(terms, weights[t], counts[t], variance, exponents);
      }
    }
    weights.set(next);
    seconds = course.seconds();
  } while (course.done(value(), seconds));
}

/** Reads the equation of a weight: terms and exponents of `scalingStep`. */
interface Equation {
  /** Prepares for the weights of a class. */
  enter(label: number): void;
  /** The arrays are valid until the next call. */
  read(
    feature: number,
    probabilities: Float64Array,
  ): { readonly terms: Float64Array; readonly exponents?: Float64Array | undefined };
}

/** Of indicators: one term for each number of active features. */
function binnedEquation(design: MaxentDesign): Equation {
  const { events, eventStart, featureStart, featureEvents } = design;
  let most = 0;
  for (let x = 0; x < events; x++) most = Math.max(most, eventStart[x + 1] - eventStart[x]);
  const terms = new Float64Array(most + 1);
  const active = new Uint16Array(events);
  return {
    enter: (label) => sumActive(design, label, active),
    read(feature, probabilities) {
      terms.fill(0);
      const end = featureStart[feature + 1];
      for (let e = featureStart[feature]; e < end; e++) {
        const x = featureEvents[e];
        terms[active[x]] += probabilities[x];
      }
      return { terms };
    },
  };
}

/** Of features with values: one term for each event. */
function valuedEquation(design: MaxentDesign): Equation {
  const { events, featureStart, featureEvents, featureValues } = design;
  const active = new Float64Array(events);
  const terms = new Float64Array(events);
  const exponents = new Float64Array(events);
  return {
    enter: (label) => sumActive(design, label, active),
    read(feature, probabilities) {
      const from = featureStart[feature];
      const count = featureStart[feature + 1] - from;
      for (let k = 0; k < count; k++) {
        const x = featureEvents[from + k];
        terms[k] = featureValues![from + k] * probabilities[x];
        exponents[k] = active[x];
      }
      return { terms: terms.subarray(0, count), exponents: exponents.subarray(0, count) };
    },
  };
}

/** Writes for each event the sum of its features that have a weight for the class. */
function sumActive(design: MaxentDesign, label: number, active: Uint16Array | Float64Array): void {
  const { classStart, classWeights, weightFeature, featureStart, featureEvents, featureValues } = design;
  active.fill(0);
  for (let k = classStart[label]; k < classStart[label + 1]; k++) {
    const feature = weightFeature[classWeights[k]];
    const end = featureStart[feature + 1];
    for (let e = featureStart[feature]; e < end; e++) active[featureEvents[e]] += featureValues?.[e] ?? 1;
  }
}
