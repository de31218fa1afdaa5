import { seconds, share, words } from "../contestants.ts";
import { bestPoint, type MixingRun, type SubjectResult } from "../mixing/experiment.ts";
import type { Contestant, Measure } from "../results.ts";
import type { SequenceResult, SequenceTask } from "../sequences/experiments.ts";
import type { LearnerResults } from "./learner-sections.ts";
import type { MaxentResults } from "./maxent-sections.ts";

const count = (value: number): Measure => ({ value, unit: "count", better: "lower" });
const lower = (value: number): Measure => ({ value, unit: "score", better: "lower" });

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
