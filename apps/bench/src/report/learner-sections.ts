import type { Family, LearnerCourse, LearnerResults } from "../measures/measure-learners.ts";
import { formatInteger, formatPercent, threeDigits } from "../results/format.ts";
import { type CoursePoint, coursePlot } from "./plots.ts";
import { left, right, type Section, type Table } from "./report.ts";

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
  const values = own.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const lowest = Math.min(...values);
  const differences = own.flatMap(({ name, points }): CoursePoint[] =>
    points.flatMap(({ seconds, value }) =>
      value === undefined ? [] : { series: name, seconds, value: (value - lowest) / lowest },
    ),
  );
  const accuracies = own.flatMap(({ name, points }): CoursePoint[] =>
    points.map(({ seconds, accuracy }) => ({ series: name, seconds, value: 100 * accuracy })),
  );
  const isConvex = values.length > 0;
  return {
    title,
    finding: findingOf(own, isConvex),
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
    tables: [table(own, words, lowest, isConvex)],
  };
}

/** Returns which learners end with the lowest objective and the highest accuracy. */
function findingOf(courses: readonly LearnerCourse[], isConvex: boolean): string | undefined {
  const ends = courses.flatMap(({ name, points }) => {
    const last = points.at(-1);
    return last === undefined ? [] : { name, ...last };
  });
  if (ends.length === 0) return undefined;
  const best = ends.reduce((a, b) => (b.accuracy > a.accuracy ? b : a));
  const accurate =
    `${best.name} ends with the highest accuracy, ${formatPercent(best.accuracy)} %, after ` +
    `${threeDigits(best.seconds)} s`;
  if (!isConvex) return `${accurate}.`;
  const least = ends.reduce((a, b) => ((b.value ?? Infinity) < (a.value ?? Infinity) ? b : a));
  return `${least.name} ends with the lowest objective, ${least.value?.toFixed(6)}; ${accurate}.`;
}

function table(courses: readonly LearnerCourse[], words: number, lowest: number, isConvex: boolean): Table {
  return {
    title: "Learners",
    columns: [
      left("learner"),
      right("epochs"),
      right("seconds"),
      right("words/s"),
      ...(isConvex ? [right("objective"), right("relative difference"), right("proved gap")] : []),
      right("best accuracy %"),
      right("last accuracy %"),
    ],
    rows: courses.map(({ name, points }) => {
      const { epoch, seconds, value, bound, accuracy } = points.at(-1)!;
      const convex =
        value === undefined
          ? []
          : [
              value.toFixed(6),
              ((value - lowest) / lowest).toExponential(1),
              bound === undefined ? "–" : (value - bound).toExponential(1),
            ];
      return [
        name,
        formatInteger(epoch),
        threeDigits(seconds),
        formatInteger((words * epoch) / seconds),
        ...convex,
        formatPercent(Math.max(...points.map((point) => point.accuracy))),
        formatPercent(accuracy),
      ];
    }),
    note:
      "An epoch of L-BFGS is an iteration, which may look at the data more than once. words/s: words " +
      "times epochs, over seconds; learners with a proved gap look at the data a second time to " +
      "prove it.",
  };
}
