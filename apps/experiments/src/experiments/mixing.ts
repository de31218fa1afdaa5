import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Contestant,
  count,
  formatInteger,
  formatPoints,
  type Measure,
  type Run,
  seconds as secondsOf,
  share,
  threeDigits,
} from "@arcwise/bench/command";
import { checkTreebanks, dataFolder } from "@arcwise/bench/data";
import { curvePlot, type Figure, type Section, type Table, table } from "@arcwise/bench/report";
import { UsageError } from "@arcwise/cli/command";
import { type Complete, defineOptions, flag, integer, list, oneOf, string } from "@arcwise/core/options";
import { experiment } from "../experiment.ts";
import {
  bestPoint,
  type EpochPoint,
  type MixingRun,
  runExperiment,
  type SubjectResult,
} from "../mixing/experiment.ts";
import { namesSubject, parsingSubject, type Subject } from "../mixing/subjects.ts";
import { EPOCHS, SEED, SENTENCES } from "../options.ts";

const OPTIONS = defineOptions({
  treebank: {
    check: list(string),
    help: "folders with files *train.conllu and *dev.conllu to learn parsing from",
    default: [],
    flag: "--treebank <dir...>",
  },
  names: {
    check: flag,
    help: "leave out the names of CoNLL-2002, which are in the folder of data",
    default: true,
    flag: "--no-names",
  },
  learner: {
    check: oneOf("mira", "perceptron"),
    help: "of parsing: mira or perceptron; names are always learned by the perceptron",
    default: "mira",
    flag: "--learner <name>",
  },
  sentences: SENTENCES,
  shards: {
    check: list(integer(2)),
    help: "numbers of shards into which the sentences are dealt",
    default: [2, 5, 10],
    flag: "--shards <n...>",
  },
  epochs: { ...EPOCHS, help: "epochs over the sentences", default: 10 },
  mixing: {
    check: list(oneOf("uniform", "error", "changed")),
    help: "strategies that mix once per epoch: uniform, error, changed; no name: none",
    default: ["uniform", "error"],
    flag: "--mixing [names...]",
  },
  mixes: {
    check: integer(0),
    help: "mixings per epoch by what changed; 0: none",
    default: 32,
    flag: "--mixes <n>",
  },
  averageAfter: {
    check: integer(0),
    help: "epochs before those that are averaged over with --mixes",
    default: 3,
    flag: "--average-after <n>",
  },
  average: {
    check: flag,
    help: "score the last weights, not their average over all steps",
    default: true,
    flag: "--no-average",
  },
  once: { check: flag, help: "leave out mixing once, and one shard alone", default: true, flag: "--no-once" },
  separate: {
    check: flag,
    help:
      "end trainings after an epoch without a mistake, and compare mistakes with their bound; names without " +
      "sentences that serial training keeps getting wrong",
    default: false,
    flag: "--separate",
  },
  test: { check: flag, help: "also measure on test data", default: false, flag: "--test" },
  seed: { ...SEED, help: "random seed of the order of sentences and of their shards" },
});

export const mixing = experiment({
  name: "mixing",
  claim: "compare serial training with parameter mixing: accuracy against time",
  options: OPTIONS,
  quick: { sentences: 200, shards: [2], epochs: 2, mixes: 0, once: false, test: true },
  async *measure(options, run) {
    checkTreebanks(options.treebank, ["train", "dev"]);
    const shards = options.shards.toSorted((a, b) => a - b);
    for (const [i, subject] of subjectsOf(options, run).entries()) {
      const name = `subject ${i}`;
      const tell = (text: string) => run.tell(text);
      const settings = { ...options, shards, tell, keep: run.under(name) };
      yield run.once(name, async () => runExperiment(await subject(), settings));
    }
  },
  title: () => "Distributed training: parameter mixing",
  sections: (rows) => mixingSections(rows),
  contestants: (rows) => rows.flatMap(contestants),
});

/** Returns factories of the subjects, so that one is in memory at a time. */
function subjectsOf(
  { treebank, seed, sentences, learner, separate, names }: Complete<typeof OPTIONS>,
  run: Run,
): (() => Promise<Subject>)[] {
  const subjects = treebank.map((path) => () => parsingSubject(path, { learner, seed }, sentences));
  const data = dataFolder(run.env);
  const folder = join(data, "sequence", "conll2002");
  if (names && existsSync(folder)) subjects.unshift(() => namesSubject(data, sentences, separate));
  else if (names) run.tell(`names are left out: no folder ${folder}`);
  if (subjects.length === 0) throw new UsageError("expected a treebank: give a folder with --treebank");
  return subjects;
}

const NOTE =
  "Scores on the development split, in percent, after the last epoch, of the averaged weights, or of the last " +
  "weights where the learner says so. Best epoch: the epoch with the best score on that split, and its score. " +
  "Difference: of best epochs, from serial training. Test: after the best epoch. One thread: seconds of " +
  "processor time when one thread does all shards, mixing included, measured. A machine a shard: the slowest " +
  "shard between two mixings and the mixing, added up from the measured times of shards; the way of weights " +
  "between machines is not in it. MB a round: what all machines send and receive from one mixing to the next, " +
  "in 10^6 bytes, the mean of all rounds: the changed weights, each an index and an entry of each vector of the " +
  "state.";

/** Returns the name of a training method. */
export function runName({ strategy, mixing: shares, mixes = 1, averageAfter = 0 }: MixingRun): string {
  if (strategy === "sub-sampled") return "one shard alone";
  const late = averageAfter > 0 ? `, average from epoch ${averageAfter + 1}` : "";
  if (strategy === "serial") return `serial${late}`;
  if (strategy === "once") return `mixed once, ${shares}`;
  return `iterative, ${shares}${mixes > 1 ? `, ${mixes} an epoch` : ""}${late}`;
}

/** Returns a section for each subject: accuracy against time for each number of shards, and the final results. */
export function mixingSections(results: readonly SubjectResult[]): Section[] {
  return results.map((result) => {
    const counts = [...new Set(result.runs.map(({ shards }) => shards))].filter((shards) => shards > 1);
    return {
      title: result.subject[0]!.toUpperCase() + result.subject.slice(1),
      text:
        `${formatInteger(result.examples)} training sentences, ${formatInteger(result.weights)} ` +
        `weights, learner: ${result.learner}. Serial training sees all sentences one by one; "one ` +
        `shard alone" is serial training on the sentences of the first shard.`,
      figures: counts.flatMap((shards) => AXES.map((axis) => curves(result, shards, axis))),
      tables: [endTable(result), ...separationTable(result)],
    };
  });
}

/** Horizontal axes of the plots of accuracy. */
const AXES = [
  {
    name: "by time",
    of: (point: EpochPoint) => point.machineAShard,
    label: "seconds, a machine a shard",
    note: "time if each shard had a separate machine: the slowest shard between two mixings, and mixing",
  },
  {
    name: "by epochs",
    of: (point: EpochPoint) => point.epoch,
    label: "epochs",
    note: "epochs: what a pass over all sentences teaches",
  },
] as const;

function curves(result: SubjectResult, shards: number, axis: (typeof AXES)[number]): Figure {
  const runs = result.runs.filter((run) => run.shards === shards || run.strategy === "serial");
  const points = runs.flatMap((run) =>
    run.points.map((point) => ({
      series: runName(run),
      x: axis.of(point),
      y: point.scores[0]!,
      title: `${runName(run)}, epoch ${point.epoch}: ${point.scores[0]!.toFixed(2)}`,
    })),
  );
  return {
    title: `${shards} shards, ${axis.name}`,
    note: `${result.metrics[0]} against ${axis.note}.`,
    drawing: curvePlot(points, { x: axis.label, y: `${result.metrics[0]} (%)` }),
  };
}

/** The columns that name a training. */
const TRAINING = {
  training: (run: MixingRun) => runName(run),
  shards: ({ shards }: MixingRun) => `${shards}`,
};

type Columns = Readonly<Record<string, (run: MixingRun) => string>>;

function endTable({ runs, metrics }: SubjectResult): Table {
  const serial = runs.find(({ strategy }) => strategy === "serial");
  const end = ({ points }: MixingRun) => points.at(-1)!;
  const best = (run: MixingRun) => bestPoint(run).scores[0]!;
  const metricColumns = (
    prefix: string,
    scores: (run: MixingRun) => readonly number[] | undefined,
  ): Columns =>
    Object.fromEntries(
      metrics.map((name, k) => [`${prefix}${name}`, (run) => scores(run)?.[k]?.toFixed(2) ?? ""]),
    );
  return table(
    "After the last epoch, and after the best one",
    runs,
    {
      ...TRAINING,
      ...metricColumns("", (run) => end(run).scores),
      "best epoch": (run) => `${bestPoint(run).epoch} (${best(run).toFixed(2)})`,
      difference: (run) => (serial && run !== serial ? formatPoints((best(run) - best(serial)) / 100) : ""),
      ...(runs.some(({ test }) => test) && metricColumns("test ", ({ test }) => test)),
      "one thread s": (run) => threeDigits(end(run).oneThread),
      "a machine a shard s": (run) => threeDigits(end(run).machineAShard),
      "MB a round": (run) => {
        const { sent, rounds } = end(run);
        return sent === undefined || !rounds ? "" : threeDigits(sent / rounds / 1e6);
      },
    },
    { note: NOTE },
  );
}

/** Mistakes of the trainings that ended without one, against theorem 3. */
function separationTable({ runs }: SubjectResult): Table[] {
  const separated = runs.flatMap((run) => (run.separation ? [{ ...run, separation: run.separation }] : []));
  if (separated.length === 0) return [];
  const margin = Math.max(...separated.map(({ separation }) => separation.margin));
  return [
    table(
      "Mistakes until an epoch without one, and their bound",
      separated,
      {
        ...TRAINING,
        epochs: ({ separation }) => formatInteger(separation.epochs),
        mistakes: ({ separation }) => formatInteger(separation.mistakes),
        "weighted mistakes": ({ separation }) => formatInteger(Math.round(separation.weighted)),
        R: ({ separation }) => threeDigits(separation.radius),
        γ: ({ separation }) => separation.margin.toExponential(1),
        "(R / γ)²": ({ separation }) => ((separation.radius / margin) ** 2).toExponential(1),
      },
      {
        note:
          "Epochs: the number that have a mistake. Weighted mistakes are the sum over epochs and shards of share · mistakes, which theorem 3 " +
          "bounds by (R / γ)². R is the largest length of an update, γ the margin of the last weights; the bound has the " +
          "largest margin of the column, since any separating weights give a bound.",
      },
    ),
  ];
}

/** Returns methods of parameter mixing as contestants, by their best epoch on the development split. */
function contestants({ subject, metrics, runs }: SubjectResult): Contestant[] {
  return runs.map((run) => {
    const { strategy, shards, mixing: shares, mixes, averageAfter } = run;
    const { epoch, scores, oneThread, machineAShard } = bestPoint(run);
    const measures = (split: string, values: readonly number[] = []): Record<string, Measure> =>
      Object.fromEntries(values.map((value, i) => [`${metrics[i]}, ${split}`, share(value / 100)]));
    const name = [
      strategy,
      shards > 1 && `${shards} shards`,
      shares,
      mixes !== undefined && `${mixes} an epoch`,
      averageAfter !== undefined && `average after ${averageAfter}`,
    ];
    return {
      group: subject,
      name: name.filter(Boolean).join(", "),
      measures: {
        ...measures("dev", scores),
        ...measures("test", run.test),
        "best epoch": count(epoch),
        "one thread": secondsOf(oneThread),
        "a machine a shard": secondsOf(machineAShard),
      },
    };
  });
}
