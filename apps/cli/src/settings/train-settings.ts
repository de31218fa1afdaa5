import { ArcwiseError } from "@arcwise/core/errors";
import { checkOptions, type OptionTable } from "@arcwise/core/options";
import {
  checkTrainOptions,
  type DecoderChoice,
  type ParserModel,
  type PlainSettings,
  type TrainOptions,
} from "@arcwise/parser";
import { Command, CommanderError } from "commander";
import { decoderChoice, learnerChoice, moduleFiles } from "../command/decoder.ts";
import { UsageError } from "../command/errors.ts";
import { loadFeatures } from "../command/features.ts";
import { given, type PlannedFile } from "../files/file-plan.ts";
import { joinSettings, settingsFile, settingsFiles } from "./document.ts";
import { addFlags, flagValues, settingNote, settingsOption } from "./flags.ts";
import { TRAIN_PRESETS, TRAIN_TABLE, type TrainDocument } from "./tables.ts";
import { vectorFile, type WordVectorFile } from "./vector-file.ts";

/** The input that a parser or a pipeline is trained for. */
export type Purpose = "text" | "tagged";

/** Returns the decoder of a name. */
export type DecoderNames = (name: string) => DecoderChoice | Promise<DecoderChoice>;

/** The settings of a training, checked. */
export interface TrainingSettings {
  /** The settings that a file and flags gave; flags win over the file. */
  readonly document: TrainDocument;
  /** The same settings of the parser, with modules loaded. */
  readonly parser: TrainOptions;
  /** All settings of the parser. */
  readonly plain: PlainSettings;
  /** The file of word vectors, if there is one. */
  readonly vectors: WordVectorFile | undefined;
  /** The files that settings name, and the files of settings themselves. */
  readonly files: readonly PlannedFile[];
}

/**
 * Declares the flags of the settings of `arcwise train`, and `--settings`.
 *
 * @param table the settings that have flags; all of `arcwise train` by default
 */
export function addTrainFlags<C extends Command>(command: C, table: OptionTable<object> = TRAIN_TABLE): C {
  return addFlags(command, table, TRAIN_PRESETS).addOption(settingsOption());
}

/**
 * Reads and checks the settings of a command line.
 *
 * @param model the model that is continued, which has the settings of the parser
 * @throws UsageError when they do not fit together, DataError when a file is not readable
 * @throws ArcwiseError `unknown-option` or `invalid-option` that names the file of settings and the field
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
  const plain = checked(parser, templates);
  const files = [...settingsFiles(sources), ...namedFiles(document)];
  const words = vectorFile(vectors, plain, "parser.network.units=128");
  return { document, parser, plain, vectors: words, files };
}

/** The files that settings name. */
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

/** @throws UsageError when settings do not fit together */
function checked(parser: TrainOptions, templates: unknown): PlainSettings {
  try {
    return checkTrainOptions(parser);
  } catch (error) {
    const { name, message } = error as Error;
    const where = name === "TemplateError" && typeof templates === "string" ? `${templates}: ` : "";
    throw new UsageError(`${where}${message}`, { cause: error });
  }
}

/** Returns all settings of a training as the text of a file, with which `--settings` trains the same model. */
export function completeSettings({ document, plain }: TrainingSettings, purpose: Purpose): string {
  const { parser = {} } = document;
  const { decoder = plain.decoder, learner = plain.learner, global = plain.global, templates } = parser;
  const steps = purpose === "tagged" ? { jackknife: 0, ...document, tokenizer: false } : document;
  const complete = checkOptions(TRAIN_TABLE, steps, "settings");
  return settingsFile(TRAIN_TABLE, {
    ...complete,
    parser: { ...plain, network: plain.network || undefined, decoder, learner, global, templates },
  });
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
