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
  const { classes, classStart, classWeights, weightFeature, counts, events, eventStart } = design;
  const rows = new Rows(design);
  const totals = new Float64Array(events);
  const column = new ClassColumn(design, totals);
  const next = new Float64Array(weights.length);
  let most = 0;
  for (let x = 0; x < events; x++) most = Math.max(most, eventStart[x + 1] - eventStart[x]);
  const active = new Uint16Array(events);
  const expectations = new Float64Array(most + 1);
  const value = (): number => {
    rows.totals(weights, totals);
    return totals.reduce((sum, total) => sum + log(total), penalty(design, weights, variance));
  };
  course.begin(value());
  let seconds: number;
  do {
    for (let label = 0; label < classes.length; label++) {
      column.enter(label, weights);
      countActive(design, label, active);
      for (let k = classStart[label]; k < classStart[label + 1]; k++) {
        const t = classWeights[k];
        expectByActive(design, weightFeature[t], column.probabilities, active, expectations);
        next[t] = weights[t] + scalingStep(expectations, weights[t], counts[t], variance);
      }
    }
    weights.set(next);
    seconds = course.seconds();
  } while (course.done(value(), seconds));
}

/** Writes the number of features of each event that have a weight for the class. */
function countActive(design: MaxentDesign, label: number, active: Uint16Array): void {
  const { classStart, classWeights, weightFeature, featureStart, featureEvents } = design;
  active.fill(0);
  for (let k = classStart[label]; k < classStart[label + 1]; k++) {
    const feature = weightFeature[classWeights[k]];
    const end = featureStart[feature + 1];
    for (let e = featureStart[feature]; e < end; e++) active[featureEvents[e]]++;
  }
}

/** Writes the expected count of a feature, by the number of features that are active with it. */
function expectByActive(
  { featureStart, featureEvents }: MaxentDesign,
  feature: number,
  probabilities: Float64Array,
  active: Uint16Array,
  expectations: Float64Array,
): void {
  expectations.fill(0);
  const end = featureStart[feature + 1];
  for (let e = featureStart[feature]; e < end; e++) {
    const x = featureEvents[e];
    expectations[active[x]] += probabilities[x];
  }
}
