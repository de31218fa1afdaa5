import { formatInteger, formatPoints, threeDigits } from "../format.ts";
import type { MixingRun, SubjectResult } from "../mixing/experiment.ts";
import { type CurvePoint, curvePlot, legendOf } from "./plots.ts";
import { type Figure, left, right, type Section, type Table } from "./report.ts";

const NOTE =
  "Scores on the development split, in percent, of the averaged weights after the last epoch; in brackets, the epoch that " +
  "scored best and its score. Difference: from serial training after the last epoch. One thread: seconds of training when " +
  "one thread does all shards, mixing included, measured. A machine a shard: the slowest shard of each epoch and the " +
  "mixing, added up from the measured times of shards; the way of weights between machines is not in it.";

/** How a way of training is called. */
export function runName({ strategy, mixing }: MixingRun): string {
  if (strategy === "sub-sampled") return "one shard alone";
  if (strategy === "serial") return "serial";
  return `${strategy === "once" ? "mixed once" : "iterative"}, ${mixing}`;
}

/** A section for each subject: accuracy against time for each number of shards, and a table of the ends. */
export function mixingSections(results: readonly SubjectResult[]): Section[] {
  return results.map((result) => {
    const counts = [...new Set(result.runs.map(({ shards }) => shards))].filter((shards) => shards > 1);
    return {
      title: result.subject[0]!.toUpperCase() + result.subject.slice(1),
      text:
        `${formatInteger(result.examples)} training sentences, ${formatInteger(result.weights)} weights, ` +
        `learner: ${result.learner}. Serial training sees all sentences one by one; "one shard alone" is serial training ` +
        "on the sentences of the first shard.",
      figures: counts.map((shards) => curves(result, shards)),
      tables: [endTable(result), ...threadTable(result)],
    };
  });
}

function curves(result: SubjectResult, shards: number): Figure {
  const runs = result.runs.filter((run) => run.shards === shards || run.strategy === "serial");
  const legend = legendOf(runs.map(runName));
  const points: CurvePoint[] = runs.flatMap((run) =>
    run.points.map(({ epoch, scores, machineAShard }) => ({
      series: runName(run),
      x: machineAShard,
      y: scores[0]!,
      title: `${runName(run)}, epoch ${epoch}: ${scores[0]!.toFixed(2)}`,
    })),
  );
  return {
    title: `${shards} shards`,
    note: `${result.metrics[0]} against time if each shard had a machine of its own: the slowest shard of each epoch, and mixing.`,
    svg: curvePlot(points, legend, { x: "seconds, a machine a shard", y: `${result.metrics[0]} (%)` }),
    legend,
  };
}

function endTable({ runs, metrics }: SubjectResult): Table {
  const serial = runs.find(({ strategy }) => strategy === "serial")?.points.at(-1)?.scores[0];
  return {
    title: "After the last epoch",
    columns: [
      left("training"),
      right("shards"),
      ...metrics.map(right),
      right("best epoch"),
      right("difference"),
      right("one thread s"),
      right("a machine a shard s"),
    ],
    rows: runs.map((run) => {
      const end = run.points.at(-1)!;
      const best = run.points.reduce((a, b) => (b.scores[0]! > a.scores[0]! ? b : a));
      const difference = serial === undefined ? "" : formatPoints((end.scores[0]! - serial) / 100);
      return [
        runName(run),
        `${run.shards}`,
        ...end.scores.map((score) => score.toFixed(2)),
        `${best.epoch} (${best.scores[0]!.toFixed(2)})`,
        run.strategy === "serial" ? "" : difference,
        threeDigits(end.oneThread),
        threeDigits(end.machineAShard),
      ];
    }),
    note: NOTE,
  };
}

function threadTable({ threaded, runs }: SubjectResult): Table[] {
  if (threaded.length === 0) return [];
  const alone = (shards: number): number =>
    runs.find((run) => run.strategy === "iterative" && run.shards === shards)!.points.at(-1)!.oneThread;
  return [
    {
      title: "Iterative mixing (uniform) in worker threads",
      columns: [
        left("shards"),
        right("threads"),
        right("seconds"),
        right("one thread s"),
        right("times as fast"),
      ],
      rows: threaded.map(({ shards, threads, seconds }) => [
        `${shards}`,
        `${threads}`,
        threeDigits(seconds),
        threeDigits(alone(shards)),
        (alone(shards) / seconds).toFixed(2),
      ]),
      note: "Wall-clock time from the first step to the last mixing. Two epochs were checked to give the weights of one thread, bit for bit.",
    },
  ];
}
