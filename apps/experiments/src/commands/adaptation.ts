import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  type CommandFactory,
  formatInteger,
  type Io,
  type OutputOptions,
  Run,
  share,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import {
  checkTreebanks,
  planFile,
  REPOSITORY,
  readSentences,
  treebankName,
  treebanksStamp,
} from "@arcwise/bench/data";
import { right, type Section } from "@arcwise/bench/report";
import { integer, integers, positives, replaceOutput, seedOption } from "@arcwise/cli/command";
import type { ConlluSentence } from "@arcwise/conllu";
import { type PipelineModel, savePipeline, trainPipeline } from "@arcwise/pipeline";
import { readPipelineFile } from "@arcwise/pipeline/node";
import { Command } from "commander";
import { type AdaptationData, type AdaptationPoint, adapt, spread } from "../adaptation/adaptation.ts";
import { type Genre, genresOf } from "../adaptation/genres.ts";

interface AdaptationArguments extends OutputOptions {
  readonly treebank: string;
  readonly other: string;
  readonly model: string;
  readonly genres?: readonly string[] | undefined;
  readonly sizes?: readonly number[] | undefined;
  readonly old?: readonly number[] | undefined;
  readonly rates?: readonly number[] | undefined;
  readonly epochs?: readonly number[] | undefined;
  readonly measured: number;
  readonly sentences?: number | undefined;
  readonly seed: number;
}

/** `arcwise-experiments adaptation ...`: what corrected sentences of another genre bring. */
export const adaptationCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("adaptation"), {
      ...{ sizes: [4, 8], old: [0], rates: [0.001], epochs: [1], measured: 20, sentences: 40 },
    })
      .description(
        "continue a model with corrected sentences of other genres, and measure it on the rest of each genre",
      )
      .requiredOption(
        "--treebank <dir>",
        "the treebank of the model, a folder with files *train.conllu, *dev.conllu",
      )
      .requiredOption("--other <dir>", "a treebank whose documents name their genres, as GUM does")
      .option("--model <file>", "the model, which is trained when it does not exist", MODEL)
      .option("--genres <name...>", "these genres (all)")
      .option("--sizes <n...>", "numbers of corrected sentences (10 50 200)", integers(1))
      .option("--old <n...>", "numbers of old sentences that are mixed in (0 300)", integers(0))
      .option("--rates <x...>", "rates of the network (0.001)", positives)
      .option("--epochs <n...>", "epochs of the network (10)", integers(1))
      .option("--measured <n>", "sentences of the rest of a genre, and of the old treebank", integer(1), 300)
      .option("--sentences <n>", "train the model on the first sentences only", integer(1))
      .addOption(seedOption("random seed of the trainings")),
  ).action((options: AdaptationArguments) => adaptation(io, options));

const MODEL = join(REPOSITORY, "reports", "experiments", "adaptation.model");

async function adaptation(io: Io, options: AdaptationArguments): Promise<void> {
  const { treebank, other, measured, seed } = options;
  const { sizes = [10, 50, 200], old = [0, 300], rates = [0.001], epochs = [10] } = options;
  checkTreebanks([treebank], ["train", "dev"]);
  checkTreebanks([other], ["train", "dev", "test"]);
  const run = new Run(io, options, treebanksStamp([treebank, other]));
  const train = readSentences(treebank, "train").slice(0, options.sentences);
  const data: AdaptationData = {
    model: await modelOf(io, options.model, train, seed),
    old: train,
    oldDev: spread(readSentences(treebank, "dev"), measured),
  };
  const points: AdaptationPoint[] = [];
  for (const genre of genresToMeasure(options, Math.max(...sizes))) {
    for (const recipe of recipesOf(rates, epochs, old)) {
      for (const count of recipe === undefined ? [0] : sizes) {
        status(io, `${genre.name}: ${count} sentences`);
        const own = recipe ?? { rate: 0, epochs: 0, old: 0 };
        const key = `${genre.name} ${count} ${own.rate} ${own.epochs} ${own.old}`;
        points.push(await run.once(key, () => adapt(data, genre, count, { recipe: own, seed })));
      }
    }
  }
  await run.publish({
    title: `Corrected sentences: ${treebankName(treebank)} to ${treebankName(other)}`,
    sections: [section(points)],
    seed,
    results: points,
    contestants: points.map((point) => ({
      group: point.genre,
      name: nameOf(point),
      measures: { LAS: share(point.las / 100), "LAS, old treebank": share(point.oldLas / 100) },
    })),
  });
}

/** Returns all recipes, after undefined: the model as it is. */
function recipesOf(rates: readonly number[], epochs: readonly number[], olds: readonly number[]) {
  const all = rates.flatMap((rate) =>
    epochs.flatMap((count) => olds.map((old) => ({ rate, epochs: count, old }))),
  );
  return [undefined, ...all];
}

/** Returns the genres, with as many sentences as are measured. */
function genresToMeasure({ other, genres: names, measured }: AdaptationArguments, most: number): Genre[] {
  const sentences = (["train", "dev", "test"] as const).flatMap((split) => readSentences(other, split));
  return genresOf(sentences, most)
    .filter(({ name }) => names === undefined || names.includes(name))
    .map(({ rest, ...genre }) => ({ ...genre, rest: spread(rest, measured) }));
}

/** Reads the model, or trains it: a network alone, by the preset "fast". */
async function modelOf(
  io: Io,
  file: string,
  sentences: readonly ConlluSentence[],
  seed: number,
): Promise<PipelineModel> {
  if (existsSync(file)) return readPipelineFile(file);
  status(io, `training ${file}`);
  const model = await trainPipeline(sentences, { preset: "fast", seed, settings: { tokenizer: false } });
  await replaceOutput(await planFile(dirname(file), basename(file)), savePipeline(model));
  return model;
}

function nameOf({ corrected, rate, epochs, old }: AdaptationPoint): string {
  if (corrected === 0) return "the model";
  return `${corrected} sentences, ${old} old, rate ${rate}, ${epochs} epochs`;
}

function section(points: readonly AdaptationPoint[]): Section {
  return {
    title: "LAS by corrected sentences",
    text: "The model learns from the first sentences of each genre, and is measured on documents of which it saw none, by gold tokens.",
    figures: [],
    tables: [
      {
        title: "Labelled attachment score",
        columns: ["genre", "corrected", "old", "rate", "epochs", "LAS", "LAS, old treebank"].map((name) =>
          right(name),
        ),
        rows: points.map(({ genre, corrected, old, rate, epochs, las, oldLas }) => [
          genre,
          formatInteger(corrected),
          formatInteger(old),
          `${rate}`,
          `${epochs}`,
          las.toFixed(2),
          oldLas.toFixed(2),
        ]),
      },
    ],
  };
}
