import { formatInteger, formatPercent } from "@arcwise/bench/command";
import { coursePlot, type Figure, left, right, type Section } from "@arcwise/bench/report";
import type { SequenceResult, SequenceTask } from "./experiments.ts";

const NOTE =
  "The number of epochs has the best development score; the test split is looked at once. " +
  "Words per second of processor time: in training the median over epochs but the first, in labelling " +
  "the speed of three passes with features computed from the words.";

/** Returns plots and a table per task; for tagging after Collins, error reductions as well. */
export function sequenceSections(
  tasks: readonly SequenceTask[],
  results: readonly SequenceResult[],
): Section[] {
  return tasks.flatMap(({ name, title, metric }) => {
    const rows = results.filter(({ task }) => task === name);
    if (rows.length === 0) return [];
    const baseline = rows.find(({ model }) => model.startsWith("maximum entropy, cut-off 5"));
    const columns = [
      left("model"),
      right(`dev ${metric} %`),
      right(`test ${metric} %`),
      ...(metric === "F1" ? [right("test accuracy %")] : [right("test error %"), right("reduction %")]),
      right("epochs"),
      right("weights"),
      right("trained words/s"),
      right("labelled words/s"),
    ];
    const table = {
      title: "Models",
      columns,
      rows: rows.map((row) => [
        row.model,
        formatPercent(row.dev),
        formatPercent(row.test),
        ...(metric === "F1"
          ? [formatPercent(row.testAccuracy)]
          : [formatPercent(1 - row.test), reduction(row, baseline)]),
        `${row.epochs}`,
        formatInteger(row.weights),
        Number.isNaN(row.trainingWordsPerSecond) ? "" : formatInteger(row.trainingWordsPerSecond),
        formatInteger(row.labellingWordsPerSecond),
      ]),
      note: baseline === undefined ? NOTE : `${NOTE} Reductions are of the error of ${baseline.model}.`,
    };
    return [{ title, figures: figures(rows, metric), tables: [table] }];
  });
}

/** Returns plots of the development score by epoch and by training time. */
function figures(rows: readonly SequenceResult[], metric: SequenceResult["metric"]): Figure[] {
  const points = rows.flatMap(({ model, course }) =>
    course.map(({ epoch, seconds, score }) => ({ series: model, epoch, seconds, value: 100 * score })),
  );
  const y = { label: `development ${metric} (%)`, type: "linear" } as const;
  return [
    {
      title: "By epoch",
      drawing: coursePlot(
        points.map((point) => ({ ...point, seconds: point.epoch })),
        y,
        "epochs",
      ),
    },
    { title: "By training time", drawing: coursePlot(points, y) },
  ];
}

function reduction(row: SequenceResult, baseline: SequenceResult | undefined): string {
  if (baseline === undefined || row === baseline) return "";
  return formatPercent(1 - (1 - row.test) / (1 - baseline.test), 1);
}
