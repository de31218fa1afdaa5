import { availableParallelism } from "node:os";
import { readFileAs } from "@arcwise/core/node";
import { type TrainingProgress, TrainingReporter } from "@arcwise/core/training";
import { saveGraphParser, trainGraphParser } from "@arcwise/graph-parser";
import {
  saveParser,
  type TrainingExample,
  type TrainOptions,
  trainingWork,
  trainParser,
} from "@arcwise/parser";
import type { PipelineModel } from "@arcwise/pipeline";
import { taggingWork } from "@arcwise/sequence";
import { Command, Option } from "commander";
import { trainingEncoder } from "../analysis/encoders.ts";
import { openPlace, processOf } from "../cluster/places.ts";
import {
  type CommandFactory,
  integer,
  refuse,
  requiredUnless,
  type ShortHelp,
  withQueueOption,
  withShortHelp,
  withStoreOption,
  withTrainingEncoder,
} from "../command/options.ts";
import { DataError, UsageError } from "../errors.ts";
import { encoderFiles, given } from "../files/file-plan.ts";
import type { Io } from "../files/io.ts";
import { printOutput } from "../files/output.ts";
import {
  addTrainFlags,
  completeSettings,
  type GraphTrainingSettings,
  graphTrainingSettings,
  isOfGraphs,
  type TrainingSettings,
  trainingSettings,
} from "../settings/train-settings.ts";
import { readGraphData } from "../training/graph-training.ts";
import { trainText } from "../training/text-training.ts";
import { count, jackknifed, namesOf, readTreebank, readTreebanks } from "../training/training-data.ts";
import { type TrainingDisplay, trainingDisplay, verboseOption } from "../training/training-display.ts";
import {
  announceCheckpoint,
  type CommandArguments,
  planTraining,
  type Training,
  trainInto,
  warn,
} from "../training/training-run.ts";
import { withWordVectors } from "../training/vectors.ts";

/** `arcwise train --train F [--dev F] --model OUT ...` */
export const trainCommand: CommandFactory = (io) => {
  const command = new Command("train")
    .description(
      "train a pipeline from raw text to trees on a treebank; or a parser alone, --for tagged, or of graphs, --for graphs",
    )
    .option("--train <file...>", "the treebanks to learn from, CoNLL-U; graphs are also read from SDP files")
    .option(
      "--silver <file...>",
      "sentences that a parser annotated, CoNLL-U, to learn from as well; the tokeniser does not",
    )
    .option(
      "--lexicon <file>",
      "words with lemmas, tags and features, CoNLL-U without trees, whose lemmas are learned as well",
    )
    .option("--dev <file...>", "development sets to evaluate on, CoNLL-U: of each treebank in turn")
    .option("--model <file>", "the model file to write")
    .option(
      "--continue <model>",
      "begin with the weights and settings of a model, a file or an installed one: for corrected sentences",
    )
    .addOption(
      new Option(
        "--for <input>",
        "text: a tokeniser, a tagger and a parser in one file; tagged: a parser alone, for tagged words; graphs: a parser of " +
          "semantic graphs (SDP) or of enhanced dependencies (DEPS of CoNLL-U)",
      )
        .choices(["text", "tagged", "graphs"])
        .default("text"),
    );
  withStoreOption(withQueueOption(withTrainingEncoder(addTrainFlags(command)), PROCESSES))
    .option("--print-settings", "write all settings of the training as JSON to the standard output, and end")
    .addOption(
      new Option(
        "--threads <n>",
        "train on n threads: tokeniser and taggers, the network in parallel with all else, shards; the model is the same",
      )
        .argParser(integer(1, 1024))
        .default(undefined, "one per core, at most one per independent step"),
    )
    .option("--resume", "continue a training that was interrupted, from MODEL.checkpoint")
    .addOption(verboseOption());
  withShortHelp(command, { ...SHORT_HELP, after: AFTER_HELP });
  return requiredUnless("printSettings", command, "--train <file...>", "--model <file>").action(
    (options: CommandArguments) => train(io, options, command),
  );
};

const SHORT_HELP: ShortHelp = {
  options: {
    "--train": "the treebank to learn from, CoNLL-U (required)",
    "--silver": "sentences that a better parser annotated, to learn from as well",
    "--dev": "a treebank that chooses among epochs, and is measured",
    "--model": "the model file to write (required)",
    "--continue": "a model to begin with: learns from corrected sentences",
    "--for": "text (the default), tagged: words with tags, or graphs",
    "--preset": "linear, fast, balanced (the default) or accurate",
    "--vectors": "word vectors in the text format of word2vec",
    "--encoder": "a folder of a pretrained encoder, such as an ONNX model",
    "--decoder": "how the best tree is found, such as mst or eisner",
    "--settings": "a JSON file, or one setting: parser.network.units=128",
    "--seed": "the same seed gives the same model (1)",
    "--threads": "threads (one per core); the model is the same",
    "--resume": "continue an interrupted training from MODEL.checkpoint",
  },
  examples: [
    ["arcwise train --train train.conllu --dev dev.conllu --model my.model", ""],
    ["arcwise train --train train.conllu --model my.model --preset fast", ""],
    ["arcwise train --for tagged --train train.conllu --model tagged.model", ""],
    ["arcwise train --for graphs --train train.sdp --model graphs.model", ""],
    ["arcwise train --continue english --train corrected.conllu --model mine.model", ""],
  ],
};

const AFTER_HELP =
  "\nAfter each step of a pipeline, and each epoch of the parser, the state is written to the folder " +
  "MODEL.checkpoint,\nwhich is removed at the end. Ctrl-C keeps it; the same command with --resume " +
  "continues from it, to the same\nmodel as without the interruption. Sentences of the files of the settings trees and words " +
  "of --for graphs are matched\nby their IDs where both files have them; others are skipped.";

const PROCESSES = "; or K/N, such as 0/4, for process K of N that run this command: see arcwise plan";

async function train(io: Io, options: CommandArguments, command: Command): Promise<void> {
  if (options.for === "graphs")
    refuse(
      options,
      ["silver", "lexicon", "continue", "order"],
      "is for parsers of trees, found --for graphs",
    );
  const continued = options.continue === undefined ? undefined : await readModel(options);
  const settings =
    options.for === "graphs"
      ? await graphTrainingSettings(command)
      : await trainingSettings(command, undefined, continued?.model.parser);
  checkTogether(options, settings);
  if (options.printSettings) return printOutput(io, completeSettings(settings, options.for));
  const { train: treebanks, silver, lexicon, dev, model } = options;
  const files = { "--train": treebanks, "--silver": silver, "--lexicon": lexicon, "--dev": dev };
  const inputs = [
    ...given({ ...files, "--continue": continued?.file }),
    ...settings.files,
    ...(await encoderFiles(options)),
  ];
  const outputs = await planTraining(io, model, inputs);
  const threads = options.threads ?? usefulThreads(options, settings);
  // Several processes have one store, but cannot have one checkpoint.
  const isOneOfSeveral = processOf(options) !== undefined;
  const { resume, for: purpose } = options;
  if (!isOneOfSeveral) await announceCheckpoint(io, outputs.checkpoint, { resume, purpose });
  const encoder = await trainingEncoder(io, options, continued);
  const place = await openPlace(io, options, threads);
  try {
    await trainWith(io, options, {
      ...{ settings, place, encoder },
      outputs: isOneOfSeveral ? { model: outputs.model } : outputs,
      continued: continued?.model,
    });
  } finally {
    await encoder?.close?.();
    await place.close();
  }
}

async function readModel({
  continue: name = "",
}: CommandArguments): Promise<{ readonly file: string; readonly model: PipelineModel }> {
  const { modelFile } = await import("../analysis/model-names.ts");
  const { loadPipeline, modelParts } = await import("@arcwise/pipeline");
  const file = await modelFile(name);
  const model = await readFileAs(file, (bytes) => {
    modelParts(bytes, ["parser"]);
    return loadPipeline(bytes);
  });
  return { file, model };
}

async function trainWith(io: Io, options: CommandArguments, training: Training): Promise<void> {
  const { settings, place } = training;
  if (isOfGraphs(settings)) return trainGraphs(io, options, training, settings);
  if (options.for === "text") return trainText(io, { ...options, ...training, settings });
  const learned = [...options.train, ...(options.silver ?? [])];
  const gold = await readTreebanks(io, learned, settings);
  const shown = trainingDisplay(io, options);
  const { jackknife = 0, seed } = settings.document;
  const onProgress = (at: TrainingProgress) => shown.show(at);
  const reporter = new TrainingReporter<"jackknife" | "parser">(workOf(gold, settings), onProgress);
  const examples = await jackknifed(io, gold, {
    jackknife,
    seed,
    place,
    train: namesOf(learned),
    onProgress: (at) => reporter.report("jackknife", at, at.trainingShare),
  });
  shown.stop();
  const dev = options.dev && (await Promise.all(options.dev.map((path) => readTreebank(io, path)))).flat();
  const words = gold.map(({ sentence }) => sentence);
  const parser = await withWordVectors(io, settings.parser, settings.vectors, words);
  const onStep = (at: TrainingProgress) => reporter.report("parser", at, at.trainingShare);
  await trainAlone(io, training, { shown, files: learned, examples, dev, onProgress: onStep }, async (run) =>
    saveParser(await trainParser(examples, { ...parser, ...run, dev })),
  );
}

async function trainGraphs(
  io: Io,
  options: CommandArguments,
  training: Training,
  { document, parser, vectors }: GraphTrainingSettings,
): Promise<void> {
  const { examples, dev, graphs } = await readGraphData(io, options, document);
  const shown = trainingDisplay(io, options);
  const words = examples.map(({ sentence }) => sentence);
  const own = await withWordVectors(io, parser, vectors, words);
  const onProgress = (at: TrainingProgress) => shown.show(at);
  await trainAlone(io, training, { shown, files: options.train, examples, dev, onProgress }, async (run) => {
    const model = await trainGraphParser(examples, { ...own, ...run, dev, graphs }).catch(
      (error: unknown) => {
        // Errors not caused by one sentence concern the file or an option.
        throw error instanceof RangeError ? new DataError(error.message, { cause: error }) : error;
      },
    );
    return saveGraphParser(model);
  });
}

interface ParserData extends Pick<TrainOptions, "onProgress"> {
  readonly shown: TrainingDisplay;
  /** The files of the examples. */
  readonly files: readonly string[];
  readonly examples: Parameters<typeof count>[0];
  readonly dev: Parameters<typeof count>[0] | undefined;
}

/** How a parser of trees or graphs is trained. */
type Run = Pick<TrainOptions, "checkpoint" | "place" | "encoder" | "signal" | "onProgress" | "onWarning">;

/** Trains a parser alone. @param train returns the bytes of the model */
function trainAlone(
  io: Io,
  { outputs, place, encoder }: Training,
  { shown, files, examples, dev, onProgress }: ParserData,
  train: (run: Run) => Promise<Uint8Array>,
): Promise<void> {
  shown.line(`training on ${count(examples)}${dev === undefined ? "" : `, measuring on ${count(dev)}`}`);
  const onWarning: Run["onWarning"] = ({ message }) => warn(io, namesOf(files), message);
  return trainInto(io, outputs, shown, (checkpoint) =>
    train({ checkpoint, place, encoder, onProgress, onWarning, signal: io.signal }),
  );
}

function checkTogether(options: CommandArguments, settings: Training["settings"]): void {
  if (options.model === "-")
    throw new UsageError("--model must be a file: its checkpoint is kept next to it");
  const { train = [], silver = [], dev = [] } = options;
  if ([...train, ...silver, ...dev].filter((file) => file === "-").length > 1)
    throw new UsageError("only one of the treebanks can be the standard input");
  const checkCount = (
    name: string,
    values: unknown,
    flags: readonly (readonly [string, object[] | readonly string[]])[],
  ) => {
    const given = flags.filter(([, files]) => files.length > 0);
    const count = given.reduce((sum, [, files]) => sum + files.length, 0);
    if (!Array.isArray(values) || options.printSettings || values.length === count) return;
    const names = given.map(([flag]) => flag).join(" and ");
    throw new UsageError(
      `the setting ${name}: expected ${count}, one for each treebank of ${names}, got ${values.length}`,
    );
  };
  if (isOfGraphs(settings)) {
    for (const name of ["trees", "words"] as const)
      checkCount(name, settings.document[name], [
        ["--train", train],
        ["--dev", dev],
      ]);
    return;
  }
  const { document } = settings;
  checkCount("weights", document.weights, [
    ["--train", train],
    ["--silver", silver],
  ]);
  if (options.for === "tagged" && document.graphs !== undefined) {
    throw new UsageError(
      "the setting graphs requires --for text; parse finds graphs by their own model as well",
    );
  }
  if (options.lexicon && (options.for === "tagged" || options.continue !== undefined))
    throw new UsageError("--lexicon requires the training of a tagger: --for text without --continue");
  if (options.for === "tagged" && document.tokenizer) {
    throw new UsageError("settings of a tokeniser require --for text; --for tagged trains a parser alone");
  }
}

/** Returns the estimated work of taggers of parts and of the parser. */
function workOf(gold: readonly TrainingExample[], { document, parser }: TrainingSettings) {
  const sentences = gold.map(({ sentence }) => sentence);
  const { jackknife = 0 } = document;
  const tagging = taggingWork(sentences, { epochs: JACKKNIFE_EPOCHS });
  const words = sentences.reduce((sum, { length }) => sum + length, 0);
  return { jackknife: Math.max(0, jackknife - 1) * tagging, parser: trainingWork(words, parser) };
}

/** Epochs of the taggers of parts. */
const JACKKNIFE_EPOCHS = 5;

/** Returns the number of threads that there is work for, one per core at most. */
function usefulThreads(options: CommandArguments, settings: Training["settings"]): number {
  const { network, terms } = settings.plain;
  // Graphs have a pruner for each part.
  const jackknife = isOfGraphs(settings)
    ? terms.includes("features")
      ? PARTS
      : 0
    : settings.document.jackknife;
  if (options.continue !== undefined && network !== false)
    return Math.min(availableParallelism(), network.members);
  const parserThreads = network === false ? 1 : 1 + network.members;
  // In addition to the taggers of parts, a pipeline has a tokeniser and a tagger of its own.
  const taggerThreads = options.for === "text" ? (jackknife ?? PARTS) + 2 : Math.max(1, jackknife ?? 0);
  return Math.min(availableParallelism(), Math.max(taggerThreads, parserThreads));
}

/** Parts that a treebank is cut into by default: a parser learns from the tags or candidates that the other parts give. */
const PARTS = 5;
