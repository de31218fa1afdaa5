import { modelFile } from "@arcwise/pipeline/node";
import { Command, Option } from "commander";
import { analyseGraphs } from "../analysis/analyse-graphs.ts";
import { encoderFiles } from "../analysis/encoders.ts";
import { formatOfOutput } from "../analysis/format-of-output.ts";
import { OWN_TREES } from "../analysis/graph-companions.ts";
import { type GraphFormat, graphFormatOption, graphsOf, namedFormat } from "../analysis/graph-files.ts";
import { fileInput, lengthOf } from "../analysis/inputs.ts";
import { openFiles } from "../analysis/open-files.ts";
import { type OutputFormat, sentenceWriter } from "../analysis/output-format.ts";
import { type ParsingArguments, withParsingOptions } from "../analysis/parsing-options.ts";
import type { SentenceWriter } from "../analysis/sentence-writer.ts";
import { moduleFiles } from "../command/decoder.ts";
import { EXIT, UsageError } from "../command/errors.ts";
import { type CommandFactory, required } from "../command/options.ts";
import { type ShortHelp, withShortHelp } from "../command/short-help.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { hasColour, type Io } from "../files/io.ts";
import { threadsToUse } from "../threads/threads.ts";

const FORMATS = ["conllu", "json", "jsonl", "tree", "svg", "html", "tikz"] as const satisfies OutputFormat[];

/** Formats of files of graphs; undefined: the format of the input. */
const FILE_FORMATS: readonly unknown[] = ["conllu", "sdp", undefined];

interface ParseArguments extends ParsingArguments {
  readonly format?: GraphFormat;
  readonly trees?: string;
  readonly words?: string;
  readonly outputFormat?: (typeof FORMATS)[number];
}

/** `arcwise graph parse --model M [IN] [-o OUT] ...` */
export const parseGraphsCommand: CommandFactory = (io, done) =>
  required(parseOptions(), "--model <file>").action((input: string, options: ParseArguments) =>
    parse(io, done, input, options),
  );

function parseOptions(): Command {
  const command = new Command("parse")
    .description(
      "find graphs: replaces the graphs of an SDP file, or DEPS of a CoNLL-U file; keeps everything else",
    )
    .argument("[input]", "the file to parse, with tags", "-");
  withParsingOptions(command, {
    what: "graph",
    trainedBy: "graph train",
  })
    .addOption(graphFormatOption("the format of the files; by default what the model was trained on"))
    .option(
      "--trees <file>",
      "CoNLL-U file with basic trees of the same sentences, for a model that was trained with trees; by " +
        "default HEAD and DEPREL of the input",
    )
    .option(
      "--words <file>",
      "a CoNLL-U file with the same sentences that has UPOS, XPOS and FEATS of the words, for a model " +
        "that was trained with them",
    )
    .addOption(
      new Option(
        "--output-format <format>",
        "CoNLL-U with the graph in DEPS; JSON, a list of sentences or a line for each; drawings in characters, as " +
          "SVG, as an HTML page or for tikz-dependency of LaTeX; by default as the name of the output ends, or else " +
          "the format of the input",
      ).choices(FORMATS),
    )
    .option("--report", "write score and bound of each graph as comments, and how it was found");
  return withShortHelp(command, SHORT_HELP);
}

const SHORT_HELP: ShortHelp = {
  options: {
    "--model": "a model of graph train (required)",
    "--output": "the file to write: .sdp, .conllu, .json, .svg, .html, ...",
    "--output-format": "the same without an ending: conllu, json, tree, ...",
    "--trees": "a CoNLL-U file with basic trees of the same sentences",
    "--words": "a CoNLL-U file with UPOS, XPOS and FEATS of the words",
    "--threads": "parse on n threads; the output is the same",
    "--report": "score and bound of each graph, as comments",
  },
  examples: [
    ["arcwise graph parse --model graphs.model words.sdp -o parsed.sdp", ""],
    ["arcwise graph parse --model graphs.model words.sdp -o graphs.html", ""],
    ["arcwise graph parse --model enhanced.model trees.conllu -o graphs.conllu", ""],
  ],
};

async function parse(
  io: Io,
  done: (code: number) => void,
  input: string,
  options: ParseArguments,
): Promise<void> {
  const { output, format, trees, words, strict = false } = options;
  const outputFormat = formatOfOutput({ output, given: options.outputFormat, formats: [...FORMATS, "sdp"] });
  const { decoder, restarts, exact, seconds, report = false } = options;
  const model = await modelFile(options.model!);
  const others = given({ "--model": model, "--trees": trees, "--words": words });
  // The output has the format of the input, unless an option says otherwise.
  const isReplaceable = options.outputFormat === undefined && FILE_FORMATS.includes(outputFormat);
  const replaced = { role: "the input", path: input, isReplaceable };
  const planned = await planFiles(io, {
    inputs: [...others, ...moduleFiles({ decoder }), ...(await encoderFiles(options)), replaced],
    outputs: { "--output": output },
  });
  const source = fileInput(io, input);
  const threads = threadsToUse(io, options, await lengthOf([source]));
  const files = { model, parts: ["graphs"] as const, decoder, restarts, exact, seconds };
  const open = await openFiles(io, files, threads, { encoder: options.encoder });
  const { kind, takesTrees } = open.facts.graphs!;
  const own = kind === "enhanced" ? "conllu" : "sdp";
  const found = format ?? namedFormat([input]) ?? own;
  const held = found === own && outputFormat === "sdp" ? outputFormat : found;
  if (held !== own) {
    await open.close();
    throw new UsageError(`${model}: learned ${graphsOf(own)}, which ${held} files do not hold`);
  }
  const writer = await writerFor(io, output, outputFormat === own ? undefined : outputFormat);
  const code = await analyseGraphs(io, {
    ...{ input: source, output: planned["--output"], format: found, open, report, writer },
    companions: { trees: takesTrees ? (trees ?? OWN_TREES) : undefined, words },
    fit: { option: "--words FILE", strict },
  });
  if (code !== EXIT.ok) done(code);
}

/** Returns the writer of a format; undefined if graphs are written in the format of the input. */
async function writerFor(
  io: Io,
  output: string,
  format: OutputFormat | "sdp" | undefined,
): Promise<SentenceWriter | undefined> {
  if (format === undefined || format === "sdp") return undefined;
  return sentenceWriter(format, { graph: "enhanced", hasColour: hasColour(io, output) });
}
