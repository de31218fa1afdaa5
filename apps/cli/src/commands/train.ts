import { availableParallelism } from "node:os";
import { firstContainer, readContainerHeader } from "@arcwise/core/container";
import { trainParser } from "@arcwise/parser";
import { type ThreadedTrainOptions, trainParserOnThreads, writeParserFile } from "@arcwise/parser/node";
import { Option } from "commander";
import { decoderChoice } from "../decoder.ts";
import { UsageError } from "../errors.ts";
import { loadFeatures } from "../features.ts";
import { checkFiles, type FilePlan, given } from "../file-plan.ts";
import type { Io } from "../io.ts";
import { type CommandFactory, required } from "../options.ts";
import { printLine } from "../printable.ts";
import { progress } from "../progress.ts";
import { trainText } from "../text-training.ts";
import { threadsToUse } from "../threads.ts";
import { settingsOf, type TrainArguments, trainOptions } from "../train-settings.ts";
import { count, jackknifed, readTreebank, taggedTreebank } from "../training-data.ts";
import { showTraining } from "../training-progress.ts";
import { checkpointFile, loadCheckpoint, trainInto } from "../training-run.ts";
import { withWordVectors } from "../vectors.ts";

/** Options of the command, besides those of a training that others run, too. */
interface CommandArguments extends TrainArguments {
  readonly for: "text" | "tagged";
  readonly graphs?: string;
}

/** `arcwise train --train F [--dev F] --model OUT ...` */
export const trainCommand: CommandFactory = (io) => {
  const command = trainOptions()
    .addOption(
      new Option(
        "--for <input>",
        "text: a tokeniser, a tagger and a parser in one file; tagged: a parser alone, for tagged words",
      )
        .choices(["text", "tagged"])
        .default("text"),
    )
    .option(
      "--graphs <file>",
      "with --for text: keep this model of graph train in the file, which then fills in DEPS",
    );
  return required(command, "--train <file>", "--model <file>").action((options: CommandArguments) =>
    train(io, options),
  );
};

function filesOf(options: CommandArguments): FilePlan {
  const { train, dev, tagger, vectors, graphs, templates, global, model } = options;
  const module = typeof global === "string" ? global : undefined;
  const features = { "--templates": templates, "--global": module };
  const checkpoint = checkpointFile(model);
  return {
    checkpoint,
    inputs: given({
      "--train": train,
      "--dev": dev,
      "--tagger": tagger,
      "--vectors": vectors,
      "--graphs": graphs,
      ...features,
    }),
    outputs: given({ "--model": model, "the checkpoint of --model": checkpoint }),
  };
}

async function train(io: Io, options: CommandArguments): Promise<void> {
  if (options.model === "-") throw new UsageError("--model must be a file: its checkpoint is kept beside it");
  if (options.train === "-" && options.dev === "-") {
    throw new UsageError("only one of the two treebanks can be the standard input");
  }
  if (options.for === "text" && options.tagger !== undefined) {
    throw new UsageError(
      "--tagger is for a parser of tagged words: give --for tagged; --for text trains a tagger of its own",
    );
  }
  if (options.for === "tagged" && options.graphs !== undefined) {
    throw new UsageError("--graphs are for --for text: graph parse takes their model by itself");
  }
  const settings = settingsOf(
    options.for === "text" ? withoutThreads(options) : options,
    await decoderChoice(options.decoder, "training"),
    await loadFeatures(options),
  );
  await checkFiles(io, filesOf(options));
  const threads = threadsOf(io, options);
  const resume = await loadCheckpoint(io, options);
  if (resume !== undefined) checkKind(resume, options);
  if (options.for === "text") {
    const line = (text: string) => printLine(io, text);
    const training = { ...options, threads, parser: settings, resume };
    return trainText(io, { ...training, trainParser: parserTraining(threads, line) });
  }
  const gold = await readTreebank(io, options.train);
  const shown = progress(io);
  const examples = await jackknifed(io, shown, gold, { ...options, threads });
  const dev = options.dev === undefined ? undefined : await taggedTreebank(io, options.dev, options.tagger);
  shown.line(`training on ${count(examples)}${dev === undefined ? "" : `, measuring on ${count(dev)}`}`);
  const words = gold.map(({ sentence }) => sentence);
  const withVectors = await withWordVectors(io, settings, options, words);
  await trainInto(io, options.model, shown, async (onCheckpointPieces) => {
    const trainOptions: ThreadedTrainOptions = {
      ...withVectors,
      signal: io.signal,
      onProgress: (at) => showTraining(shown, at),
      onCheckpointPieces,
      dev,
      resume,
    };
    const model = await parserTraining(threads, shown.line)(examples, trainOptions);
    await writeParserFile(options.model, model);
  });
}

/** Returns the number of threads that were asked for, or as many as there are cores and work for. */
function threadsOf(io: Io, options: CommandArguments): number {
  const { threads, network, networkMembers: members = 1, jackknife } = options;
  if (threads !== undefined) return threadsToUse(io, { ...options, threads }, "training");
  const forParser = network === undefined ? 1 : 1 + members;
  // Beside the taggers of parts, a pipeline has a tokeniser and a tagger of its own.
  const forWords = options.for === "text" ? (jackknife ?? PARTS) + 2 : (jackknife ?? 1);
  return Math.min(availableParallelism(), Math.max(forWords, forParser));
}

/** Returns the options for which threads need no shards and no network: other steps use them, too. */
function withoutThreads({ threads: _, ...options }: CommandArguments): TrainArguments {
  return options;
}

/** Parts that a treebank is cut into by default, for the parser of a pipeline to learn from their tags. */
const PARTS = 5;

/** The values of `--for` by the kind of checkpoint that their trainings write. */
const TRAININGS: Readonly<Record<string, CommandArguments["for"]>> = {
  checkpoint: "tagged",
  "pipeline checkpoint": "text",
};

/** @throws UsageError when the checkpoint is that of a training with another `--for` */
function checkKind(state: Uint8Array, { for: wanted, model }: CommandArguments): void {
  const found = TRAININGS[kindOf(state) ?? ""];
  if (found === undefined || found === wanted) return;
  throw new UsageError(
    `${checkpointFile(model)} is of a training with --for ${found}, not --for ${wanted}: ` +
      `give --for ${found}, or remove the file`,
  );
}

/** Returns the kind of a file; undefined for other files, which those who load them refuse. */
function kindOf(bytes: Uint8Array): string | undefined {
  try {
    return readContainerHeader(firstContainer(bytes)).kind;
  } catch {
    return undefined;
  }
}

/** Returns `trainParser`, in this thread or on several. */
function parserTraining(threads: number, line: (text: string) => void): typeof trainParser {
  if (threads === 1) return trainParser;
  return (examples, options = {}) =>
    trainParserOnThreads(examples, {
      ...(options as ThreadedTrainOptions),
      threads,
      onLost: ({ shard, error }) =>
        line(`a thread ended early (${error.message}): shard ${shard + 1} starts again`),
    });
}
