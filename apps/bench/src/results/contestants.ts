import type { ParserResult } from "../jobs/compare-parsers.ts";
import type { ComparisonResult, TrainingScores } from "../measures/compare-decoders.ts";
import type { GraphComparison } from "../measures/compare-graph-decoders.ts";
import type { Speed } from "../measures/in-turn.ts";
import type { Series } from "../measures/measure-decoders.ts";
import type { LearnerResults } from "../measures/measure-learners.ts";
import { mean } from "../measures/timing.ts";
import type { Contestant, Measure } from "./results.ts";

/** Returns a share of right answers, from 0 to 1. */
export const share = (value: number): Measure => ({ value, unit: "share", better: "higher" });
/** Returns a time in seconds, of which less is better. */
export const seconds = (value: number): Measure => ({ value, unit: "s", better: "lower" });

/** Returns a speed that was measured once. */
export const words = (value: number): Measure => ({ value, unit: "words/s", better: "higher" });
/** Returns a number of repetitions or parts, of which fewer are better. */
export const count = (value: number): Measure => ({ value, unit: "count", better: "lower" });
/** Returns the value of an objective. */
export const lower = (value: number): Measure => ({ value, unit: "score", better: "lower" });
const bytes = (value: number): Measure => ({ value, unit: "bytes", better: "lower" });
const perSecond = ({ value, low, high, samples }: Speed): Measure => ({
  value,
  low,
  high,
  samples,
  unit: "words/s",
  better: "higher",
});

/** Returns the contestants of a comparison of decoders on one treebank. */
export function comparedDecoders(
  { treebank, decoders, trainings }: ComparisonResult,
  split: string,
): Contestant[] {
  return decoders.map(({ decoder, uas, las, optimal, certified, short, speed, rights }, which) => ({
    group: `${treebank}, ${split}`,
    name: decoder,
    measures: {
      UAS: share(uas),
      LAS: share(las),
      optimal: share(optimal),
      certified: share(certified),
      short: { value: short, unit: "score", better: "lower" },
      "words/s": perSecond(speed),
      compiling: seconds(speed.compiling),
      ...(trainings === undefined ? {} : trainingMeasures(trainings.decoders[which]!)),
    },
    sentences: rights,
  }));
}

/** Returns mean scores over models with the lowest and the highest. */
function trainingMeasures({ uas, las }: TrainingScores): Record<string, Measure> {
  const spread = (all: readonly number[]): Measure => ({
    ...share(mean(all)),
    low: Math.min(...all),
    high: Math.max(...all),
    samples: all.length,
  });
  return { "UAS of all models": spread(uas), "LAS of all models": spread(las) };
}

/** Returns the contestants of a comparison of decoders of graphs on one file. */
export function comparedGraphDecoders(group: string, { decoders }: GraphComparison): Contestant[] {
  return decoders.map(({ decoder, f1, optimal, certified, speed }) => ({
    group,
    name: decoder,
    measures: {
      ...(f1 !== undefined && { F1: share(f1) }),
      optimal: share(optimal),
      certified: share(certified),
      "words/s": perSecond(speed),
      compiling: seconds(speed.compiling),
    },
  }));
}

/** Returns parsers as contestants. */
export function comparedParsers(parsers: readonly ParserResult[]): Contestant[] {
  return parsers.map((one) => ({
    group: `${one.treebank}, ${one.split}`,
    name: one.parser,
    measures: {
      UAS: share(one.scores.uas),
      LAS: share(one.scores.las),
      "words/s": perSecond(one.speed),
      compiling: seconds(one.speed.compiling),
      training: seconds(one.trainingSeconds),
      "training CPU": seconds(one.trainingProcessorSeconds),
      "training memory": bytes(one.trainingMemory),
      "peak memory": bytes(one.peakMemory),
      "model file": bytes(one.modelBytes),
    },
    sentences: one.rights,
  }));
}

/** Returns the times of decoders and operations by length as contestants, one a score set and length. */
export function timedSeries(all: readonly Series[]): Contestant[] {
  return all.flatMap(({ set, label, cells }) =>
    cells.map(({ n, median, low, high, passes, certified }) => ({
      group: `${set}, ${Math.round(n)} words`,
      name: label,
      measures: {
        time: { value: median, low, high, samples: passes, unit: "ms", better: "lower" } as const,
        ...(certified !== undefined && { certified: share(certified) }),
      },
    })),
  );
}

/** Returns structured learners as contestants, by their last weights. */
export function trainedLearners({ treebank, courses }: LearnerResults): Contestant[] {
  return courses.flatMap(({ name, points }) => {
    const last = points.at(-1);
    if (last === undefined) return [];
    const { accuracy, value, epoch } = last;
    return {
      group: `${treebank}, universal tags, dev`,
      name,
      measures: {
        accuracy: share(accuracy),
        ...(value !== undefined && { objective: lower(value) }),
        training: seconds(last.seconds),
        epochs: count(epoch),
      },
    };
  });
}
