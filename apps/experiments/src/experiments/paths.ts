import { formatInteger, formatPercent, lower, share, threeDigits } from "@arcwise/bench/command";
import { checkTreebanks, readSplit, spreadEvenly, treebankName } from "@arcwise/bench/data";
import { table } from "@arcwise/bench/report";
import { defineOptions, string } from "@arcwise/core/options";
import { createParser, loadParser, saveParser, trainParser } from "@arcwise/parser";
import { measurePaths } from "../climbing/measure-paths.ts";
import { experiment } from "../experiment.ts";
import { EPOCHS, natural, ORDER, SEED, TREEBANK } from "../options.ts";

const SPLITS = ["train", "dev"] as const;

export const paths = experiment({
  name: "paths",
  claim: "compare the loss (1o) of trees with the sum of the losses (2o) on paths to the gold tree",
  options: defineOptions({
    treebank: TREEBANK,
    order: { ...ORDER, default: 2 },
    sentences: {
      ...natural("--sentences <n>", "only n sentences of each split, spread evenly"),
      defaultHelp: "all",
    },
    epochs: { ...EPOCHS, default: 5 },
    learner: { check: string, help: "how weights are learned", default: "mira", flag: "--learner <name>" },
    seed: { ...SEED, help: "random seed of the order of sentences and of the random trees" },
  }),
  quick: { epochs: 2, sentences: 40 },
  async *measure({ treebank, order, sentences = Infinity, epochs, learner, seed }, run) {
    checkTreebanks([treebank], [...SPLITS]);
    const trained = async () => {
      const train = spreadEvenly(readSplit(treebank, "train"), sentences);
      return trainParser(train, {
        ...{ preset: "linear", order, decoder: "hillclimb", learner, epochs, seed },
        onProgress: ({ step, epoch, epochs: all, epochDone }) => {
          if (epochDone) run.tell(`training: ${step} ${epoch}/${all}`);
        },
      });
    };
    const parser = createParser(loadParser(await run.once("model", async () => saveParser(await trained()))));
    for (const split of SPLITS) {
      yield run.once(split, () => {
        run.tell(`paths of the ${split} split`);
        const used = readSplit(treebank, split).filter(({ sentence }) => sentence.length > 0);
        const problems = spreadEvenly(used, sentences).map(({ sentence, tree }) => ({
          problem: parser.read([sentence])[0]!.problem(),
          gold: tree.heads,
        }));
        return { treebank: treebankName(treebank), split, ...measurePaths(problems, seed) };
      });
    }
  },
  title: (_rows, { treebank }) => `Losses (1) and (2) along paths: ${treebankName(treebank)}`,
  sections: (rows) => [
    {
      title: "Losses along paths of corrections",
      text:
        "From the tree of the largest loss (1o), from the best tree and from a random one, words get their " +
        "gold heads in sequence. Equal: paths whose sum of (2o) is (1o). Hidden: paths with a loss " +
        "(2o) and none of (1o). The sum is never less than (1o).",
      figures: [],
      tables: rows.map(({ split, sentences, kept, summaries }) =>
        table(
          `${split} split`,
          summaries,
          {
            tree: ({ start }) => start,
            order: ({ order }) => order,
            paths: ({ paths: count }) => formatInteger(count),
            corrections: ({ steps }) => steps.toFixed(2),
            "(1o)": ({ usual }) => usual.toFixed(2),
            "sum of (2o)": ({ sum }) => sum.toFixed(2),
            ratio: ({ sum, usual }) => (usual === 0 ? "" : threeDigits(sum / usual)),
            "equal %": ({ equal }) => formatPercent(equal / 100),
            "hidden %": ({ hidden }) => formatPercent(hidden / 100),
          },
          {
            labels: 2,
            note: `${formatInteger(kept)} of ${formatInteger(sentences)} sentences have all gold arcs as candidates.`,
          },
        ),
      ),
    },
  ],
  contestants: (rows) =>
    rows.flatMap(({ treebank, split, summaries }) =>
      summaries.map(({ start, order, usual, sum, equal }) => ({
        group: `${treebank}, ${split}`,
        name: `${start}, ${order}`,
        measures: { "(1o)": lower(usual), "sum of (2o)": lower(sum), equal: share(equal / 100) },
      })),
    ),
});
