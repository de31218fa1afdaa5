import type { PipelinePart } from "@arcwise/pipeline";
import { modelFile } from "@arcwise/pipeline/node";
import type { GraphArguments } from "../analysis/analyse-graphs.ts";
import { analyseSentences } from "../analysis/analyse-sentences.ts";
import type { DepsSetting } from "../analysis/input-fit.ts";
import {
  type AnalysisInput,
  type FormattedInputs,
  formattedInputs,
  inputsOf,
  lengthOf,
  SHORT,
} from "../analysis/inputs.ts";
import { type ModelFile, openFiles, readModel } from "../analysis/open-files.ts";
import {
  type OutputFormat,
  pageTitle,
  sentenceWriter,
  type WrittenFormat,
} from "../analysis/output-format.ts";
import type { SentenceWriter } from "../analysis/sentence-writer.ts";
import {
  type QueueArguments,
  refuse,
  type StoreArguments,
  type ThreadArguments,
  threadsToUse,
} from "../command/options.ts";
import { UsageError } from "../errors.ts";
import { encoderFiles, given, type PlannedOutput, planFiles } from "../files/file-plan.ts";
import type { InputFormat } from "../files/input.ts";
import { hasColour, type Io } from "../files/io.ts";

/** The options of `arcwise parse` and `arcwise run`. */
export interface ParseArguments extends GraphArguments, ThreadArguments, QueueArguments, StoreArguments {
  readonly model?: string;
  readonly input?: InputFormat;
  readonly lines?: boolean;
  readonly tags?: "given" | "predicted";
  readonly global?: string;
  readonly kbest?: number;
  readonly deps?: DepsSetting;
  readonly marginals?: boolean;
  readonly uncertain?: number;
  readonly constraints?: string;
  readonly tagger?: string | undefined;
  readonly valid: boolean;
  readonly first?: string | undefined;
  readonly minConfidence?: number;
}

/** What a command line asks for. */
export interface ParseRequest {
  readonly command: "parse" | "run";
  /** The name of the model. */
  readonly model: string;
  /** The names of the inputs, or texts. */
  readonly args: readonly string[];
  readonly options: ParseArguments;
}

/** Tags of words of CoNLL-U files, and the format of the input of models that cannot cut text. */
const DEFAULTS = {
  parse: { tags: "given", format: "conllu" },
  run: { tags: "predicted", format: "text" },
} as const;

/** Parses the inputs of a command line. Returns the exit code. */
export async function parseInputs(io: Io, request: ParseRequest): Promise<number> {
  const { command, options: named } = request;
  const inputs = await inputsOf(io, request.args);
  if (named.queue !== undefined || named.store !== undefined) return parseInChunks(io, request, inputs);
  if (named.minConfidence !== undefined && named.first === undefined)
    throw new UsageError("--min-confidence requires --first MODEL");
  const model = await modelFile(request.model);
  const [first, tagger] = [await otherModel(named.first), await otherModel(named.tagger)];
  const options = { ...named, first, tagger };
  const plan = await outputPlan(io, model, inputs, options);
  const isReplaceable = command === "parse" && mayReplace(inputs, options);
  // What cannot be written is refused before a model is read.
  await plan(isReplaceable);
  const length = await lengthOf(inputs);
  const threads = threadsToUse(io, options, length);
  const read = await readModel(model);
  const hasGraphs = command === "parse" && isOfGraphs(read);
  checkKind(options, inputs, hasGraphs);
  if (hasGraphs) {
    const { parseGraphs } = await import("../analysis/analyse-graphs.ts");
    const output = (format: WrittenFormat) =>
      plan(isReplaceable && (options.outputFormat ?? format) === format);
    return parseGraphs(io, { model: read, path: model, input: inputs[0]!, output, threads, options });
  }
  const { bytes, owned } = read;
  const { input, tags } = await prepared(command, read, inputs, options);
  const output = await plan(isReplaceable && input.format === "conllu");
  const { decoder, restarts, exact, seconds, global, kbest: kBest, uncertain, valid, deps, lines } = options;
  const parts = partsToUse(input.format, tags, owned, options);
  // The model that reads first gets sentences that the other one has cut.
  const afterCutting = parts.filter((part) => part !== "tokenizer");
  const search = { decoder, restarts, exact, seconds, global };
  const open = await openFiles(io, { model, bytes, parts, tagger, valid, ...search }, threads, {
    isShort: options.output === "-" && length <= SHORT,
    encoder: options.encoder,
    first: first === undefined ? undefined : { model: first, parts: afterCutting, tagger, valid },
    minConfidence: options.minConfidence,
  });
  const { report, constraints, strict = false } = options;
  const hasOwn = tags === "given" && owned.includes("tagger");
  const option = command === "run" ? "another model" : `--tagger ${hasOwn ? request.model : "FILE"}`;
  const marginals = options.marginals === true || uncertain !== undefined;
  return analyseSentences(io, {
    ...{ input, lines, output, open, constraints, uncertain },
    writer: await writerFor(io, options, input),
    settings: { tags, kBest, marginals, report, deps },
    fit: { option, strict },
  });
}

/** Returns the file of a model that an option names. */
async function otherModel(name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : modelFile(name);
}

/** Returns a function that plans the output, which may replace the input or not. */
async function outputPlan(
  io: Io,
  model: string,
  inputs: readonly AnalysisInput[],
  options: ParseArguments,
): Promise<(isReplaceable: boolean) => Promise<PlannedOutput>> {
  const { first, global, tagger, constraints, trees, words, decoder } = options;
  const role = options.model === undefined ? "the model" : "--model";
  const others = { "--first": first, "--global": global, "--tagger": tagger, "--constraints": constraints };
  const modules =
    decoder === undefined ? [] : (await import("../command/decoder.ts")).moduleFiles({ decoder });
  const read = [
    ...given({ [role]: model, ...others, "--trees": trees, "--words": words }),
    ...modules,
    ...(await encoderFiles(options)),
  ];
  return async (isReplaceable) => {
    const replaced = inputs.flatMap(({ path }) =>
      path === undefined ? [] : [{ role: "the input", path, isReplaceable }],
    );
    const outputs = { "--output": options.output };
    return (await planFiles(io, { inputs: [...read, ...replaced], outputs }))["--output"];
  };
}

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

/** Whether the output has the sentences of one input, of which everything but the trees is kept. */
function mayReplace(inputs: readonly AnalysisInput[], { outputFormat = "conllu", kbest }: ParseArguments) {
  return inputs.length === 1 && ["conllu", "sdp"].includes(outputFormat) && kbest === undefined;
}

/** Returns options, with `noValid` in place of the value of `--no-valid`. */
function flagsOf({ valid, ...options }: ParseArguments) {
  return { ...options, noValid: valid ? undefined : true };
}

/** Options that the workers of a queue do not have. */
const LOCAL = [
  ...(["decoder", "restarts", "exact", "seconds", "strict", "report", "outputFormat"] as const),
  ...(["global", "kbest", "marginals", "uncertain", "constraints", "tagger", "encoder", "first"] as const),
  ...(["minConfidence", "noValid"] as const),
];

/** Parses files by the workers of a queue, or in threads that share a store. Returns the exit code. */
async function parseInChunks(
  io: Io,
  { command, model, options }: ParseRequest,
  inputs: readonly AnalysisInput[],
): Promise<number> {
  const flag = options.queue === undefined ? "--store" : "--queue";
  refuse(flagsOf(options), LOCAL, `is for a single process: ${flag} parses as the model was trained to`);
  const isFile = inputs.every(({ path }) => path !== undefined && path !== "-");
  if (!isFile || options.output === "-")
    throw new UsageError(`${flag} reads files, and writes into a folder: give --output FOLDER`);
  const { checkNames, parseFiles } = await import("../cluster/parse-files.ts");
  checkNames(inputs.map(({ path }) => path!));
  const file = await modelFile(model);
  // A model that cannot cut text is refused before anything is parsed.
  const read = await readModel(file);
  if (isOfGraphs(read)) read.require("parser");
  const { input, tags } = await prepared(command, read, inputs, options);
  if (input.format === "vertical")
    throw new UsageError(`${flag} parses CoNLL-U and text: leave out --input vertical`);
  const format = options.lines === undefined ? input.format : options.lines ? "lines" : "no-lines";
  const advised =
    tags === "given" && read.owned.includes("tagger") ? "--tags predicted" : "a model with a tagger";
  return parseFiles(io, { ...options, ...input, format, tags, model: file, tagOption: advised });
}

function isOfGraphs({ owned }: Pick<ModelFile, "owned">): boolean {
  return owned.includes("graphs") && !owned.includes("parser");
}

/** Options that models of graphs do not have. */
const OF_TREES = [
  ...(["input", "lines", "tags", "kbest", "deps", "marginals", "uncertain", "constraints"] as const),
  ...(["tagger", "first", "minConfidence", "global", "noValid"] as const),
];

function checkKind(options: ParseArguments, inputs: readonly AnalysisInput[], hasGraphs: boolean): void {
  if (hasGraphs) {
    refuse(flagsOf(options), OF_TREES, "requires a model of trees, found one of graphs");
    if (inputs.length > 1) throw new UsageError(`a model of graphs parses one input, found ${inputs.length}`);
    return;
  }
  refuse(options, ["trees", "words"], "requires a model of graphs, found one of trees");
  if (options.outputFormat === "sdp")
    throw new UsageError("the format sdp requires a model of semantic graphs");
}

/** Reads the inputs in their format: what the first one shows, if the model can cut text. */
async function prepared(
  command: ParseRequest["command"],
  { owned, require: requirePart }: ModelFile,
  inputs: readonly AnalysisInput[],
  options: ParseArguments,
) {
  const format = options.input ?? (owned.includes("tokenizer") ? undefined : DEFAULTS[command].format);
  const input = await formattedInputs(inputs, format);
  if (options.lines !== undefined && input.format !== "text")
    throw new UsageError(`--${options.lines ? "" : "no-"}lines requires text (--input text)`);
  if (input.format === "text") requirePart("tokenizer");
  return { input, tags: tagsFor(command, input.format, options, owned) };
}

/** Whether words keep their tags. A list of words lacks tags, but a model without a tagger may parse it without them. */
function tagsFor(
  command: ParseRequest["command"],
  format: InputFormat,
  { tagger, tags }: ParseArguments,
  parts: readonly PipelinePart[],
): "given" | "predicted" {
  if (tagger !== undefined || format === "text") return "predicted";
  if (tags !== undefined) return tags;
  return format === "vertical" && parts.includes("tagger") ? "predicted" : DEFAULTS[command].tags;
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
