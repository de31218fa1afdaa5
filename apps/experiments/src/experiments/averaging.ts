import { formatInteger, share } from "@arcwise/bench/command";
import { readSplit, treebankName } from "@arcwise/bench/data";
import { table } from "@arcwise/bench/report";
import { defineOptions } from "@arcwise/core/options";
import { experiment } from "../experiment.ts";
import { EPOCHS, ORDER, SEED, SENTENCES, TREEBANK } from "../options.ts";
import { measureAveraging } from "../perceptrons/averaging.ts";

export const averaging = experiment({
  name: "averaging",
  claim: "compare the averaged perceptron with the last weights after each epoch, for parsing",
  options: defineOptions({
    treebank: { ...TREEBANK, help: "a folder with files *train.conllu, *dev.conllu, *test.conllu" },
    order: { ...ORDER, default: 1 },
    sentences: SENTENCES,
    epochs: { ...EPOCHS, default: 12 },
    seed: { ...SEED, help: "random seed of the order of sentences" },
  }),
  quick: { epochs: 2, sentences: 60 },
  async *measure({ treebank, sentences, ...settings }, run) {
    yield* await run.once("epochs", () => {
      const [train, dev, test] = (["train", "dev", "test"] as const).map((split) =>
        readSplit(treebank, split),
      );
      run.tell("pruning");
      return measureAveraging(
        { train: train!.slice(0, sentences), dev: dev!, test: test! },
        settings,
        (epoch) => run.tell(`epoch ${epoch}/${settings.epochs}`),
      );
    });
  },
  title: (_rows, { treebank }) => `Averaging of the perceptron: ${treebankName(treebank)}`,
  sections: (rows, { treebank }) => [
    {
      title: "UAS by epoch",
      text: `The perceptron on ${treebankName(treebank)}: the average of all weights since the first step, and the last ones.`,
      figures: [],
      tables: [
        table("UAS after each epoch", rows, {
          epoch: ({ epoch }) => formatInteger(epoch),
          "averaged: dev": ({ averaged }) => averaged.dev.uas.toFixed(2),
          "averaged: test": ({ averaged }) => averaged.test.uas.toFixed(2),
          "last weights: dev": ({ last }) => last.dev.uas.toFixed(2),
          "last weights: test": ({ last }) => last.test.uas.toFixed(2),
        }),
      ],
    },
  ],
  contestants: (rows, { treebank }) =>
    rows.flatMap(({ epoch, ...kinds }) =>
      Object.entries(kinds).map(([kind, { dev, test }]) => ({
        group: treebankName(treebank),
        name: `${kind}, epoch ${epoch}`,
        measures: { "UAS, dev": share(dev.uas / 100), "UAS, test": share(test.uas / 100) },
      })),
    ),
});
