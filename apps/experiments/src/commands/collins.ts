import {
  type CommandFactory,
  formatInteger,
  type Io,
  type OutputOptions,
  Run,
  share,
  status,
  threeDigits,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { dataFolder } from "@arcwise/bench/data";
import { left, right, type Section } from "@arcwise/bench/report";
import { integer, integers } from "@arcwise/cli/command";
import { Command, Option } from "commander";
import { type CollinsComparison, compareCollins } from "../maxent/collins-table.ts";
import { readCorpus } from "../maxent/corpora.ts";
import {
  COLLINS_LEARNERS,
  COLLINS_TASKS,
  type CollinsRow,
  collinsMaxent,
  collinsPerceptron,
} from "../maxent/measure-collins.ts";

interface CollinsArguments extends OutputOptions {
  readonly task: readonly string[];
  readonly learner: readonly (typeof COLLINS_LEARNERS)[number][];
  readonly cutoff?: readonly number[] | undefined;
  readonly sentences?: number | undefined;
  readonly test?: number | undefined;
  readonly seed: number;
}

/** The scores of all learners on a task. */
interface CollinsResult {
  readonly task: string;
  readonly metric: "accuracy" | "F1";
  readonly sentences: number;
  readonly words: number;
  readonly testSentences: number;
  /** Scores after all measured numbers of iterations. */
  readonly rows: readonly Omit<CollinsRow, "correct">[];
  readonly comparison: readonly CollinsComparison[];
}

/** `arcwise-experiments collins ...`: perceptrons and maximum entropy with feature cut-offs. */
export const collinsCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("collins"), {
      task: ["chunking"],
      sentences: 60,
      test: 30,
      learner: ["perceptron", "cd"],
    })
      .description(
        "compare perceptrons and maximum entropy for tagging and chunking, with cut-offs of features",
      )
      .addOption(
        new Option("--task <name...>", "what to label")
          .choices(COLLINS_TASKS.map(({ name }) => name))
          .default(["tagging-ewt", "chunking"]),
      )
      .addOption(
        new Option("--learner <name...>", "only these learners; others than the perceptron: maximum entropy")
          .choices(COLLINS_LEARNERS)
          .default(["perceptron", "gis", "cd"]),
      )
      .option("--cutoff <n...>", "leave out features of fewer events (0 5)", integers(0))
      .option("--sentences <n>", "train on the first sentences only", integer(1))
      .option("--test <n>", "test on the first sentences only", integer(1))
      .option("--seed <n>", "random seed of the order of sentences and of the split of Brown", integer(0), 1),
  ).action((options: CollinsArguments) => collins(io, options));

async function collins(io: Io, options: CollinsArguments): Promise<void> {
  const { learner: learners, cutoff: cutoffs = [0, 5], seed } = options;
  const run = new Run(io, options, dataFolder(io.env));
  const results: CollinsResult[] = [];
  for (const task of COLLINS_TASKS.filter(({ name }) => options.task.includes(name))) {
    const all = readCorpus(task.corpus, io.env, seed);
    const train = all.train.slice(0, options.sentences);
    const test = all.test.slice(0, options.test);
    const corpus = { ...all, train, test };
    const rows: CollinsRow[] = [];
    for (const cutoff of cutoffs) {
      for (const learner of learners) {
        const measure = async (): Promise<CollinsRow[]> => {
          status(io, `${task.title}: ${learner}, cut-off ${cutoff}`);
          return learner === "perceptron"
            ? await collinsPerceptron(task, corpus, cutoff, seed)
            : collinsMaxent(task, corpus, cutoff, learner);
        };
        rows.push(...(await run.once(`${task.name}, ${learner}, ${cutoff}`, measure)));
      }
    }
    results.push({
      task: task.title,
      metric: task.metric,
      sentences: train.length,
      words: train.reduce((sum, { labels }) => sum + labels.length, 0),
      testSentences: test.length,
      rows: rows.map(({ correct: _, ...row }) => row),
      comparison: compareCollins(
        rows,
        test.map(({ labels }) => labels.length),
      ),
    });
  }
  await run.publish({
    title: "Perceptrons and maximum entropy",
    sections: results.map(section),
    seed,
    results,
    contestants: results.flatMap(({ task, metric, comparison }) =>
      comparison.map(({ learner, cutoff, score, error }) => ({
        group: task,
        name: `${learner}, cut-off ${cutoff}`,
        measures: {
          [metric]: share(score),
          "label errors": { value: error, unit: "share" as const, better: "lower" as const },
        },
      })),
    ),
  });
}

const percent = (part: number): string => (100 * part).toFixed(2);

function section({
  task,
  metric,
  sentences,
  words,
  testSentences,
  comparison,
  rows,
}: CollinsResult): Section {
  return {
    title: task,
    text:
      `${formatInteger(sentences)} training sentences (${formatInteger(words)} words), ` +
      `${formatInteger(testSentences)} test sentences.`,
    figures: [],
    tables: [
      {
        title: "With the number of iterations chosen on development sentences",
        columns: [
          left("learner"),
          ...["cut-off", "iterations", "dev", `test ${metric}`, "label errors %", "fewer errors %"].map(
            (name) => right(name),
          ),
          right("95 % interval"),
          right("p"),
        ],
        rows: comparison.map(({ learner, cutoff, iterations, dev, score, error, against }) => [
          learner,
          `${cutoff}`,
          `${iterations}`,
          dev === undefined ? "" : percent(dev),
          percent(score),
          percent(error),
          against === undefined ? "" : (100 * against.relative).toFixed(1),
          against === undefined ? "" : against.interval.map(percent).join(" to "),
          against === undefined ? "" : threeDigits(against.pValue),
        ]),
        note:
          "Without development sentences: after the last iterations. Fewer errors: relative to the maximum entropy " +
          "row of the best score on the development sentences. The interval is of the difference of accuracies in " +
          "points, by the paired bootstrap over 10,000 test sets; p: its two-sided p-value.",
      },
      {
        title: "By iterations",
        columns: [
          left("learner"),
          ...["cut-off", "iterations", `test ${metric}`, "seconds"].map((name) => right(name)),
        ],
        rows: rows.map(({ learner, cutoff, iterations, score, seconds }) => [
          learner,
          `${cutoff}`,
          `${iterations}`,
          percent(score),
          threeDigits(seconds),
        ]),
        note: "Seconds: processor time of training.",
      },
    ],
  };
}
