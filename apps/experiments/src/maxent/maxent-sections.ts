import { formatInteger, formatPercent, threeDigits } from "@arcwise/bench/command";
import { type CoursePoint, coursePlot, left, right, type Section } from "@arcwise/bench/report";
import type { MaxentDesign, MaxentMethod } from "@arcwise/learn/maxent";
import type { MaxentReference } from "./maxent-reference.ts";
import type { MaxentCourse } from "./measure-maxent.ts";

/** Results on one corpus. */
export interface MaxentResults {
  readonly corpus: string;
  /** Name of the score: "accuracy", "F1". */
  readonly measure: string;
  readonly sentences: number;
  readonly testSentences: number;
  readonly variance: number;
  readonly size: Pick<MaxentDesign, "events" | "dimension" | "nonZeros"> & {
    readonly classes: number;
    readonly features: number;
  };
  readonly courses: readonly MaxentCourse[];
  /** The minimum, if it was computed. */
  readonly reference?: MaxentReference | undefined;
}

/** Names of the methods in tables and figures. */
export const METHOD_NAMES: Readonly<Record<MaxentMethod, string>> = {
  cd: "CD",
  "exact-cd": "exact CD",
  scgis: "SCGIS",
  gis: "GIS",
  iis: "IIS",
  lbfgs: "L-BFGS",
};

/** Relative distances from the minimum whose times are listed. */
const NEAR = [1e-1, 1e-2, 1e-3];

/**
 * Returns sections on the relative distance from the minimum and the score on test sentences, against
 * training time.
 */
export function maxentSections(results: MaxentResults): Section[] {
  const { corpus, measure, courses, size } = results;
  const { value: lowest, certificate } = lowestOf(results);
  const differences = courses.flatMap(({ method, points }): CoursePoint[] =>
    points.map(({ seconds, value }) => ({
      series: METHOD_NAMES[method],
      seconds,
      value: (value - lowest) / lowest,
    })),
  );
  const scores = courses.flatMap(({ method, points }): CoursePoint[] =>
    points
      .filter(({ score }) => score !== undefined)
      .map(({ seconds, score }) => ({ series: METHOD_NAMES[method], seconds, value: 100 * score! })),
  );
  const about =
    `${formatInteger(results.sentences)} sentences, ${formatInteger(size.events)} events of ` +
    `${formatInteger(size.classes)} classes, ${formatInteger(size.features)} context features, ` +
    `${formatInteger(size.dimension)} weights, ${formatInteger(size.nonZeros)} non-zeros; variance ` +
    `${results.variance}. Test: ${formatInteger(results.testSentences)} sentences, beam search of ` +
    "width 5 over predicted labels. Seconds are processor time of training alone.";
  return [
    {
      title: `Maximum entropy: ${corpus}`,
      text: about,
      figures: [
        {
          title: "Function value",
          note:
            `Value above the ${results.reference ? "minimum" : "lowest that any method found"}, as a ` +
            "share of that; down and to the left is better.",
          drawing: coursePlot(differences, { label: "relative difference", type: "log" }),
        },
        {
          title: `Test ${measure}`,
          drawing: coursePlot(scores, { label: `${measure} (%)`, type: "linear" }),
        },
      ],
      tables: [
        {
          title: "Methods",
          columns: [
            left("method"),
            right("iterations"),
            right("seconds"),
            right("words/s"),
            right("value"),
            right("relative difference"),
            ...NEAR.map((share) => right(`s to ${share}`)),
            right(`best ${measure} %`),
            right(`last ${measure} %`),
          ],
          rows: courses.map((course) => rowOf(course, lowest, size.events)),
          note:
            "words/s: events times iterations, over seconds. A dash: not reached. By its gradient, " +
            `the lowest value is above the minimum by at most ${certificate.toExponential(1)} of it.`,
        },
      ],
    },
  ];
}

/** Returns the value for comparisons, and an upper bound of its relative distance from the minimum. */
function lowestOf({ courses, reference }: MaxentResults): MaxentReference {
  const found = courses.map(({ certificate, points }) => {
    const { value } = points.at(-1)!;
    return { value, certificate: certificate / value };
  });
  const all = [...found, ...(reference ? [reference] : [])];
  return {
    value: Math.min(...all.map(({ value }) => value)),
    certificate: Math.min(...all.map(({ certificate }) => certificate)),
  };
}

function rowOf({ method, points }: MaxentCourse, lowest: number, events: number): string[] {
  const { iteration, seconds, value } = points.at(-1)!;
  const scores = points.flatMap(({ score }) => (score === undefined ? [] : [score]));
  const reached = NEAR.map((share) => points.find((point) => point.value <= (1 + share) * lowest)?.seconds);
  return [
    METHOD_NAMES[method],
    formatInteger(iteration),
    threeDigits(seconds),
    formatInteger((events * iteration) / seconds),
    formatInteger(value),
    ((value - lowest) / lowest).toExponential(1),
    ...reached.map((time) => (time === undefined ? "–" : threeDigits(time))),
    formatPercent(Math.max(...scores)),
    formatPercent(scores.at(-1)!),
  ];
}
