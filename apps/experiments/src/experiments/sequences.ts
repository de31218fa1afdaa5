import { count, formatInteger, formatPercent, share, words as wordsPerSecond } from "@arcwise/bench/command";
import { dataFolder } from "@arcwise/bench/data";
import { coursePlot, type Figure, table } from "@arcwise/bench/report";
import { defineOptions, list, oneOf, string } from "@arcwise/core/options";
import { experiment } from "../experiment.ts";
import { natural, SEED } from "../options.ts";
import type { SequenceData } from "../sequences/data.ts";
import { runSubject, SEQUENCE_TASKS, type SequenceResult } from "../sequences/experiments.ts";

const TASKS = SEQUENCE_TASKS.map(({ name }) => name);

const NOTE =
  "The number of epochs has the best development score; the test split is looked at once. " +
  "Words per second of processor time: in training the median over epochs but the first, in labelling " +
  "the speed of three passes with features computed from the words.";

export const sequences = experiment({
  name: "sequences",
  claim: "train sequence models, choose epochs on held-out data, measure on test data",
  options: defineOptions({
    task: { check: list(oneOf(...TASKS)), help: "tasks", default: TASKS, flag: "--task <name...>" },
    model: {
      check: string,
      help: "only models whose name has this text in it",
      default: "",
      flag: "--model <text>",
    },
    data: {
      check: string,
      help: "the folder with sequence/ and treebanks/",
      defaultHelp: "ARCWISE_DATA, or ../shared",
      flag: "--data <dir>",
    },
    epochs: natural("--epochs <n>", "maximum number of epochs, instead of each model's own"),
    seed: { ...SEED, help: "random seed of the order of sentences" },
  }),
  quick: { task: ["chunking"], model: "averaged perceptron", epochs: 1 },
  async *measure({ task: wanted, model: text, data: folder, epochs, seed }, run) {
    for (const task of SEQUENCE_TASKS.filter(({ name }) => wanted.includes(name))) {
      let data: SequenceData | undefined;
      for (const subject of task.subjects.filter(({ model }) => model.includes(text))) {
        yield run.once(`${task.name}: ${subject.model}`, () => {
          if (data === undefined) run.tell(`reading ${task.title}`);
          data ??= task.data(folder ?? dataFolder(run.env));
          return runSubject(task, data, subject, { seed, epochs, onEpoch: (line) => run.tell(line) });
        });
      }
    }
  },
  results: (rows) => ({ sequences: rows }),
  title: () => "Sequence labelling",
  sections: (all) =>
    SEQUENCE_TASKS.flatMap(({ name, title, metric }) => {
      const rows = all.filter(({ task }) => task === name);
      if (rows.length === 0) return [];
      const tables = [
        table(
          "Models",
          rows,
          {
            model: ({ model }) => model,
            [`dev ${metric} %`]: ({ dev }) => formatPercent(dev),
            [`test ${metric} %`]: ({ test }) => formatPercent(test),
            ...(metric === "F1" && {
              "test accuracy %": ({ testAccuracy }: SequenceResult) => formatPercent(testAccuracy),
            }),
            epochs: ({ epochs }) => `${epochs}`,
            weights: ({ weights }) => formatInteger(weights),
            "trained words/s": ({ trainingWordsPerSecond: speed }) =>
              Number.isNaN(speed) ? "" : formatInteger(speed),
            "labelled words/s": ({ labellingWordsPerSecond: speed }) => formatInteger(speed),
          },
          { note: NOTE },
        ),
      ];
      return [{ title, figures: figures(rows, metric), tables }];
    }),
  contestants: (rows) =>
    rows.map((row) => ({
      group: SEQUENCE_TASKS.find(({ name }) => name === row.task)!.title,
      name: row.model,
      measures: {
        [`${row.metric}, dev`]: share(row.dev),
        [`${row.metric}, test`]: share(row.test),
        "words/s": wordsPerSecond(row.labellingWordsPerSecond),
        "words/s of training": wordsPerSecond(row.trainingWordsPerSecond),
        epochs: count(row.epochs),
        weights: count(row.weights),
      },
    })),
});

/** Returns plots of the development score by epoch and by training time. */
function figures(rows: readonly SequenceResult[], metric: SequenceResult["metric"]): Figure[] {
  const points = rows.flatMap(({ model, course }) =>
    course.map(({ epoch, seconds, score }) => ({ series: model, epoch, seconds, value: 100 * score })),
  );
  const y = { label: `development ${metric} (%)`, type: "linear" } as const;
  const byEpoch = points.map((point) => ({ ...point, seconds: point.epoch }));
  return [
    { title: "By epoch", drawing: coursePlot(byEpoch, y, "epochs") },
    { title: "By training time", drawing: coursePlot(points, y) },
  ];
}
