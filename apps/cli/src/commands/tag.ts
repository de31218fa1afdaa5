import { sentenceWords } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
import { type Complete, checkOptions } from "@arcwise/core/options";
import { modelFile } from "@arcwise/pipeline/node";
import {
  type Gazetteer,
  saveTagger,
  TAGGER_COLUMNS,
  type TaggerColumn,
  type TaggerModel,
  trainTagger,
} from "@arcwise/sequence";
import { Command } from "commander";
import { analyseSentences } from "../analysis/analyse-sentences.ts";
import { fileInput } from "../analysis/inputs.ts";
import { openFiles } from "../analysis/open-files.ts";
import { sentenceWriter } from "../analysis/output-format.ts";
import { type CommandFactory, required, requiredUnless } from "../command/options.ts";
import { DataError, Interrupted, UsageError } from "../errors.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { printOutput, replaceOutput } from "../files/output.ts";
import { joinSettings, settingsFile, settingsFiles } from "../settings/document.ts";
import { addFlags, flagValues, settingsOption } from "../settings/flags.ts";
import { TAGGER_TABLE } from "../settings/tables.ts";
import { readExamples } from "../training/training-data.ts";
import { trainingDisplay, verboseOption } from "../training/training-display.ts";
import { warn, writtenLine } from "../training/training-run.ts";
import { linesOf } from "../training/vectors.ts";

interface TrainArguments {
  readonly train: string;
  readonly dev?: string | undefined;
  readonly model: string;
  readonly gazetteer?: readonly string[] | undefined;
  readonly settings?: readonly string[] | undefined;
  readonly printSettings?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

interface RunArguments {
  readonly model: string;
  readonly output: string;
}

/** `arcwise tag train|run ...` */
export const tagCommand: CommandFactory = (io) =>
  new Command("tag")
    .description("train a tagger, or tag sentences with one")
    .addCommand(trainTagCommand(io))
    .addCommand(runTagCommand(io));

function trainTagCommand(io: Io): Command {
  const command = new Command("train")
    .description("train a tagger on a treebank")
    .option("--train <file>", "the treebank to learn from, CoNLL-U")
    .option("--dev <file>", "a treebank to measure each column on, CoNLL-U")
    .option("--model <file>", "the tagger file to write")
    .option(
      "--gazetteer <file...>",
      "lists of names to look words up in: one name per line, up to eight files",
    );
  addFlags(command, { table: TAGGER_TABLE, presets: {} })
    .addOption(settingsOption())
    .option("--print-settings", "write all settings of the training as JSON to the standard output, and end")
    .addOption(verboseOption());
  return requiredUnless("printSettings", command, "--train <file>", "--model <file>").action(
    (options: TrainArguments) => train(io, options, command),
  );
}

function runTagCommand(io: Io): Command {
  const command = new Command("run")
    .description("tag sentences: replaces the tagger's columns of a CoNLL-U file and keeps everything else")
    .argument("[input]", "the file to tag, CoNLL-U", "-")
    .option("--model <file>", "the tagger file, as tag train writes it")
    .option("-o, --output <file>", "the file to write", "-");
  return required(command, "--model <file>").action((input: string, options: RunArguments) =>
    runTagger(io, input, options),
  );
}

async function train(io: Io, options: TrainArguments, command: Command): Promise<void> {
  const flags = flagValues(command, TAGGER_TABLE);
  const settings = await joinSettings<Complete<typeof TAGGER_TABLE>>(TAGGER_TABLE, options.settings, flags);
  if (options.printSettings) {
    return printOutput(io, settingsFile(TAGGER_TABLE, checkOptions(TAGGER_TABLE, settings, "settings")));
  }
  if (options.model === "-") throw new UsageError("--model must be a file");
  const files = { "--train": options.train, "--dev": options.dev, "--gazetteer": options.gazetteer };
  const planned = await planFiles(io, {
    inputs: [...given(files), ...settingsFiles(options.settings)],
    outputs: { "--model": options.model },
  });
  const sentences = await readExamples(io, options.train, sentenceWords);
  checkColumns(sentences, options.train, settings.columns);
  const dev = options.dev === undefined ? undefined : await readExamples(io, options.dev, sentenceWords);
  const gazetteers: Gazetteer[] = [];
  for (const path of options.gazetteer ?? []) gazetteers.push({ names: await readNames(io, path) });
  const shown = trainingDisplay(io, options);
  const start = performance.now();
  let model: TaggerModel;
  try {
    model = await trainTagger(sentences, {
      ...settings,
      dev,
      gazetteers,
      onProgress: (at) => shown.show(at),
      onWarning: ({ message }) => warn(io, options.train, message),
      signal: io.signal,
    });
  } catch (error) {
    throw io.signal.aborted ? new Interrupted("stopped: nothing is kept") : error;
  } finally {
    shown.stop();
  }
  await replaceOutput(planned["--model"], saveTagger(model));
  shown.line(await writtenLine(options.model, start));
}

function checkColumns(
  sentences: readonly Sentence[],
  file: string,
  columns: readonly TaggerColumn[] = TAGGER_COLUMNS,
): void {
  const has = (name: TaggerColumn) =>
    sentences.some((words) => words.some((word) => (word[name] ?? "") !== ""));
  if (!columns.some(has)) {
    throw new DataError(`${displayName(file)}: expected ${columns.join(", ")} to learn from, found only _`);
  }
}

async function readNames(io: Io, path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const line of linesOf(io, path)) if (line.trim() !== "") names.push(line.trim());
  if (names.length === 0)
    throw new DataError(`${displayName(path)}: expected a name on each line, found none`);
  return names;
}

async function runTagger(io: Io, input: string, options: RunArguments): Promise<void> {
  const { output } = options;
  const model = await modelFile(options.model);
  const files = [...given({ "--model": model }), { role: "the input", path: input, isReplaceable: true }];
  const planned = await planFiles(io, { inputs: files, outputs: { "--output": output } });
  const open = await openFiles(io, { model, parts: ["tagger"] }, 1);
  await analyseSentences(io, {
    input: { inputs: [fileInput(io, input)], format: "conllu" },
    output: planned["--output"],
    writer: await sentenceWriter("conllu", { hasColour: false }),
    open,
    settings: {},
    fit: { option: "another model", strict: false },
  });
}
