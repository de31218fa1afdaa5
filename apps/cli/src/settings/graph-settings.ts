import { checkGraphTrainOptions, GRAPH_PRESETS, type GraphTrainOptions } from "@arcwise/parser";
import type { Command } from "commander";
import { graphDecoderChoice, learnerChoice, moduleFiles } from "../command/decoder.ts";
import { UsageError } from "../command/errors.ts";
import { given, type PlannedFile } from "../files/file-plan.ts";
import { joinSettings, settingsFile, settingsFiles } from "./document.ts";
import { addFlags, flagValues, settingsOption } from "./flags.ts";
import { GRAPH_TABLE, type GraphDocument } from "./tables.ts";
import { vectorFile, type WordVectorFile } from "./vector-file.ts";

/** The settings of a training of graphs, checked. */
export interface GraphTrainingSettings {
  /** The settings that a file and flags gave. */
  readonly document: GraphDocument;
  /** The same settings, with modules loaded. */
  readonly options: GraphTrainOptions;
  /** The file of word vectors, if there is one. */
  readonly vectors: WordVectorFile | undefined;
  /** All settings as the text of a file. */
  readonly file: string;
  /** The files that settings name, and the files of settings themselves. */
  readonly files: readonly PlannedFile[];
}

/** Declares the flags of the settings of `arcwise graph train`. */
export function addGraphFlags<C extends Command>(command: C): C {
  return addFlags(command, GRAPH_TABLE, GRAPH_PRESETS).addOption(settingsOption());
}

/**
 * Reads and checks the settings of a command line.
 *
 * @throws UsageError when they do not fit together, DataError when a file is not readable
 * @throws ArcwiseError `unknown-option` or `invalid-option` that names the file of settings and the field
 */
export async function graphTrainingSettings(command: Command): Promise<GraphTrainingSettings> {
  const sources = command.getOptionValue("settings") as readonly string[] | undefined;
  const document = await joinSettings<GraphDocument>(GRAPH_TABLE, sources, flagValues(command, GRAPH_TABLE));
  const { preset, decoder: name, learner: learnerName, vectors: named, ...others } = document;
  const decoder = name === undefined ? undefined : await graphDecoderChoice(name);
  const learner = learnerName === undefined ? undefined : await learnerChoice(learnerName, "learner");
  const options: GraphTrainOptions = { ...others, preset, decoder, learner };
  const complete = checked(options, command.getOptionValue("trees") !== undefined);
  const decoderName = typeof complete.decoder === "string" ? complete.decoder : name;
  const names = { decoder: decoderName, learner: learnerName };
  const file = settingsFile(GRAPH_TABLE, {
    ...complete,
    network: complete.network || undefined,
    preset,
    vectors: named,
    ...names,
  });
  const vectors = vectorFile(named, complete, "network.units=128");
  const files = [
    ...settingsFiles(sources),
    ...moduleFiles(document),
    ...given({ "the word vectors": vectors?.file }),
  ];
  return { document, options, vectors, file, files };
}

/** @throws UsageError when settings do not fit together */
function checked(options: GraphTrainOptions, hasTrees: boolean) {
  try {
    return checkGraphTrainOptions(options, hasTrees);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
