import type { Family, LearnerCourse, LearnerPoint, LearnerResults } from "../measures/measure-learners.ts";
import { formatInteger, formatPercent, threeDigits } from "../results/format.ts";
import type { Contestant } from "../results/results.ts";
import { type CoursePoint, coursePlot } from "./plots.ts";
import { contestant, type Quantity, quantityTable } from "./quantities.ts";
import type { Section } from "./report.ts";

const NOTE =
  "An epoch of L-BFGS is an iteration, which may look at the data more than once. words/s: words " +
  "times epochs, over seconds; learners with a proved gap look at the data a second time to " +
  "prove it.";

const FAMILIES: readonly { readonly family: Family; readonly title: string }[] = [
  { family: "log-loss", title: "Conditional log-linear loss" },
  { family: "hinge loss", title: "Structured support vector machine" },
  { family: "mistakes", title: "Perceptron and MIRA" },
];

/** Returns a section for each objective: its value and accuracy against training time. */
export function learnerSections(results: LearnerResults): Section[] {
  const about =
    `First-order chain of universal tags, ${results.treebank}: ${formatInteger(results.sentences)} ` +
    `sentences, ${formatInteger(results.words)} words, ${formatInteger(results.dimension)} weights. ` +
    "Seconds are processor time.";
  return FAMILIES.map(({ family, title }) => section(family, title, about, results));
}

function section(
  family: Family,
  title: string,
  about: string,
  { courses, words, l2 }: LearnerResults,
): Section {
  const own = courses.filter((course) => course.family === family);
  const lowest = lowestOf(own);
  const differences = own.flatMap(({ name, points }): CoursePoint[] =>
    points.flatMap(({ seconds, value }) =>
      value === undefined ? [] : { series: name, seconds, value: (value - lowest) / lowest },
    ),
  );
  const accuracies = own.flatMap(({ name, points }): CoursePoint[] =>
    points.map(({ seconds, accuracy }) => ({ series: name, seconds, value: 100 * accuracy })),
  );
  const isConvex = lowest < Infinity;
  const rows = rowsOf(own, words);
  return {
    title,
    finding: findingOf(rows, isConvex),
    text: isConvex ? `${about} Objective: mean loss + ${l2} / 2 · |w|².` : about,
    figures: [
      ...(isConvex
        ? [
            {
              title: "Objective",
              note: "Above the lowest that any learner found, as a share of that.",
              drawing: coursePlot(differences, { label: "relative difference", type: "log" }),
            },
          ]
        : []),
      {
        title: "Accuracy on the development split",
        drawing: coursePlot(accuracies, { label: "accuracy (%)", type: "linear" }),
      },
    ],
    tables: [
      quantityTable({ title: "Learners", note: NOTE }, ["learner", ({ name }) => name], rows, QUANTITIES),
    ],
  };
}

/** Returns which learners end with the lowest objective and the highest accuracy. */
function findingOf(ends: readonly Row[], isConvex: boolean): string | undefined {
  if (ends.length === 0) return undefined;
  const best = ends.reduce((a, b) => (b.accuracy > a.accuracy ? b : a));
  const accurate =
    `${best.name} ends with the highest accuracy, ${formatPercent(best.accuracy)} %, after ` +
    `${threeDigits(best.seconds)} s`;
  if (!isConvex) return `${accurate}.`;
  const least = ends.reduce((a, b) => ((b.value ?? Infinity) < (a.value ?? Infinity) ? b : a));
  return `${least.name} ends with the lowest objective, ${least.value?.toFixed(6)}; ${accurate}.`;
}

interface Row extends LearnerPoint {
  readonly name: string;
  readonly speed: number;
  readonly best: number;
  /** The difference of the objective from the lowest, as a share of that. */
  readonly excess: number | undefined;
}

const QUANTITIES: readonly Quantity<Row>[] = [
  { name: "epochs", measure: "epochs", unit: "count", of: ({ epoch }) => epoch },
  { name: "seconds", measure: "training", unit: "s", of: ({ seconds }) => seconds },
  { name: "words/s", unit: "count", of: ({ speed }) => speed },
  {
    ...{ name: "objective", measure: "objective", unit: "score", of: ({ value }) => value },
    format: (value) => value.toFixed(6),
  },
  {
    ...{ name: "relative difference", unit: "score", of: ({ excess }) => excess },
    format: (value) => value.toExponential(1),
  },
  {
    ...{ name: "proved gap", unit: "score" },
    of: ({ value, bound }) => (value === undefined || bound === undefined ? undefined : value - bound),
    format: (value) => value.toExponential(1),
  },
  { name: "best accuracy %", unit: "share", of: ({ best }) => best },
  { name: "last accuracy %", measure: "accuracy", unit: "share", of: ({ accuracy }) => accuracy },
];

function rowsOf(courses: readonly LearnerCourse[], words: number): Row[] {
  const lowest = lowestOf(courses);
  return courses.flatMap(({ name, points }) => {
    const last = points.at(-1);
    if (last === undefined) return [];
    const best = Math.max(...points.map(({ accuracy }) => accuracy));
    const excess = last.value === undefined ? undefined : (last.value - lowest) / lowest;
    return { ...last, name, speed: (words * last.epoch) / last.seconds, best, excess };
  });
}

/** Returns the lowest objective that any learner found; Infinity without objectives. */
function lowestOf(courses: readonly LearnerCourse[]): number {
  return Math.min(...courses.flatMap(({ points }) => points.flatMap(({ value }) => value ?? [])));
}

/** Returns structured learners as contestants, by their last weights. */
export function trainedLearners({ treebank, courses, words }: LearnerResults): Contestant[] {
  const group = `${treebank}, universal tags, dev`;
  return rowsOf(courses, words).map((row) => contestant({ group, name: row.name }, row, QUANTITIES));
}
