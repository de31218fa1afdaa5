import {
  type CommandFactory,
  formatInteger,
  type Io,
  Run,
  share,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import { checkTreebanks, readSplit, treebankName, treebanksStamp } from "@arcwise/bench/data";
import { right, type Section } from "@arcwise/bench/report";
import { seedOption } from "@arcwise/cli/command";
import { Command } from "commander";
import { type AveragingPoint, measureAveraging } from "../perceptrons/averaging.ts";
import { type TrainingArguments, withTraining } from "./training.ts";

interface AveragingArguments extends TrainingArguments {
  readonly seed: number;
}

/** `arcwise-experiments averaging ...`: the perceptron of parsing with and without averaging, by epoch. */
export const averagingCommand: CommandFactory = (io) =>
  withOutputs(
    withTraining(withQuick(new Command("averaging"), { epochs: 2, sentences: 60 }), {
      order: 1,
      epochs: 12,
      files: "*train.conllu, *dev.conllu, *test.conllu",
    })
      .description("compare the averaged perceptron with the last weights after each epoch, for parsing")
      .addOption(seedOption("random seed of the order of sentences")),
  ).action((options: AveragingArguments) => averaging(io, options));

async function averaging(io: Io, options: AveragingArguments): Promise<void> {
  const { treebank, order, sentences, epochs, seed } = options;
  checkTreebanks([treebank], ["train", "dev", "test"]);
  const run = new Run(io, options, treebanksStamp([treebank]));
  const measure = (): Promise<AveragingPoint[]> => {
    status(io, "pruning");
    const train = readSplit(treebank, "train").slice(0, sentences);
    const [dev, test] = [readSplit(treebank, "dev"), readSplit(treebank, "test")];
    const settings = { order, epochs, seed };
    return measureAveraging({ train, dev, test }, settings, ({ epoch }) =>
      status(io, `epoch ${epoch}/${epochs}`),
    );
  };
  const points = await run.once("epochs", measure);
  const name = treebankName(treebank);
  await run.publish({
    title: `Averaging of the perceptron: ${name}`,
    sections: [section(name, points)],
    seed,
    results: points,
    contestants: points.flatMap(({ epoch, ...kinds }) =>
      Object.entries(kinds).map(([kind, { dev, test }]) => ({
        group: name,
        name: `${kind}, epoch ${epoch}`,
        measures: { "UAS, dev": share(dev.uas / 100), "UAS, test": share(test.uas / 100) },
      })),
    ),
  });
}

function section(treebank: string, points: readonly AveragingPoint[]): Section {
  const names = ["averaged", "last weights"].flatMap((kind) => [`${kind}: dev`, "test"]);
  return {
    title: "UAS by epoch",
    text: `The perceptron on ${treebank}: the average of all weights since the first step, and the last ones.`,
    figures: [],
    tables: [
      {
        title: "UAS after each epoch",
        columns: ["epoch", ...names].map((name) => right(name)),
        rows: points.map(({ epoch, averaged, last }) => [
          formatInteger(epoch),
          ...[averaged, last].flatMap(({ dev, test }) => [dev.uas.toFixed(2), test.uas.toFixed(2)]),
        ]),
      },
    ],
  };
}
