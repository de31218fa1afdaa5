import type { PipelinePart } from "@arcwise/pipeline";
import { Command, Option } from "commander";
import type { DepsSetting } from "../analysis/input-fit.ts";
import {
  type AnalysisInput,
  type FormattedInputs,
  formattedInputs,
  inputsOf,
  isText,
  lengthOf,
  SHORT,
} from "../analysis/inputs.ts";
import type { ModelFile } from "../analysis/open-files.ts";
import {
  checkLayout,
  formatOfOutput,
  layoutOption,
  OUTPUT_FORMAT_HELP,
  OUTPUT_FORMATS,
  type OutputFormat,
  pageTitle,
  sentenceWriter,
} from "../analysis/output-format.ts";
import { type ParsingArguments, withParsingOptions } from "../analysis/parsing-options.ts";
import type { DrawingOptions, SentenceWriter } from "../analysis/sentence-writer.ts";
import { moduleFiles } from "../command/decoder.ts";
import {
  type CommandFactory,
  firstOption,
  integer,
  type QueueArguments,
  refuse,
  type ShortHelp,
  type StoreArguments,
  share,
  threadsToUse,
  uncertainOption,
  withQueueOption,
  withShortHelp,
  withStoreOptions,
} from "../command/options.ts";
import { EXIT, UsageError } from "../errors.ts";
import { encoderFiles, given, planFiles } from "../files/file-plan.ts";
import { INPUT_FORMATS, type InputFormat } from "../files/input.ts";
import { hasColour, type Io } from "../files/io.ts";

/** Formats of trees and of graphs. */
const WRITTEN_FORMATS = [...OUTPUT_FORMATS, "sdp"] as const;
type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

interface ParseArguments extends ParsingArguments, QueueArguments, StoreArguments {
  readonly input?: InputFormat;
  readonly lines?: boolean;
  readonly tags?: "given" | "predicted";
  readonly outputFormat?: WrittenFormat | undefined;
  readonly layout?: DrawingOptions["layout"];
  readonly global?: string;
  readonly kbest?: number;
  readonly deps?: DepsSetting;
  readonly marginals?: boolean;
  readonly uncertain?: number;
  readonly constraints?: string;
  readonly tagger?: string;
  readonly valid: boolean;
  readonly first?: string;
  readonly minConfidence?: number;
}

/** `arcwise parse MODEL [INPUT...] [-o OUT] ...`: words of CoNLL-U files keep their tags. */
export const parseCommand: CommandFactory = (io, done) =>
  analysisCommand(
    io,
    done,
    "parse",
    "parse text or CoNLL-U files: replaces HEAD and DEPREL, and the graph of DEPS (--deps); or graphs of SDP files, by " +
      "their model",
  );

/** `arcwise run MODEL [INPUT...] [-o OUT] ...`: words of CoNLL-U files are tagged anew. */
export const runCommand: CommandFactory = (io, done) =>
  analysisCommand(
    io,
    done,
    "run",
    "cut raw text into sentences and words, tag them, and parse them: parse with --tags predicted",
  );

type AnalysisName = "parse" | "run";

/** Tags of words of CoNLL-U files, and the format of the input of models that cannot cut text. */
const DEFAULTS = {
  parse: { tags: "given", format: "conllu" },
  run: { tags: "predicted", format: "text" },
} as const;

function analysisCommand(
  io: Io,
  done: (code: number) => void,
  name: AnalysisName,
  description: string,
): Command {
  return analysisOptions(new Command(name).description(description)).action(
    async (first: string | undefined, others: string[], options: ParseArguments) => {
      const { model = first } = options;
      const isFolder = options.queue !== undefined || options.store !== undefined;
      const outputFormat = isFolder ? options.outputFormat : parsedFormat(options);
      checkLayout(options.layout, outputFormat);
      if (model === undefined || (options.model === undefined && /\s/.test(model) && (await isText(model)))) {
        const { modelAdvice } = await import("../analysis/model-names.ts");
        throw new UsageError(await modelAdvice(name, model));
      }
      const args = options.model === undefined || first === undefined ? others : [first, ...others];
      return analyse(io, done, name, model, args, { ...options, outputFormat });
    },
  );
}

/** The format that the command line says. */
function parsedFormat({ output, outputFormat: given }: ParseArguments): WrittenFormat | undefined {
  return formatOfOutput({ output, given, formats: WRITTEN_FORMATS });
}

function analysisOptions(command: Command): Command {
  command
    .argument("[model]", "the model: a file that train wrote, or a package: english is @arcwise/english")
    .argument(
      "[inputs...]",
      "files, - (the standard input), or texts: arguments that are not files and have spaces or no ending",
    );
  withParsingOptions(command);
  withStoreOptions(withQueueOption(command))
    .addOption(
      new Option(
        "--report",
        "write score and bound of each sentence as comments; with the decoder ad3 also how it was found",
      ).conflicts("kbest"),
    )
    .option("--global <module>", "the module of features of whole trees that the model was trained with")
    .option("--tagger <file>", "tag the words first: a file of tag train, or the model of train --for text")
    .addOption(
      new Option(
        "--input <format>",
        "CoNLL-U, raw text, or one word per line; by default what the first lines of the input show, and CoNLL-U " +
          "for models of train --for tagged",
      ).choices(INPUT_FORMATS),
    )
    .addOption(firstOption())
    .addOption(
      new Option(
        "--min-confidence <p>",
        "with --first: the confidence of a sentence that MODEL need not read, the LAS to expect from 0 to 1, as arcwise " +
          "cascade learns it",
      )
        .argParser(share)
        .default(undefined, "0.9"),
    )
    .option(
      "--no-valid",
      "keep trees that break rules of Universal Dependencies, instead of the best valid ones: to compare decoders",
    )
    .option(
      "--lines",
      "each line of a text ends a sentence; by default where its lines look like headlines, messages or items",
    )
    .option("--no-lines", "sentences of a text may go on in the next line, whatever its lines look like")
    .addOption(
      new Option(
        "--tags <which>",
        "tags of words of CoNLL-U input: given in the file, or predicted by the model",
      )
        .choices(["given", "predicted"])
        .default(undefined, `${DEFAULTS.parse.tags} for parse, ${DEFAULTS.run.tags} for run`),
    )
    .addOption(
      new Option(
        "--output-format <format>",
        `${OUTPUT_FORMAT_HELP}, or else CoNLL-U, trees where text is parsed to a terminal, and sdp for semantic graphs`,
      ).choices(WRITTEN_FORMATS),
    )
    .addOption(layoutOption())
    .option("--kbest <k>", "write the k best analyses of each sentence, best first", integer(1, 2 ** 20))
    .addOption(
      new Option(
        "--deps <how>",
        "DEPS and empty nodes of CoNLL-U input, the graph of another tree: drop leaves them out, keep keeps them, " +
          "enhance makes DEPS from the new tree by rules of English",
      )
        .choices(["drop", "keep", "enhance"])
        .default(undefined, "drop, or the graphs of a model that has them, with --tags predicted"),
    )
    .option("--marginals", "write the probability of each arc to MISC, as ArcP=0.9731")
    .addOption(uncertainOption())
    .option(
      "--constraints <file>",
      "the same sentences with HEAD, DEPREL or both given for some words, and _ elsewhere; NotHead=3,5 and " +
        "NotDeprel=obj in MISC forbid",
    );
  return withShortHelp(command, { ...shortHelp(command.name()), after: AFTER_HELP });
}

function shortHelp(name: string): ShortHelp {
  return {
    options: {
      "--output": "the file to write: .conllu, .json, .svg, .html, .txt (a tree), .tex",
      "--output-format": "the same without an ending: conllu, json, jsonl, tree, ...",
      "--layout": "svg and html: arcs above the words, or a tree",
      "--input": "conllu, text or vertical; by default recognised",
      "--lines": "each line ends a sentence; --no-lines: running text",
      "--tags": "tags of words in CoNLL-U: given or predicted",
      "--threads": "parse on n threads; the output is the same",
      "--kbest": "the k best trees of each sentence",
      "--marginals": "the probability of each arc, in MISC",
    },
    examples: [
      [`arcwise ${name} english "Dogs bark at the mail."`, "draw a tree"],
      [`arcwise ${name} english letters.txt -o letters.html`, "a page of trees"],
      name === "run"
        ? ["arcwise run my.model a.conllu -o b.conllu", ""]
        : ["arcwise parse graphs.model words.sdp -o parsed.sdp", ""],
    ],
  };
}

const AFTER_HELP =
  "\nThe analyses of --kbest are sentences of their own, with -k1, -k2 ... after their sent_id " +
  "and comments\n# kbest = 1/5 and # score = 12.3456. No tree scores more than the bound of a " +
  "--report.\nWith --store, and workers of a --queue or threads, files of CoNLL-U or text are parsed in chunks; " +
  "--output is the\nfolder of the results, with a manifest.json. The same command continues where it stopped.";

async function analyse(
  io: Io,
  done: (code: number) => void,
  name: AnalysisName,
  modelName: string,
  args: readonly string[],
  options: ParseArguments,
): Promise<void> {
  const [{ openFiles, readModel }, { analyseSentences }, { modelFile }] = await Promise.all([
    import("../analysis/open-files.ts"),
    import("../analysis/analyse-sentences.ts"),
    import("../analysis/model-names.ts"),
  ]);
  const named = await inputsOf(io, args);
  if (options.queue !== undefined || options.store !== undefined) {
    const code = await analyseInChunks(io, name, modelName, named, options);
    return code === EXIT.ok ? undefined : done(code);
  }
  const { constraints, output, strict = false, global, minConfidence } = options;
  if (minConfidence !== undefined && options.first === undefined)
    throw new UsageError("--min-confidence requires --first MODEL");
  const model = await modelFile(modelName);
  const first = options.first === undefined ? undefined : await modelFile(options.first);
  const tagger = options.tagger === undefined ? undefined : await modelFile(options.tagger);
  const role = options.model === undefined ? "the model" : "--model";
  const { trees, words } = options;
  const others = { "--first": first, "--global": global, "--tagger": tagger, "--constraints": constraints };
  const paths = { [role]: model, ...others, "--trees": trees, "--words": words };
  const encoded = await encoderFiles(options);
  const planned = (isReplaceable: boolean) => {
    const replaced = named.flatMap(({ path }) =>
      path === undefined ? [] : [{ role: "the input", path, isReplaceable }],
    );
    const inputs = [...given(paths), ...moduleFiles(options), ...encoded, ...replaced];
    return planFiles(io, { inputs, outputs: { "--output": output } });
  };
  const isReplaceable = name === "parse" && mayReplace(named, options);
  await planned(isReplaceable);
  const length = await lengthOf(named);
  const threads = threadsToUse(io, options, length);
  const read = await readModel(model);
  const hasGraphs = name === "parse" && isOfGraphs(read);
  checkKind(options, named, hasGraphs);
  if (hasGraphs) {
    const { parseGraphs } = await import("../analysis/analyse-graphs.ts");
    const output = async (format: WrittenFormat) =>
      (await planned(isReplaceable && (options.outputFormat ?? format) === format))["--output"];
    const code = await parseGraphs(io, {
      ...{ model: read, path: model, input: named[0]!, output, threads, options },
    });
    return code === EXIT.ok ? undefined : done(code);
  }
  const { bytes, owned } = read;
  const { input, tags } = await prepared(name, read, named, options);
  const outputs = await planned(isReplaceable && input.format === "conllu");
  const { decoder, restarts, exact, seconds, kbest: kBest, report, uncertain, valid, deps, lines } = options;
  const parts = partsToUse(input.format, tags, owned, options);
  const search = { decoder, restarts, exact, seconds, global };
  const open = await openFiles(io, { model, bytes, parts, tagger, valid, ...search }, threads, {
    isShort: output === "-" && length <= SHORT,
    encoder: options.encoder,
    first: first === undefined ? undefined : { model: first, parts: firstParts(parts), tagger, valid },
    minConfidence,
  });
  const hasOwn = tags === "given" && owned.includes("tagger");
  const option = name === "run" ? "another model" : `--tagger ${hasOwn ? modelName : "FILE"}`;
  const marginals = options.marginals === true || uncertain !== undefined;
  const code = await analyseSentences(io, {
    ...{ input, lines, output: outputs["--output"], open, constraints, uncertain },
    writer: await writerFor(io, options, input),
    settings: { tags, kBest, marginals, report, deps },
    fit: { option, strict },
  });
  if (code !== EXIT.ok) done(code);
}

/** The parts of a model that a run needs. */
function partsToUse(
  format: InputFormat,
  tags: "given" | "predicted",
  owned: readonly PipelinePart[],
  { tagger, deps }: ParseArguments,
): PipelinePart[] {
  const isTagged = tags === "predicted";
  return [
    ...(format === "text" ? (["tokenizer"] as const) : []),
    ...(isTagged && tagger === undefined ? (["tagger"] as const) : []),
    "parser",
    ...(isTagged && owned.includes("graphs") && deps === undefined ? (["graphs"] as const) : []),
  ];
}

/** The parts of a model that reads sentences first, which another model has cut. */
export function firstParts(parts: readonly PipelinePart[]): PipelinePart[] {
  return parts.filter((part) => part !== "tokenizer");
}

/** Whether the output has the sentences of one input, of which everything but the trees is kept. */
function mayReplace(inputs: readonly AnalysisInput[], { outputFormat = "conllu", kbest }: ParseArguments) {
  return inputs.length === 1 && ["conllu", "sdp"].includes(outputFormat) && kbest === undefined;
}

/** Options that the workers of a queue do not have. */
const LOCAL = [
  ...(["decoder", "restarts", "exact", "seconds", "strict", "report", "outputFormat"] as const),
  ...(["global", "kbest", "marginals", "uncertain", "constraints", "tagger", "encoder", "first"] as const),
  ...(["minConfidence", "noValid"] as const),
];

/** Parses files by the workers of a queue, or in threads that share a store. Returns the exit code. */
async function analyseInChunks(
  io: Io,
  name: AnalysisName,
  model: string,
  named: readonly AnalysisInput[],
  options: ParseArguments,
): Promise<number> {
  const flag = options.queue === undefined ? "--store" : "--queue";
  const local = { ...options, noValid: options.valid ? undefined : true };
  refuse(local, LOCAL, `is for a single process: ${flag} parses as the model was trained to`);
  const isFile = named.every(({ path }) => path !== undefined && path !== "-");
  if (!isFile || options.output === "-")
    throw new UsageError(`${flag} reads files, and writes into a folder: give --output FOLDER`);
  const [{ checkNames, parseFiles }, { modelFile }, { readModel }] = await Promise.all([
    import("../cluster/parse-files.ts"),
    import("../analysis/model-names.ts"),
    import("../analysis/open-files.ts"),
  ]);
  checkNames(named.map(({ path }) => path!));
  const file = await modelFile(model);
  // A model that cannot cut text is refused before anything is parsed.
  const read = await readModel(file);
  if (isOfGraphs(read)) read.require("parser");
  const { input, tags } = await prepared(name, read, named, options);
  if (input.format === "vertical")
    throw new UsageError(`${flag} parses CoNLL-U and text: leave out --input vertical`);
  const format = options.lines === undefined ? input.format : options.lines ? "lines" : "no-lines";
  const advised =
    tags === "given" && read.owned.includes("tagger") ? "--tags predicted" : "a model with a tagger";
  return parseFiles(io, { ...options, ...input, format, tags, model: file, tagOption: advised });
}

/** Whether a model finds graphs alone. */
function isOfGraphs({ owned }: Pick<ModelFile, "owned">): boolean {
  return owned.includes("graphs") && !owned.includes("parser");
}

/** Options that models of graphs do not have. */
const OF_TREES = [
  ...(["input", "lines", "tags", "kbest", "deps", "marginals", "uncertain", "constraints"] as const),
  ...(["tagger", "first", "minConfidence", "global", "noValid"] as const),
];

/** @throws UsageError when options or inputs are not for the model */
function checkKind(
  { valid, ...options }: ParseArguments,
  inputs: readonly AnalysisInput[],
  hasGraphs: boolean,
): void {
  if (hasGraphs) {
    refuse(
      { ...options, noValid: valid ? undefined : true },
      OF_TREES,
      "requires a model of trees, found one of graphs",
    );
    if (inputs.length > 1) throw new UsageError(`a model of graphs parses one input, found ${inputs.length}`);
    return;
  }
  refuse(options, ["trees", "words"], "requires a model of graphs, found one of trees");
  if (options.outputFormat === "sdp")
    throw new UsageError("the format sdp requires a model of semantic graphs");
}

/** Reads the inputs in their format: what the first one shows, if the model can cut text. */
async function prepared(
  name: AnalysisName,
  { owned, require: requirePart }: ModelFile,
  inputs: readonly AnalysisInput[],
  options: ParseArguments,
) {
  const format = options.input ?? (owned.includes("tokenizer") ? undefined : DEFAULTS[name].format);
  const input = await formattedInputs(inputs, format);
  if (options.lines !== undefined && input.format !== "text")
    throw new UsageError(`--${options.lines ? "" : "no-"}lines requires text (--input text)`);
  if (input.format === "text") requirePart("tokenizer");
  return { input, tags: tagsFor(name, input.format, options, owned) };
}

/** Whether words keep their tags. A list of words lacks tags, but a model without a tagger may parse it without them. */
function tagsFor(
  name: AnalysisName,
  format: InputFormat,
  { tagger, tags }: ParseArguments,
  parts: readonly PipelinePart[],
): "given" | "predicted" {
  if (tagger !== undefined || format === "text") return "predicted";
  if (tags !== undefined) return tags;
  return format === "vertical" && parts.includes("tagger") ? "predicted" : DEFAULTS[name].tags;
}

/** Text is drawn where a person reads the result. */
function writerFor(
  io: Io,
  { output, outputFormat, layout }: ParseArguments,
  { format, inputs }: FormattedInputs,
): Promise<SentenceWriter> {
  const isTerminal = output === "-" && io.stdout.isTTY === true;
  const byDefault = isTerminal && format === "text" ? "tree" : "conllu";
  return sentenceWriter((outputFormat as OutputFormat | undefined) ?? byDefault, {
    graph: "basic",
    layout,
    hasColour: hasColour(io, output),
    title: pageTitle(inputs.map(({ path }) => path)),
  });
}
