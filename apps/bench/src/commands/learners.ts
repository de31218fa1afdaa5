import { fileURLToPath } from "node:url";
import { integer, positive } from "@arcwise/cli/command";
import { requireLearner } from "@arcwise/learn";
import { loadLearner } from "@arcwise/parser/node";
import { type LabelledSentence, prepareChain, TAGGING_TEMPLATES } from "@arcwise/sequence";
import { Command } from "commander";
import { type CommandFactory, type Io, type OutputOptions, status, withOutputs } from "../command/io.ts";
import { withQuick } from "../command/options.ts";
import { Run } from "../command/run.ts";
import {
  checkTreebanks,
  fileStamp,
  readSplit,
  SAMPLE,
  type Split,
  treebankName,
  treebanksStamp,
} from "../data/treebanks.ts";
import { type LearnerResults, measureLearners } from "../measures/measure-learners.ts";
import { learnerSections, trainedLearners } from "../report/learner-sections.ts";

interface LearnersArguments extends OutputOptions {
  readonly treebank: string;
  readonly sentences?: number | undefined;
  readonly seconds: number;
  readonly epochs: number;
  readonly learner?: readonly string[] | undefined;
  readonly l2: number;
  readonly seed: number;
}

/** `arcwise-bench learners ...`: compares all structured learners on one task. */
export const learnersCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("learners"), { sentences: 60, seconds: 1, epochs: 4 })
      .description(
        "compare all structured learners on the tagging of a treebank: objective and accuracy by time",
      )
      .option("--treebank <dir>", "a folder with files *train.conllu, *dev.conllu, *test.conllu", SAMPLE)
      .option("--sentences <n>", "train on the first sentences only", integer(1))
      .option("--seconds <n>", "processor time of each learner", integer(1), 5)
      .option("--epochs <n>", "most epochs of each learner", integer(1), 10_000)
      .option("--learner <module...>", "also the learners of these modules, such as ./mine.mjs")
      .option("--l2 <x>", "strength of the penalty l2 / 2 · |w|², added to the mean loss", positive, 0.01)
      .option("--seed <n>", "random seed of the order of sentences", integer(0), 1),
  ).action((options: LearnersArguments) => learners(io, options));

async function learners(io: Io, options: LearnersArguments): Promise<void> {
  const { treebank, seconds, epochs, l2, seed } = options;
  checkTreebanks([treebank], ["train", "dev"]);
  const modules = await Promise.all((options.learner ?? []).map((module) => loadLearner(module)));
  const others = modules.map(({ make, specifier }) => requireLearner(make(), specifier));
  const run = new Run(io, options, [
    ...treebanksStamp([treebank]),
    ...modules.map(({ url }) => fileStamp(fileURLToPath(url))),
  ]);
  const train = tagged(treebank, "train").slice(0, options.sentences);
  const training = prepareChain(train, { templates: TAGGING_TEMPLATES });
  const courses = await measureLearners(
    training,
    tagged(treebank, "dev"),
    { l2, seed, seconds, epochs, others },
    (name) => status(io, `training: ${name}`),
    run.under("learner"),
  );
  const results: LearnerResults = {
    treebank: treebankName(treebank),
    sentences: train.length,
    words: train.reduce((sum, { labels }) => sum + labels.length, 0),
    dimension: training.task.dimension,
    l2,
    courses,
  };
  await run.publish({
    title: "Structured learners on one task",
    sections: learnerSections(results),
    seed,
    results,
    contestants: trainedLearners(results),
  });
}

/** The sentences of a split with their universal tags as labels. */
function tagged(treebank: string, split: Split): LabelledSentence[] {
  return readSplit(treebank, split).map(({ sentence }) => ({
    sentence,
    labels: sentence.map(({ upos }) => upos ?? "_"),
  }));
}
