import { processorTime } from "@arcwise/bench/measures";
import { type MaxentDesign, type MaxentMethod, maxentObjective, trainMaxent } from "@arcwise/learn/maxent";
import type { Contexts } from "./contexts.ts";
import type { LabelledSentence } from "./corpora.ts";
import { MarkovLabeller, scoreOf } from "./markov.ts";

/** The state of a training after an iteration. */
export interface MaxentPoint {
  readonly iteration: number;
  /** Seconds of processor time. */
  readonly seconds: number;
  readonly value: number;
  /** Score on the test sentences; absent where it was not measured. */
  readonly score?: number | undefined;
}

/** The progress of one method. */
export interface MaxentCourse {
  readonly method: MaxentMethod;
  readonly points: readonly MaxentPoint[];
  /** Upper bound of the distance of the last value from the minimum, by the norm of the gradient. */
  readonly certificate: number;
}

export interface MaxentMeasureOptions {
  readonly variance: number;
  /** Limit of the processor time of a method. */
  readonly seconds: number;
  readonly iterations: number;
  readonly onPoint: (point: MaxentPoint) => void;
}

/** Test data and metric of the methods. */
export interface MaxentTest {
  readonly sentences: readonly LabelledSentence[];
  readonly contexts: Contexts;
  readonly metric: "F1" | "accuracy";
}

/** Beam width for labelling test sentences, as in Ratnaparkhi (1996). */
const BEAM = 5;

/**
 * Trains by a method until its time limit; tests after iterations 1, 2, 3, 4, 6, 8, 11, ... and the last one.
 */
export function measureMaxent(
  design: MaxentDesign,
  method: MaxentMethod,
  test: MaxentTest,
  { variance, seconds: most, iterations, onPoint }: MaxentMeasureOptions,
): MaxentCourse {
  const labeller = new MarkovLabeller(design, test.contexts, BEAM);
  const points: MaxentPoint[] = [];
  let nextTest = 1;
  const { weights } = trainMaxent(design, {
    method,
    variance,
    iterations,
    tolerance: 0,
    clock: processorTime,
    onIteration({ iteration, value, seconds, weights }) {
      const isLast = seconds >= most || iteration === iterations;
      const isTested = isLast || iteration >= nextTest;
      if (isTested) nextTest = Math.max(iteration + 1, Math.floor(1.4 * iteration));
      const label = (sentence: LabelledSentence) => labeller.label(sentence, weights);
      const score = isTested ? scoreOf(test.metric, test.sentences, test.sentences.map(label)) : undefined;
      points.push({ iteration, seconds, value, score });
      onPoint(points.at(-1)!);
      return !isLast;
    },
  });
  const gradient = new Float64Array(design.dimension);
  maxentObjective(design, variance).evaluate(weights, gradient);
  const norm = gradient.reduce((sum, partial) => sum + partial * partial, 0);
  return { method, points, certificate: (variance / 2) * norm };
}
