import {
  type CommandFactory,
  formatInteger,
  formatPercent,
  type Io,
  Run,
  status,
  threeDigits,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { checkTreebanks, readSplit, treebankName, treebanksStamp } from "@arcwise/bench/data";
import { spreadEvenly } from "@arcwise/bench/measures";
import { left, right, type Section } from "@arcwise/bench/report";
import { parserOption, seedOption } from "@arcwise/cli/command";
import { createParser, loadParser, saveParser, trainParser } from "@arcwise/parser";
import { Command } from "commander";
import { measurePaths, type PathResult } from "../climbing/measure-paths.ts";
import { pathContestants } from "../contestants.ts";
import { type TrainingArguments, withTraining } from "./training.ts";

interface PathsArguments extends TrainingArguments {
  readonly learner: string;
  readonly seed: number;
}

const SPLITS = ["train", "dev"] as const;

/** `arcwise-experiments paths ...`: the losses of conditions (1) and (2) along paths of corrections. */
export const pathsCommand: CommandFactory = (io) =>
  withOutputs(
    withTraining(withQuick(new Command("paths"), { epochs: 2, sentences: 40 }), {
      order: 2,
      epochs: 5,
      sentences: "only n sentences of each split, spread evenly",
    })
      .description("compare the loss (1o) of trees with the sum of the losses (2o) on paths to the gold tree")
      .addOption(parserOption("--learner <name>").default("mira"))
      .addOption(seedOption("random seed of the order of sentences and of the random trees")),
  ).action((options: PathsArguments) => paths(io, options));

async function paths(io: Io, options: PathsArguments): Promise<void> {
  const { treebank, seed } = options;
  checkTreebanks([treebank], [...SPLITS]);
  const run = new Run(io, options, treebanksStamp([treebank]));
  const parser = createParser(
    loadParser(await run.once("model", async () => saveParser(await trained(io, options)))),
  );
  const results: PathResult[] = [];
  for (const split of SPLITS) {
    const measure = (): PathResult => {
      status(io, `paths of the ${split} split`);
      const used = readSplit(treebank, split).filter(({ sentence }) => sentence.length > 0);
      const sentences = spreadEvenly(used, options.sentences ?? Infinity).map(({ sentence, tree }) => ({
        problem: parser.read([sentence])[0]!.problem(),
        gold: tree.heads,
      }));
      return { treebank: treebankName(treebank), split, ...measurePaths(sentences, seed) };
    };
    results.push(await run.once(split, measure));
  }
  await run.publish({
    title: `Losses (1) and (2) along paths: ${treebankName(treebank)}`,
    sections: [section(results)],
    seed,
    results,
    contestants: results.flatMap(pathContestants),
  });
}

async function trained(io: Io, { treebank, order, learner, epochs, seed, sentences }: PathsArguments) {
  return trainParser(spreadEvenly(readSplit(treebank, "train"), sentences ?? Infinity), {
    preset: "linear",
    order,
    decoder: "hillclimb",
    learner,
    epochs,
    seed,
    onProgress: ({ step, epoch, epochs: all, epochDone }) => {
      if (epochDone) status(io, `training: ${step} ${epoch}/${all}`);
    },
  });
}

function section(results: readonly PathResult[]): Section {
  return {
    title: "Losses along paths of corrections",
    text:
      "From the tree of the largest loss (1o), from the best tree and from a random one, words get their " +
      "gold heads in sequence. Equal: paths whose sum of (2o) is (1o). Hidden: paths with a loss " +
      "(2o) and none of (1o). The sum is never less than (1o).",
    figures: [],
    tables: results.map(({ split, sentences, kept, summaries }) => ({
      title: `${split} split`,
      columns: [
        left("tree"),
        left("order"),
        ...["paths", "corrections", "(1o)", "sum of (2o)", "ratio", "equal %", "hidden %"].map((name) =>
          right(name),
        ),
      ],
      rows: summaries.map(({ start, order, paths: count, steps, usual, sum, equal, hidden }) => [
        start,
        order,
        formatInteger(count),
        steps.toFixed(2),
        usual.toFixed(2),
        sum.toFixed(2),
        usual === 0 ? "" : threeDigits(sum / usual),
        formatPercent(equal / 100),
        formatPercent(hidden / 100),
      ]),
      note: `${formatInteger(kept)} of ${formatInteger(sentences)} sentences have all gold arcs as candidates.`,
    })),
  };
}
