import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type CommandFactory,
  type Io,
  type OutputOptions,
  Run,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { checkTreebanks, dataFolder, treebanksStamp } from "@arcwise/bench/data";
import { integer, integers, UsageError } from "@arcwise/cli/command";
import type { Mixing } from "@arcwise/learn";
import { Command, Option } from "commander";
import { trainedByMixing } from "../contestants.ts";
import { runExperiment, type SubjectResult } from "../mixing/experiment.ts";
import { mixingSections } from "../mixing/mixing-sections.ts";
import { namesSubject, parsingSubject, type Subject } from "../mixing/subjects.ts";

interface MixingArguments extends OutputOptions {
  readonly treebank?: readonly string[] | undefined;
  readonly names: boolean;
  readonly learner: "mira" | "perceptron";
  readonly shards?: readonly number[] | undefined;
  readonly epochs: number;
  readonly mixing?: readonly Mixing[] | true | undefined;
  readonly mixes: number;
  readonly averageAfter: number;
  readonly average: boolean;
  readonly once: boolean;
  readonly separate?: boolean | undefined;
  readonly test?: boolean | undefined;
  readonly threads: number;
  readonly sentences?: number | undefined;
  readonly seed: number;
}

/** With `--quick`. */
const FEW = { sentences: 200, shards: [2], epochs: 2, mixes: 0, once: false, threads: 0 };

/** `arcwise-bench mixing ...`: compares distributed training with serial training. */
export const mixingCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("mixing"), FEW)
      .description("compare serial training with parameter mixing: accuracy against time")
      .option("--treebank <dir...>", "folders with files *train.conllu and *dev.conllu to learn parsing from")
      .option("--no-names", "leave out the names of CoNLL-2002, which are in the folder of data")
      .addOption(
        new Option("--learner <name>", "of parsing; names are always learned by the perceptron")
          .choices(["mira", "perceptron"])
          .default("mira"),
      )
      .option("--sentences <n>", "learn from the first sentences only", integer(1))
      .option("--shards <n...>", "into how many shards the sentences are dealt (2 5 10)", integers(2))
      .option("--epochs <n>", "passes over the sentences", integer(1), 10)
      .addOption(
        new Option(
          "--mixing [names...]",
          "strategies that mix once per epoch; no name: none (uniform error)",
        ).choices(["uniform", "error", "changed"]),
      )
      .option("--mixes <n>", "mixings per epoch by what changed; 0: none", integer(0), 32)
      .option("--average-after <n>", "epochs before those that are averaged over with --mixes", integer(0), 3)
      .option("--no-average", "score the last weights, not their average over all steps")
      .option("--no-once", "leave out mixing once, and one shard alone")
      .option(
        "--separate",
        "end trainings after an epoch without a mistake, and compare mistakes with their bound; names without " +
          "sentences that serial training keeps getting wrong",
      )
      .option("--test", "also measure on test data")
      .option("--threads <n>", "also measure iterative mixing on n threads; 0: do not", integer(0), 2)
      .option("--seed <n>", "random seed of the order of sentences and of their shards", integer(0), 1),
  ).action((options: MixingArguments) => mixing(io, options));

async function mixing(io: Io, options: MixingArguments): Promise<void> {
  const { epochs, seed, threads, mixes, averageAfter, average, once, shards = [2, 5, 10] } = options;
  const { mixing = ["uniform", "error"], test = false, separate = false } = options;
  const { treebank = [] } = options;
  checkTreebanks(treebank, ["train", "dev"]);
  const run = new Run(io, options, [dataFolder(io.env), ...treebanksStamp(treebank)]);
  const results: SubjectResult[] = [];
  for (const [i, subject] of subjectsOf(io, options).entries()) {
    const measure = async (): Promise<SubjectResult> =>
      runExperiment(await subject(), {
        shards: [...shards].sort((a, b) => a - b),
        epochs,
        seed,
        mixings: mixing === true ? [] : mixing,
        mixes,
        averageAfter,
        average,
        once,
        separate,
        test,
        threads,
        tell: (text) => status(io, text),
        keep: run.under(`subject ${i}`),
      });
    results.push(await run.once(`subject ${i}`, measure));
  }
  await run.publish({
    title: "Distributed training: parameter mixing",
    sections: mixingSections(results),
    seed,
    results,
    contestants: results.flatMap(trainedByMixing),
  });
}

/** Returns factories of the subjects, so that one is in memory at a time. */
function subjectsOf(io: Io, options: MixingArguments): (() => Subject | Promise<Subject>)[] {
  const { treebank = [], seed, sentences, learner, separate = false } = options;
  const subjects: (() => Subject | Promise<Subject>)[] = [];
  const folder = join(dataFolder(io.env), "sequence", "conll2002");
  if (options.names && existsSync(folder))
    subjects.push(() => namesSubject(folder, { limit: sentences, separable: separate }));
  else if (options.names) io.stderr.write(`names are left out: no folder ${folder}\n`);
  subjects.push(...treebank.map((path) => () => parsingSubject(path, { learner, seed, limit: sentences })));
  if (subjects.length === 0) throw new UsageError("expected a treebank: give a folder with --treebank");
  return subjects;
}
