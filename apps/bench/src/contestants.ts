import type { Ad3Result } from "./ad3-measures.ts";
import type { Calibration } from "./calibration.ts";
import type { ClimbResult, Pass } from "./climb-measures.ts";
import type { ComparisonResult } from "./compare-decoders.ts";
import type { GraphComparison } from "./compare-graph-decoders.ts";
import type { ParserResult } from "./compare-parsers.ts";
import type { Speed } from "./in-turn.ts";
import type { Series } from "./measure-decoders.ts";
import type { Contestant, Measure } from "./results.ts";

/** Returns a share of right answers, from 0 to 1. */
export const share = (value: number): Measure => ({ value, unit: "share", better: "higher" });
/** Returns a time in seconds, of which less is better. */
export const seconds = (value: number): Measure => ({ value, unit: "s", better: "lower" });

/** Returns a score of trees, of which more is better. */
const scored = (value: number): Measure => ({ value, unit: "score", better: "higher" });
/** Returns a speed that was measured once. */
export const words = (value: number): Measure => ({ value, unit: "words/s", better: "higher" });
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
export function comparedDecoders({ treebank, decoders }: ComparisonResult, split: string): Contestant[] {
  return decoders.map(({ decoder, uas, las, optimal, certified, short, speed, rights }) => ({
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
    },
    sentences: rights,
  }));
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

/** Returns the settings of AD3 on one treebank as contestants. */
export function ad3Settings({ treebank, settings }: Ad3Result, split: string): Contestant[] {
  return settings.map(({ setting, uas, certified, score, wordsPerSecond }) => ({
    group: `${treebank}, ${split}`,
    name: setting,
    measures: {
      UAS: share(uas),
      certified: share(certified),
      score: scored(score),
      "words/s": words(wordsPerSecond),
    },
  }));
}

/** Returns the passes of hill climbing on one treebank, and the exact decoders beside it, as contestants. */
export function climbPasses(result: ClimbResult, split: string): Contestant[] {
  const { treebank, exact, byRestarts, byTime, arborescence, firstOrder } = result;
  const all: (readonly [string, Pass & { readonly reached?: number }])[] = [
    ...(exact ? [["exact, projective", exact] as const] : []),
    ...byRestarts.map((pass) => [`${pass.restarts} climbs`, pass] as const),
    ...byTime.map((pass) => [`${pass.milliseconds} ms`, pass] as const),
    ["arcs alone, maximum arborescence", arborescence],
    ...firstOrder.map((pass) => [`arcs alone, start ${pass.start}`, pass] as const),
  ];
  return all.map(([name, { uas, score, reached, wordsPerSecond }]) => ({
    group: `${treebank}, ${split}`,
    name,
    measures: {
      UAS: share(uas),
      score: scored(score),
      ...(reached !== undefined && { reached: share(reached) }),
      "words/s": words(wordsPerSecond),
    },
  }));
}

/** Returns the calibration of a model, with scores as they are and divided by a temperature. */
export function calibrations(treebank: string, results: readonly Calibration[]): Contestant[] {
  const error = (value: number): Measure => ({ value, unit: "share", better: "lower" });
  return results.map(({ chosen, candidates, accuracy, recall }, i) => ({
    group: `${treebank}, test`,
    name: i === 0 ? "scores as they are" : "scores divided by the temperature",
    measures: {
      UAS: share(accuracy),
      recall: share(recall),
      "calibration error of heads": error(chosen.error),
      "calibration error of arcs": error(candidates.error),
    },
  }));
}
