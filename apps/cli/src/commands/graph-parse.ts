import { modelFile } from "@arcwise/pipeline/node";
import { Command, Option } from "commander";
import { analyseGraphs } from "../analysis/analyse-graphs.ts";
import { type GraphFormat, graphFormatOption, graphsOf, namedFormat } from "../analysis/graph-files.ts";
import { loadThreads } from "../analysis/load-threads.ts";
import { type OutputFormat, sentenceWriter } from "../analysis/output-format.ts";
import { type ParsingArguments, withParsingOptions } from "../analysis/parsing-options.ts";
import { moduleFiles } from "../command/decoder.ts";
import { EXIT, UsageError } from "../command/errors.ts";
import { type CommandFactory, required } from "../command/options.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { hasColour, type Io } from "../files/io.ts";
import { threadsToUse } from "../threads/threads.ts";

const GRAPH_OUTPUT_FORMATS = ["conllu", "json", "tree", "svg", "html"] as const satisfies OutputFormat[];

interface ParseArguments extends ParsingArguments {
  readonly format?: GraphFormat;
  readonly trees?: string;
  readonly words?: string;
  readonly outputFormat?: (typeof GRAPH_OUTPUT_FORMATS)[number];
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
  return withParsingOptions(command, {
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
        "CoNLL-U with the graph in DEPS; one JSON line per sentence; drawings in characters, as SVG or as an " +
          "HTML page; by default the format of the input",
      ).choices(GRAPH_OUTPUT_FORMATS),
    )
    .option("--report", "write score and bound of each graph as comments, and how it was found");
}

async function parse(
  io: Io,
  done: (code: number) => void,
  input: string,
  options: ParseArguments,
): Promise<void> {
  const { output, format, trees, words, strict = false, outputFormat } = options;
  const { decoder, restarts, exact, seconds, report = false } = options;
  const model = await modelFile(options.model!);
  const others = given({ "--model": model, "--trees": trees, "--words": words });
  const replaced = { role: "the input", path: input, isReplaceable: outputFormat === undefined };
  const planned = await planFiles(io, {
    inputs: [...others, ...moduleFiles({ decoder }), replaced],
    outputs: { "--output": output },
  });
  const threads = threadsToUse(io, options, "parsing");
  const files = { model, parts: ["graphs"] as const, decoder, restarts, exact, seconds };
  const pipeline = await loadThreads(io, files, threads, undefined);
  const { kind, takesTrees } = pipeline.facts.graphs!;
  const own = kind === "enhanced" ? "conllu" : "sdp";
  const found = format ?? namedFormat([input]) ?? own;
  if (found !== own) {
    await pipeline.close();
    throw new UsageError(`${model}: learned ${graphsOf(own)}, which ${found} files do not hold`);
  }
  const drawing = { graph: "enhanced", hasColour: hasColour(io, output) } as const;
  const writer = outputFormat && (await sentenceWriter(outputFormat, drawing));
  const code = await analyseGraphs({
    ...{
      io,
      input,
      output: planned["--output"],
      format: found,
      pipeline,
      takesTrees,
      trees,
      words,
      report,
      writer,
    },
    fit: { option: "--words FILE", strict },
  });
  if (code !== EXIT.ok) done(code);
}
