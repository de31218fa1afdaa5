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
import { checkTreebanks, readSentences, treebankName, treebanksStamp } from "@arcwise/bench/data";
import { left, right, type Section } from "@arcwise/bench/report";
import { seedOption } from "@arcwise/cli/command";
import { Command } from "commander";
import { ANNOTATIONS, learnAnnotation, type PartialPoint } from "../adaptation/partial.ts";
import { type TrainingArguments, withTraining } from "./training.ts";

interface PartialArguments extends TrainingArguments {
  readonly seed: number;
}

/** Share of the heads that are annotated. */
const SHARE = 0.5;

/** `arcwise-experiments partial ...`: partly annotated trees against whole ones. */
export const partialCommand: CommandFactory = (io) =>
  withOutputs(
    withTraining(withQuick(new Command("partial"), { epochs: 1, sentences: 30 }), { order: 1, epochs: 25 })
      .description("train networks on all heads, on half of the heads, and on half of the sentences")
      .addOption(seedOption("random seed of the choice of words and of the trainings")),
  ).action((options: PartialArguments) => partial(io, options));

async function partial(io: Io, options: PartialArguments): Promise<void> {
  const { treebank, sentences, epochs, seed } = options;
  checkTreebanks([treebank], ["train", "dev"]);
  const run = new Run(io, options, treebanksStamp([treebank]));
  const data = {
    train: readSentences(treebank, "train").slice(0, sentences),
    dev: readSentences(treebank, "dev"),
  };
  const points: PartialPoint[] = [];
  for (const annotation of ANNOTATIONS) {
    status(io, `heads of ${annotation}`);
    const measure = () => learnAnnotation(annotation, data, { share: SHARE, epochs, seed });
    points.push(await run.once(annotation, measure));
  }
  await run.publish({
    title: `Partly annotated trees: ${treebankName(treebank)}`,
    sections: [section(points)],
    seed,
    results: points,
    contestants: points.map(({ annotation, las }) => ({
      group: treebankName(treebank),
      name: NAMES[annotation],
      measures: { "LAS, dev": share(las / 100) },
    })),
  });
}

const NAMES = { full: "all heads", words: "half of the heads", sentences: "half of the sentences" } as const;

function section(points: readonly PartialPoint[]): Section {
  return {
    title: "LAS by annotation",
    text: "A network alone (preset fast) learns from trees of which heads are hidden at random, and from as many heads of whole trees.",
    figures: [],
    tables: [
      {
        title: "Labelled attachment score on the development split",
        columns: [left("annotated"), right("heads"), right("LAS")],
        rows: points.map(({ annotation, heads, las }) => [
          NAMES[annotation],
          formatInteger(heads),
          las.toFixed(2),
        ]),
      },
    ],
  };
}
