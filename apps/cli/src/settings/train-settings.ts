import { ArcwiseError } from "@arcwise/core/errors";
import { checkOptions, type OptionTable } from "@arcwise/core/options";
import { checkGraphTrainOptions, GRAPH_PRESETS, type GraphTrainOptions } from "@arcwise/graph-parser";
import {
  checkTrainOptions,
  type DecoderChoice,
  type ParserModel,
  type PlainSettings,
  type TrainOptions,
} from "@arcwise/parser";
import { Command, CommanderError } from "commander";
import { decoderChoice, graphDecoderChoice, learnerChoice, moduleFiles } from "../command/decoder.ts";
import { loadFeatures } from "../command/features.ts";
import { UsageError } from "../errors.ts";
import { given, type PlannedFile } from "../files/file-plan.ts";
import { joinSettings, settingsFile, settingsFiles } from "./document.ts";
import { addFlags, flagValues, settingNote, settingsOption } from "./flags.ts";
import {
  GRAPH_TABLE,
  type GraphDocument,
  OWN_TREES,
  TRAIN_PRESETS,
  TRAIN_TABLE,
  type TrainDocument,
} from "./tables.ts";
import { vectorFile, type WordVectorFile } from "./vector-file.ts";

/** What `--for` trains: a pipeline for text, a parser of tagged words, or a parser of graphs. */
export type Purpose = "text" | "tagged" | "graphs";

/** Returns the decoder of a name. */
export type DecoderNames = (name: string) => DecoderChoice | Promise<DecoderChoice>;

interface CheckedSettings<Document, Options, Plain> {
  /** The settings that a file and flags gave; flags win over the file. */
  readonly document: Document;
  /** The same settings of the parser, with modules loaded. */
  readonly parser: Options;
  /** All settings of the parser. */
  readonly plain: Plain;
  /** The file of word vectors, if there is one. */
  readonly vectors: WordVectorFile | undefined;
  /** The files that settings name, and the files of settings themselves. */
  readonly files: readonly PlannedFile[];
}

export interface TrainingSettings extends CheckedSettings<TrainDocument, TrainOptions, PlainSettings> {}

/** The settings of a training of graphs, checked. */
export interface GraphTrainingSettings
  extends CheckedSettings<GraphDocument, GraphTrainOptions, ReturnType<typeof checkGraphTrainOptions>> {}

/**
 * Declares the flags of the settings of `arcwise train`, and `--settings`.
 *
 * @param table the settings that have flags; all of `arcwise train` by default
 */
export function addTrainFlags<C extends Command>(command: C, table: OptionTable<object> = TRAIN_TABLE): C {
  const graphs = table === TRAIN_TABLE ? { table: GRAPH_TABLE, presets: GRAPH_PRESETS } : undefined;
  return addFlags(command, { table, presets: TRAIN_PRESETS }, graphs).addOption(settingsOption());
}

/**
 * Reads and checks the settings of a command line.
 *
 * @param model the model that is continued, which has the settings of the parser
 */
export async function trainingSettings(
  command: Command,
  choose: DecoderNames = (name) => decoderChoice(name, "training"),
  model?: ParserModel,
): Promise<TrainingSettings> {
  const sources = command.getOptionValue("settings") as readonly string[] | undefined;
  const flags = flagValues(command, TRAIN_TABLE);
  const document = await joinSettings<TrainDocument>(TRAIN_TABLE, sources, flags);
  const { preset, seed, parser: named = {}, vectors, partial } = document;
  const { decoder, learner, global, templates, ...others } = named;
  const parser: TrainOptions = {
    preset,
    seed,
    ...others,
    decoder: decoder === undefined ? undefined : await choose(decoder),
    learner: learner === undefined ? undefined : await learnerChoice(learner),
    ...(await loadFeatures({ global, templates })),
    continue: model,
    partial,
  };
  if (model !== undefined && vectors)
    throw new UsageError("--vectors: a model that is continued keeps its vectors: leave them out");
  const plain = checked(() => checkTrainOptions(parser), templates);
  const files = [...settingsFiles(sources), ...namedFiles(document)];
  const words = vectorFile(vectors, plain, "parser.network.units=128");
  return { document, parser, plain, vectors: words, files };
}

/** Reads and checks the settings of a training of graphs. Throws as `trainingSettings`. */
export async function graphTrainingSettings(command: Command): Promise<GraphTrainingSettings> {
  const sources = command.getOptionValue("settings") as readonly string[] | undefined;
  const document = await joinSettings<GraphDocument>(GRAPH_TABLE, sources, flagValues(command, GRAPH_TABLE));
  const { decoder, learner, trees, words, vectors, ...others } = document;
  const parser: GraphTrainOptions = {
    ...others,
    decoder: decoder === undefined ? undefined : await graphDecoderChoice(decoder),
    learner: learner === undefined ? undefined : await learnerChoice(learner, "learner"),
  };
  const plain = checked(() => checkGraphTrainOptions(parser, trees !== undefined));
  const file = vectorFile(vectors, plain, "network.units=128");
  const files = [
    ...settingsFiles(sources),
    ...moduleFiles(document),
    ...given({
      "the word vectors": file?.file,
      "the setting trees": trees === OWN_TREES ? undefined : trees,
      "the setting words": words,
    }),
  ];
  return { document, parser, plain, vectors: file, files };
}

function namedFiles({ parser = {}, graphs, vectors }: TrainDocument): PlannedFile[] {
  const { templates, global } = parser;
  const files = {
    "--vectors": vectors ? vectors.file : undefined,
    "the model of graphs": graphs,
    "the templates": typeof templates === "string" ? templates : undefined,
    "the module of global": typeof global === "string" ? global : undefined,
  };
  return [...given(files), ...moduleFiles(parser)];
}

function checked<Plain>(check: () => Plain, templates?: unknown): Plain {
  try {
    return check();
  } catch (error) {
    const { name, message } = error as Error;
    const where = name === "TemplateError" && typeof templates === "string" ? `${templates}: ` : "";
    throw new UsageError(`${where}${message}`, { cause: error });
  }
}

/** Whether settings are of a training of graphs. */
export function isOfGraphs(
  settings: TrainingSettings | GraphTrainingSettings,
): settings is GraphTrainingSettings {
  return "graphs" in settings.plain;
}

/** Returns all settings of a training as the text of a file, with which `--settings` trains the same model. */
export function completeSettings(
  settings: TrainingSettings | GraphTrainingSettings,
  purpose: Purpose,
): string {
  if (isOfGraphs(settings)) return completeGraphSettings(settings);
  const { document, plain } = settings;
  const { parser = {} } = document;
  const { decoder = plain.decoder, learner = plain.learner, global = plain.global, templates } = parser;
  const steps = purpose === "tagged" ? { jackknife: 0, ...document, tokenizer: false } : document;
  const complete = checkOptions(TRAIN_TABLE, steps, "settings");
  return settingsFile(TRAIN_TABLE, {
    ...complete,
    parser: { ...plain, network: plain.network || undefined, decoder, learner, global, templates },
  });
}

function completeGraphSettings({ document, plain }: GraphTrainingSettings): string {
  const { preset, trees, words, vectors, learner } = document;
  const decoder = typeof plain.decoder === "string" ? plain.decoder : document.decoder;
  const network = plain.network || undefined;
  return settingsFile(GRAPH_TABLE, { ...plain, preset, trees, words, vectors, decoder, learner, network });
}

/**
 * Parses settings of a parser, for programs that train several.
 *
 * @param argv flags of `arcwise train`, such as `["--decoder", "ad3", "--order", "3"]`
 * @param choose returns the decoder of a name; by default as `--decoder` does
 * @throws UsageError when a flag is unknown, or the settings do not fit together or are not about a parser
 */
export async function trainSettings(argv: readonly string[], choose?: DecoderNames): Promise<TrainOptions> {
  const command = addTrainFlags(new Command("train"))
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .action(() => {});
  try {
    command.parse([...argv], { from: "user" });
    const { document, parser } = await trainingSettings(command, choose);
    const { preset: _, seed: __, parser: ___, ...others } = document;
    const [other] = Object.keys(others);
    if (other !== undefined) throw new UsageError(`expected settings of a parser, got "${other}"`);
    return parser;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof CommanderError || error instanceof ArcwiseError)) throw error;
    const note = settingNote(error.message, TRAIN_TABLE);
    const message = error.message.replace(/^error: /, "");
    throw new UsageError(note === "" ? message : `${message}; ${note}`, { cause: error });
  }
}
