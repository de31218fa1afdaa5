import { formatInteger, share, threeDigits } from "@arcwise/bench/command";
import { table } from "@arcwise/bench/report";
import { defineOptions, integer, list, oneOf } from "@arcwise/core/options";
import { experiment } from "../experiment.ts";
import { compareCollins } from "../maxent/collins-table.ts";
import { readCorpus } from "../maxent/corpora.ts";
import {
  COLLINS_LEARNERS,
  COLLINS_TASKS,
  type CollinsRow,
  collinsMaxent,
  collinsPerceptron,
} from "../maxent/measure-collins.ts";
import { SEED, SENTENCES, TEST } from "../options.ts";

const TASKS = COLLINS_TASKS.map(({ name }) => name);
const percent = (part: number): string => (100 * part).toFixed(2);

export const collins = experiment({
  name: "collins",
  claim: "compare perceptrons and maximum entropy for tagging and chunking, with cut-offs of features",
  options: defineOptions({
    task: {
      check: list(oneOf(...TASKS)),
      help: `what to label: ${TASKS.join(", ")}`,
      default: ["tagging-ewt", "chunking"],
      flag: "--task <name...>",
    },
    learner: {
      check: list(oneOf(...COLLINS_LEARNERS)),
      help: "only these learners; others than the perceptron: maximum entropy",
      default: ["perceptron", "gis", "cd"],
      flag: "--learner <name...>",
    },
    cutoff: {
      check: list(integer(0)),
      help: "leave out features of fewer events",
      default: [0, 5],
      flag: "--cutoff <n...>",
    },
    sentences: SENTENCES,
    test: TEST,
    seed: { ...SEED, help: "random seed of the order of sentences and of the split of Brown" },
  }),
  quick: { task: ["chunking"], sentences: 60, test: 30, learner: ["perceptron", "cd"] },
  async *measure({ task: tasks, learner: learners, cutoff: cutoffs, sentences, test: most, seed }, run) {
    for (const task of COLLINS_TASKS.filter(({ name }) => tasks.includes(name))) {
      const all = readCorpus(task.corpus, run.env, seed);
      const corpus = { ...all, train: all.train.slice(0, sentences), test: all.test.slice(0, most) };
      const { train, test } = corpus;
      const rows: CollinsRow[] = [];
      for (const cutoff of cutoffs) {
        for (const learner of learners) {
          const measured = await run.once(`${task.name}, ${learner}, ${cutoff}`, () => {
            run.tell(`${task.title}: ${learner}, cut-off ${cutoff}`);
            return learner === "perceptron"
              ? collinsPerceptron(task, corpus, cutoff, seed)
              : collinsMaxent(task, corpus, cutoff, learner);
          });
          rows.push(...measured);
        }
      }
      yield {
        task: task.title,
        metric: task.metric,
        sentences: train.length,
        words: train.reduce((sum, { labels }) => sum + labels.length, 0),
        testSentences: test.length,
        // Scores after all measured numbers of iterations.
        rows: rows.map(({ correct: _, ...row }) => row),
        comparison: compareCollins(
          rows,
          test.map(({ labels }) => labels.length),
        ),
      };
    }
  },
  title: () => "Perceptrons and maximum entropy",
  sections: (results) =>
    results.map(({ task, metric, sentences, words, testSentences, comparison, rows }) => ({
      title: task,
      text:
        `${formatInteger(sentences)} training sentences (${formatInteger(words)} words), ` +
        `${formatInteger(testSentences)} test sentences.`,
      figures: [],
      tables: [
        table(
          "With the number of iterations chosen on development sentences",
          comparison,
          {
            learner: ({ learner }) => learner,
            "cut-off": ({ cutoff }) => `${cutoff}`,
            iterations: ({ iterations }) => `${iterations}`,
            dev: ({ dev }) => (dev === undefined ? "" : percent(dev)),
            [`test ${metric}`]: ({ score }) => percent(score),
            "label errors %": ({ error }) => percent(error),
            "fewer errors %": ({ against }) => (against ? (100 * against.relative).toFixed(1) : ""),
            "95 % interval": ({ against }) => (against ? against.interval.map(percent).join(" to ") : ""),
            p: ({ against }) => (against ? threeDigits(against.pValue) : ""),
          },
          {
            note:
              "Without development sentences: after the last iterations. Fewer errors: relative to the maximum entropy " +
              "row of the best score on the development sentences. The interval is of the difference of accuracies in " +
              "points, by the paired bootstrap over 10,000 test sets; p: its two-sided p-value.",
          },
        ),
        table(
          "By iterations",
          rows,
          {
            learner: ({ learner }) => learner,
            "cut-off": ({ cutoff }) => `${cutoff}`,
            iterations: ({ iterations }) => `${iterations}`,
            [`test ${metric}`]: ({ score }) => percent(score),
            seconds: ({ seconds }) => threeDigits(seconds),
          },
          { note: "Seconds: processor time of training." },
        ),
      ],
    })),
  contestants: (results) =>
    results.flatMap(({ task, metric, comparison }) =>
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
