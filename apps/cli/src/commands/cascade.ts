import { type LearnedCascade, learnCascade, type PipelinePart } from "@arcwise/pipeline";
import { Command } from "commander";
import { fileInput, lengthOf } from "../analysis/inputs.ts";
import { modelFile } from "../analysis/model-names.ts";
import { openPair, readModel, unlike } from "../analysis/open-files.ts";
import {
  type CommandFactory,
  type EncoderArguments,
  firstOption,
  forceThreadsOption,
  rate,
  required,
  type ThreadArguments,
  threadsOption,
  threadsToUse,
  withEncoderOption,
} from "../command/options.ts";
import { Interrupted } from "../errors.ts";
import { columnsOf, type Table } from "../evaluation/error-tables.ts";
import { formatTables } from "../evaluation/table-formats.ts";
import { encoderFiles, given, planFiles } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { jsonText, printOutput } from "../files/output.ts";
import { evaluatedSentences, inSource } from "../files/sentences.ts";

interface CascadeArguments extends EncoderArguments, ThreadArguments {
  readonly first?: string;
  readonly maxLoss: number;
  readonly json?: boolean;
}

/** `arcwise cascade MODEL DEV --first MODEL [--encoder FOLDER]` */
export const cascadeCommand: CommandFactory = (io) => {
  const command = new Command("cascade")
    .description("learn the confidence of parse --first on a development set: error against speed")
    .argument("<model>", "the model that reads sentences of which the first one is not confident")
    .argument("<dev>", "a development set, CoNLL-U: neither model has learned from it")
    .addOption(firstOption())
    .option("--max-loss <points>", "points of LAS that may be lost, compared with MODEL alone", rate, 0.1)
    .addOption(threadsOption("parse on n threads, at most one per core"))
    .addOption(forceThreadsOption())
    .option("--json", "print all thresholds as JSON");
  return required(withEncoderOption(command), "--first <model>").action(
    (model: string, dev: string, options: CascadeArguments) => learn(io, model, dev, options),
  );
};

/** The parts that read given words. A model of tagged words has no tagger. */
const PARTS: readonly PipelinePart[] = ["tagger", "parser"];

async function learn(io: Io, name: string, dev: string, options: CascadeArguments): Promise<void> {
  const { encoder, maxLoss, json = false } = options;
  const [model, first] = [await modelFile(name), await modelFile(options.first!)];
  const files = given({ "the model": model, "--first": first, "the development set": dev });
  await planFiles(io, { inputs: [...files, ...(await encoderFiles(options))], outputs: {} });
  const threads = threadsToUse(io, options, await lengthOf([fileInput(io, dev)]));
  const sentences = await evaluatedSentences(io, dev);
  const { bytes, owned } = await readModel(model);
  const parts = PARTS.filter((part) => part === "parser" || owned.includes(part));
  const [quick, slow] = [
    { model: first, parts },
    { model, bytes, parts },
  ];
  const pair = await openPair(io, quick, slow, { threads, encoder });
  try {
    const { signal } = io;
    const learned = await learnCascade(pair.first, pair.second, sentences, { maxLoss, signal });
    await printOutput(io, json ? jsonText(learned) : curve(learned, displayName(name)));
  } catch (error) {
    if (io.signal.aborted) throw new Interrupted("stopped");
    throw unlike(inSource(error, displayName(dev)), first, model);
  } finally {
    await pair.close();
  }
}

/** Confidences with a row of the table, in hundredths; few sentences have lower ones. */
const ROWS = new Set([0, 50, 60, 70, 75, 80, 85, 90, 95, 100]);

/** Returns a table of error against speed, and the option to parse with. */
function curve({ minConfidence, points, second }: LearnedCascade, model: string): string {
  const shown = points.filter((point, k) => ROWS.has(k) || point.minConfidence === minConfidence);
  const rows = shown.map((point) => row(point.minConfidence.toFixed(2), point));
  const table: Table = {
    title: `Sentences with a lower confidence are read by ${model}`,
    columns: columnsOf([], ["Confidence", "Words read again %", "UAS", "LAS", "Words/s"]),
    rows: [...rows, row("alone", { ...second, asked: 100 })],
  };
  const chosen = points.find((point) => point.minConfidence === minConfidence)!;
  const gain = chosen.las - second.las;
  const change = `${gain > 0 ? "+" : ""}${gain.toFixed(2)}`;
  const speed = chosen.wordsPerSecond / second.wordsPerSecond;
  let verdict = "";
  if (speed <= 1 && gain <= 0)
    verdict = `; ${model} alone is as fast and as good here: --first is not needed`;
  else if (minConfidence === 0 && gain >= 0)
    verdict = `; --first alone is ${gain > 0 ? "better" : "as good"} here: ${model} is not needed`;
  const compared = `LAS ${change} and ${speed.toFixed(1)} times the speed, compared with ${model} alone${verdict}`;
  return `${formatTables([table], "text")}\n--min-confidence ${minConfidence}: ${compared}\n`;
}

function row(confidence: string, point: LearnedCascade["second"] & { readonly asked: number }): string[] {
  const { asked, uas, las, wordsPerSecond } = point;
  return [confidence, asked.toFixed(1), uas.toFixed(2), las.toFixed(2), wordsPerSecond.toFixed(0)];
}
