import { type Contestant, count, lower, type Measure, seconds, share, words } from "@arcwise/bench/command";
import type { Ad3Result } from "./ad3/ad3-measures.ts";
import type { Calibration } from "./calibration/calibration.ts";
import type { ClimbResult, Pass } from "./climbing/climb-measures.ts";
import type { PathResult } from "./climbing/measure-paths.ts";
import type { MaxentResults } from "./maxent/maxent-sections.ts";
import { bestPoint, type MixingRun, type SubjectResult } from "./mixing/experiment.ts";
import type { SequenceResult, SequenceTask } from "./sequences/experiments.ts";

/** Returns a score of trees, of which more is better. */
const scored = (value: number): Measure => ({ value, unit: "score", better: "higher" });

/** Returns training methods of maximum entropy classifiers as contestants, by their last weights. */
export function trainedMaxent({ corpus, measure, courses }: MaxentResults): Contestant[] {
  return courses.flatMap(({ method, points }) => {
    const last = points.at(-1);
    if (last === undefined) return [];
    const { score, value, iteration } = last;
    return {
      group: corpus,
      name: method,
      measures: {
        ...(score !== undefined && { [measure]: share(score) }),
        value: lower(value),
        training: seconds(last.seconds),
        iterations: count(iteration),
      },
    };
  });
}

/** Returns methods of parameter mixing as contestants, by their best epoch on the development split. */
export function trainedByMixing({ subject, metrics, runs }: SubjectResult): Contestant[] {
  return runs.map((run) => {
    const { epoch, scores, oneThread, machineAShard } = bestPoint(run);
    const shares = (split: string, values: readonly number[] = []): Record<string, Measure> =>
      Object.fromEntries(values.map((value, i) => [`${metrics[i]}, ${split}`, share(value / 100)]));
    return {
      group: subject,
      name: mixingName(run),
      measures: {
        ...shares("dev", scores),
        ...shares("test", run.test),
        "best epoch": count(epoch),
        "one thread": seconds(oneThread),
        "a machine a shard": seconds(machineAShard),
      },
    };
  });
}

function mixingName({ strategy, shards, mixing, mixes, averageAfter }: MixingRun): string {
  const says = [
    strategy,
    shards > 1 && `${shards} shards`,
    mixing,
    mixes !== undefined && `${mixes} an epoch`,
    averageAfter !== undefined && `average after ${averageAfter}`,
  ];
  return says.filter(Boolean).join(", ");
}

/** Returns sequence models as contestants. */
export function trainedSequences(
  tasks: readonly Pick<SequenceTask, "name" | "title">[],
  results: readonly SequenceResult[],
): Contestant[] {
  return results.map((result) => ({
    group: tasks.find(({ name }) => name === result.task)?.title ?? result.task,
    name: result.model,
    measures: {
      [`${result.metric}, dev`]: share(result.dev),
      [`${result.metric}, test`]: share(result.test),
      "words/s": words(result.labellingWordsPerSecond),
      "words/s of training": words(result.trainingWordsPerSecond),
      epochs: count(result.epochs),
      weights: count(result.weights),
    },
  }));
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

/** Returns the passes of hill climbing on one treebank, and the exact decoders, as contestants. */
export function climbPasses(result: ClimbResult, split: string): Contestant[] {
  const { treebank, exact, byRestarts, byTime, arborescence, firstOrder } = result;
  const all: (readonly [string, Pass & { readonly reached?: number | undefined }])[] = [
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

/** Returns the paths of corrections from each kind of tree in each order as contestants. */
export function pathContestants({ treebank, split, summaries }: PathResult): Contestant[] {
  return summaries.map(({ start, order, usual, sum, equal }) => ({
    group: `${treebank}, ${split}`,
    name: `${start}, ${order}`,
    measures: { "(1o)": lower(usual), "sum of (2o)": lower(sum), equal: share(equal / 100) },
  }));
}
