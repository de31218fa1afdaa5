import { epochsOption, type Learner, learnerOption, seedOption, UsageError } from "@arcwise/cli/command";
import { hasCapability, requireCapability } from "@arcwise/core";
import { createParser, type ParserModel, type TrainingExample, trainParser } from "@arcwise/parser";
import { readModel } from "@arcwise/parser/node";
import { Command, Option } from "commander";
import { calibrate, fitTemperature, type Probabilist } from "../calibration.ts";
import {
  type CommandFactory,
  clearStatus,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "../io.ts";
import { STAGES, trainingDecoder } from "../parser-job.ts";
import { DECODERS, decodersNamed } from "../registry.ts";
import { calibrationSections } from "../report/calibration-sections.ts";
import { checkTreebanks, readSplit, SAMPLE, treebankName } from "../treebanks.ts";

interface CalibrationArguments extends OutputOptions {
  readonly treebank: string;
  readonly model?: string;
  readonly decoder?: string;
  readonly learner: Learner;
  readonly epochs: number;
  readonly seed: number;
}

/** Decoders of the registry with marginals. */
const SUMMING = DECODERS.filter(({ make }) => hasCapability(make(), "marginals")).map(({ name }) => name);
/** Number of sentences of the development split to fit the temperature on. */
const FITTED = 500;

/** `arcwise-bench calibration ...`: measures the calibration of arc marginals. */
export const calibrationCommand: CommandFactory = (io) =>
  withOutputs(
    new Command("calibration")
      .description("compare arc marginals of a first-order model with observed frequencies on a test split")
      .option("--treebank <dir>", "a folder with files *train.conllu, *dev.conllu, *test.conllu", SAMPLE)
      .option("--model <file>", "a first-order model, instead of one trained on the training split")
      .addOption(
        new Option(
          "--decoder <name>",
          "whose marginals over which trees; that of the model unless said otherwise",
        ).choices(SUMMING),
      )
      .addOption(learnerOption("one").default("mira"))
      .addOption(epochsOption(10, "passes over the training split"))
      .addOption(seedOption("decides the order of sentences")),
  ).action((options: CalibrationArguments) => calibration(io, options));

async function calibration(io: Io, options: CalibrationArguments): Promise<void> {
  const { treebank, seed } = options;
  checkTreebanks([treebank], options.model === undefined ? ["train", "dev", "test"] : ["dev", "test"]);
  const model = await modelOf(io, options);
  const { description } = model;
  if (description.order !== 1) {
    throw new UsageError(`expected a first-order model, got one of order ${description.order}`);
  }
  const probabilist = probabilistOf(model, options.decoder ?? description.decoder);
  status(io, "fitting the temperature on the dev split");
  const temperature = fitTemperature(probabilist, readSplit(treebank, "dev").slice(0, FITTED));
  status(io, "marginals of the test split");
  const test = readSplit(treebank, "test");
  const results = [1, temperature].map((one) => calibrate(probabilist, test, one));
  clearStatus(io);
  await publish(io, options, {
    title: `Calibration of arc marginals: ${treebankName(treebank)}`,
    sections: calibrationSections(treebankName(treebank), model, results),
    seed,
    results,
  });
}

async function modelOf(io: Io, options: CalibrationArguments): Promise<ParserModel> {
  if (options.model !== undefined) return readModel(options.model);
  const { learner, epochs, seed, decoder = "mst" } = options;
  const examples: TrainingExample[] = readSplit(options.treebank, "train");
  return trainParser(examples, {
    order: 1,
    decoder: trainingDecoder(decoder),
    learner,
    epochs,
    seed,
    onProgress: ({ stage, epoch, epochs: all, epochDone }) => {
      if (epochDone) status(io, `training: ${STAGES[stage]} ${epoch}/${all}`);
    },
  });
}

function probabilistOf(model: ParserModel, name: string): Probabilist {
  const [entry] = decodersNamed([name]);
  return { parser: createParser(model), decoder: requireCapability(entry!.make(), "marginals") };
}
