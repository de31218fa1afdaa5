import { type GraphExample, saveGraphParser, trainGraphParser } from "@arcwise/parser";
import type { Command } from "commander";
import { type EncoderArguments, encoderFiles, trainingEncoder } from "../analysis/encoders.ts";
import { type GraphCompanions, graphInputs, OWN_TREES } from "../analysis/graph-companions.ts";
import { type GraphFormat, graphFormat } from "../analysis/graph-files.ts";
import { graphOf, inSentence, readGraphSentences } from "../analysis/graph-sentences.ts";
import { openPlace } from "../cluster/places.ts";
import { DataError, UsageError } from "../command/errors.ts";
import { given, type PlannedFile, STANDARD_OUTPUT } from "../files/file-plan.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { writeOutput } from "../files/output.ts";
import { requireSome } from "../files/sentences.ts";
import { type GraphTrainingSettings, graphTrainingSettings } from "../settings/graph-settings.ts";
import { checkInterrupt } from "../threads/interruption.ts";
import { count } from "./training-data.ts";
import { trainingDisplay } from "./training-display.ts";
import { loadCheckpoint, planTraining, trainInto, warn } from "./training-run.ts";
import { withWordVectors } from "./vectors.ts";

/** The flags of `arcwise graph train` besides the flags of settings. */
export interface GraphTrainArguments extends EncoderArguments {
  readonly train: string;
  readonly dev?: string | undefined;
  readonly model: string;
  readonly format?: GraphFormat | undefined;
  /** `columns`, or a file. */
  readonly trees?: string | undefined;
  readonly devTrees?: string | undefined;
  readonly words?: string | undefined;
  readonly devWords?: string | undefined;
  readonly threads: number;
  readonly resume?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly printSettings?: boolean | undefined;
}

/** Runs `arcwise graph train`. */
export async function trainGraphs(io: Io, options: GraphTrainArguments, command: Command): Promise<void> {
  const { model, threads } = options;
  const settings = await graphTrainingSettings(command);
  if (options.printSettings) {
    return writeOutput(io, STANDARD_OUTPUT, settings.file);
  }
  const format = checkFlags(options, settings);
  const inputs = [...inputsOf(options), ...settings.files, ...(await encoderFiles(options))];
  const outputs = await planTraining(io, model, inputs);
  const resume = await loadCheckpoint(io, options);
  const shown = trainingDisplay(io, options);
  const read = (path: string, companions: GraphCompanions) => readExamples(io, path, format, companions);
  const { trees, words, devWords } = options;
  const devTrees = trees === OWN_TREES ? OWN_TREES : options.devTrees;
  const examples = await read(options.train, { trees, words });
  const dev =
    options.dev === undefined ? undefined : await read(options.dev, { trees: devTrees, words: devWords });
  shown.line(`training on ${count(examples)}${dev === undefined ? "" : `, measuring on ${count(dev)}`}`);
  const sentences = examples.map(({ sentence }) => sentence);
  const trainOptions = await withWordVectors(io, settings.options, settings.vectors, sentences);
  await trainInto(io, outputs, shown, async (onCheckpointPieces) => {
    const encoder = await trainingEncoder(io, options);
    const place = await openPlace(io, {}, threads);
    const trained = await trainGraphParser(examples, {
      ...trainOptions,
      encoder,
      graphs: format === "sdp" ? "semantic" : "enhanced",
      place,
      dev,
      resume,
      onCheckpointPieces,
      onProgress: (at) => shown.show(at),
      onWarning: ({ message }) => warn(io, options.train, message),
      signal: io.signal,
    })
      .finally(async () => {
        await encoder?.close?.();
        await place.close();
      })
      .catch((error: unknown) => {
        // Errors not caused by one sentence concern the file or an option.
        throw error instanceof RangeError ? new DataError(error.message, { cause: error }) : error;
      });
    return saveGraphParser(trained);
  });
}

/** Returns the format of the files. @throws UsageError when options do not fit together */
function checkFlags(options: GraphTrainArguments, { document }: GraphTrainingSettings): GraphFormat {
  const { train: file, dev, model, trees, devTrees, words, devWords } = options;
  if (model === "-") throw new UsageError("--model must be a file: its checkpoint is kept next to it");
  const format = options.format ?? graphFormat(dev === undefined ? [file] : [file, dev]);
  if (trees === OWN_TREES && format === "sdp")
    throw new UsageError("SDP files have no trees: give --trees a CoNLL-U file");
  const isOther = trees !== undefined && trees !== OWN_TREES;
  if (isOther && dev !== undefined && devTrees === undefined)
    throw new UsageError("--trees also requires --dev-trees: the trees of the --dev file");
  if (devTrees !== undefined && !(isOther && dev !== undefined))
    throw new UsageError("--dev-trees requires --dev, and --trees with the name of a file");
  if (words !== undefined && dev !== undefined && devWords === undefined)
    throw new UsageError("--words also requires --dev-words: the words of the --dev file");
  if (devWords !== undefined && (words === undefined || dev === undefined))
    throw new UsageError("--dev-words requires --dev and --words");
  if (document.rules && (trees === undefined || format === "sdp"))
    throw new UsageError(
      "--rules requires CoNLL-U files and --trees: enhanced dependencies follow from trees",
    );
  return format;
}

function inputsOf({ train, dev, ...companions }: GraphTrainArguments): PlannedFile[] {
  return given({
    "--train": train,
    "--dev": dev,
    "--trees": companions.trees === OWN_TREES ? undefined : companions.trees,
    "--dev-trees": companions.devTrees,
    "--words": companions.words,
    "--dev-words": companions.devWords,
  });
}

async function readExamples(
  io: Io,
  path: string,
  format: GraphFormat,
  companions: GraphCompanions,
): Promise<GraphExample[]> {
  const file = displayName(path);
  const inputOf = graphInputs(io, file, companions);
  const examples: GraphExample[] = [];
  for await (const sentence of readGraphSentences(readBytes(io, path), format, file)) {
    checkInterrupt(io);
    const { words, syntax } = await inputOf(sentence);
    examples.push({ sentence: words, graph: inSentence(sentence, file, () => graphOf(sentence)), syntax });
  }
  requireSome(examples, path, "to learn from");
  return examples;
}
