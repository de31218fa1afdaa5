import {
  type CommandFactory,
  type Io,
  type OutputOptions,
  Run,
  sentencesOption,
  status,
  withOutputs,
  withQuick,
} from "@arcwise/bench/command";
import {
  checkFiles,
  checkTreebanks,
  fileStamp,
  readSplit,
  SAMPLE,
  treebankName,
  treebanksStamp,
} from "@arcwise/bench/data";
import { DECODERS, decodersNamed, spreadEvenly, trainingDecoder } from "@arcwise/bench/measures";
import { epochsOption, parserOption, seedOption, UsageError } from "@arcwise/cli/command";
import { hasCapability, requireCapability } from "@arcwise/core";
import {
  createParser,
  loadParser,
  type ParserModel,
  saveParser,
  type TrainingExample,
  trainParser,
} from "@arcwise/parser";
import { readModelPart } from "@arcwise/pipeline/node";
import { Command, Option } from "commander";
import { type Calibration, calibrate, fitTemperature, type Probabilist } from "../calibration/calibration.ts";
import { calibrationSections } from "../calibration/calibration-sections.ts";
import { calibrations } from "../contestants.ts";

interface CalibrationArguments extends OutputOptions {
  readonly treebank: string;
  readonly model?: string | undefined;
  readonly decoder?: string | undefined;
  readonly learner: string;
  readonly epochs: number;
  readonly sentences?: number | undefined;
  readonly seed: number;
}

/** Decoders of the registry with marginals. */
const SUMMING = DECODERS.filter(({ make }) => hasCapability(make(), "marginals")).map(({ name }) => name);
/** Number of sentences of the development split to fit the temperature on. */
const FITTED = 500;

/** `arcwise-bench calibration ...`: measures the calibration of arc marginals. */
export const calibrationCommand: CommandFactory = (io) =>
  withOutputs(
    withQuick(new Command("calibration"), { epochs: 1, sentences: 100 })
      .description("compare arc marginals of a first-order model with observed frequencies on a test split")
      .option("--treebank <dir>", "a folder with files *train.conllu, *dev.conllu, *test.conllu", SAMPLE)
      .option("--model <file>", "a first-order model, instead of one trained on the training split")
      .addOption(
        new Option("--decoder <name>", "decoder of the marginals (the decoder of the model)").choices(
          SUMMING,
        ),
      )
      .addOption(parserOption("--learner <name>").default("mira"))
      .addOption(sentencesOption("only n sentences of the test split, spread evenly"))
      .addOption(epochsOption(10))
      .addOption(seedOption("random seed of the order of sentences")),
  ).action((options: CalibrationArguments) => calibration(io, options));

async function calibration(io: Io, options: CalibrationArguments): Promise<void> {
  const { treebank, seed } = options;
  checkTreebanks([treebank], options.model === undefined ? ["train", "dev", "test"] : ["dev", "test"]);
  const given = options.model === undefined ? [] : [options.model];
  checkFiles(given);
  const run = new Run(io, options, [...treebanksStamp([treebank]), ...given.map(fileStamp)]);
  const [file] = given;
  const trained = async (): Promise<ParserModel> =>
    loadParser(await run.once("model", async () => saveParser(await trainedModel(io, options))));
  const model = file === undefined ? await trained() : await readModelPart(file, "parser");
  const { description } = model;
  if (description.order !== 1) {
    throw new UsageError(`expected a first-order model, got one of order ${description.order}`);
  }
  const probabilist = probabilistOf(model, options.decoder ?? description.decoder);
  const temperature = await run.once("temperature", () => {
    status(io, "fitting the temperature on the dev split");
    return fitTemperature(probabilist, readSplit(treebank, "dev").slice(0, FITTED));
  });
  const test = spreadEvenly(readSplit(treebank, "test"), options.sentences ?? Infinity);
  const results: Calibration[] = [];
  for (const one of [1, temperature]) {
    const measure = (): Calibration => {
      status(io, `marginals of the test split, scores divided by ${one.toFixed(2)}`);
      return calibrate(probabilist, test, one);
    };
    results.push(await run.once(`temperature ${one}`, measure));
  }
  await run.publish({
    title: `Calibration of arc marginals: ${treebankName(treebank)}`,
    sections: calibrationSections(treebankName(treebank), model, results),
    seed,
    results,
    contestants: calibrations(treebankName(treebank), results),
  });
}

async function trainedModel(io: Io, options: CalibrationArguments): Promise<ParserModel> {
  const { learner, epochs, seed, decoder = "mst" } = options;
  const examples: TrainingExample[] = readSplit(options.treebank, "train");
  return trainParser(examples, {
    preset: "linear",
    order: 1,
    decoder: trainingDecoder(decoder),
    learner,
    epochs,
    seed,
    onProgress: ({ step, epoch, epochs: all, epochDone }) => {
      if (epochDone) status(io, `training: ${step} ${epoch}/${all}`);
    },
  });
}

function probabilistOf(model: ParserModel, name: string): Probabilist {
  const [entry] = decodersNamed([name]);
  const parser = createParser(model);
  return {
    problem: (sentence) => parser.read([sentence])[0]!.problem(),
    decoder: requireCapability(entry!.make(), "marginals"),
  };
}
