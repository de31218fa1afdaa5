import { formatInteger, formatPoints, threeDigits } from "@arcwise/bench/command";
import { percentile } from "@arcwise/bench/measures";
import type { SeriesPoint } from "@arcwise/bench/report";
import { curvePlot, type Figure, left, right, type Section, type Table } from "@arcwise/bench/report";
import { bestPoint, type EpochPoint, type MixingRun, type SubjectResult } from "./experiment.ts";

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
export function runName({ strategy, mixing, mixes = 1, averageAfter = 0 }: MixingRun): string {
  if (strategy === "sub-sampled") return "one shard alone";
  const late = averageAfter > 0 ? `, average from epoch ${averageAfter + 1}` : "";
  if (strategy === "serial") return `serial${late}`;
  if (strategy === "once") return `mixed once, ${mixing}`;
  return `iterative, ${mixing}${mixes > 1 ? `, ${mixes} an epoch` : ""}${late}`;
}

/**
 * Returns a section for each subject: accuracy against time for each number of shards, and a table of the
 * final results.
 */
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
      tables: [endTable(result), ...separationTable(result), ...threadTable(result)],
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
  const points: SeriesPoint[] = runs.flatMap((run) =>
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

function endTable({ runs, metrics }: SubjectResult): Table {
  const serial = runs.find(({ strategy }) => strategy === "serial");
  const tested = runs.some(({ test }) => test);
  return {
    title: "After the last epoch, and after the best one",
    columns: [
      left("training"),
      right("shards"),
      ...metrics.map((name) => right(name)),
      right("best epoch"),
      right("difference"),
      ...(tested ? metrics.map((metric) => right(`test ${metric}`)) : []),
      right("one thread s"),
      right("a machine a shard s"),
      right("MB a round"),
    ],
    rows: runs.map((run) => {
      const end = run.points.at(-1)!;
      const best = bestPoint(run);
      return [
        runName(run),
        `${run.shards}`,
        ...end.scores.map((score) => score.toFixed(2)),
        `${best.epoch} (${best.scores[0]!.toFixed(2)})`,
        serial && run !== serial ? formatPoints((best.scores[0]! - bestPoint(serial).scores[0]!) / 100) : "",
        ...(tested ? metrics.map((_, k) => run.test?.[k]?.toFixed(2) ?? "") : []),
        threeDigits(end.oneThread),
        threeDigits(end.machineAShard),
        end.sent === undefined || !end.rounds ? "" : threeDigits(end.sent / end.rounds / 1e6),
      ];
    }),
    note: NOTE,
  };
}

/** Mistakes of the trainings that ended without one, against theorem 3. */
function separationTable({ runs }: SubjectResult): Table[] {
  const separated = runs.flatMap(({ separation, ...run }) => (separation ? [{ run, separation }] : []));
  if (separated.length === 0) return [];
  const margin = Math.max(...separated.map(({ separation }) => separation.margin));
  return [
    {
      title: "Mistakes until an epoch without one, and their bound",
      columns: [
        left("training"),
        ...["shards", "epochs", "mistakes", "weighted mistakes", "R", "γ", "(R / γ)²"].map((name) =>
          right(name),
        ),
      ],
      rows: separated.map(({ run, separation }) => [
        runName(run),
        `${run.shards}`,
        formatInteger(separation.epochs),
        formatInteger(separation.mistakes),
        formatInteger(Math.round(separation.weighted)),
        threeDigits(separation.radius),
        separation.margin.toExponential(1),
        ((separation.radius / margin) ** 2).toExponential(1),
      ]),
      note:
        "Epochs: the number that have a mistake. Weighted mistakes are the sum over epochs and shards of share · mistakes, which theorem 3 " +
        "bounds by (R / γ)². R is the largest length of an update, γ the margin of the last weights; the bound has the " +
        "largest margin of the column, since any separating weights give a bound.",
    },
  ];
}

const median = (times: readonly number[]): number =>
  percentile(
    [...times].sort((a, b) => a - b),
    0.5,
  );

function threadTable({ threaded }: SubjectResult): Table[] {
  if (threaded.length === 0) return [];
  const withRange = (times: readonly number[]) =>
    `${threeDigits(median(times))} (${threeDigits(Math.min(...times))} to ` +
    `${threeDigits(Math.max(...times))})`;
  return [
    {
      title: "Iterative mixing in worker threads",
      columns: [
        left("shards"),
        right("mixings per epoch"),
        right("threads"),
        right("seconds"),
        right("one thread s"),
        right("times as fast"),
      ],
      rows: threaded.map(({ shards, mixes, threads, seconds, oneThread }) => [
        `${shards}`,
        `${mixes}`,
        `${threads}`,
        withRange(seconds),
        withRange(oneThread),
        (median(oneThread) / median(seconds)).toFixed(2),
      ]),
      note:
        "Wall-clock time of the first two epochs, from the first step to the last mixing: the median " +
        "of passes of both in turn, and the range. Threads were checked to come to the weights of " +
        "one thread, bit for bit.",
    },
  ];
}
