import { Command } from "commander";
import type { BatchInput } from "../batch.ts";
import { blockParser } from "../block-parser.ts";
import type { Block } from "../blocks.ts";
import { EXIT, UsageError } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import { type GraphFormat, graphFormatOption, namedFormat } from "../graph-files.ts";
import { sentenceIds } from "../graph-ids.ts";
import { GRAPH_DECODERS } from "../graph-training-options.ts";
import type { Io } from "../io.ts";
import { type CommandFactory, required } from "../options.ts";
import { type Companion, parseFile } from "../parse-file.ts";
import { type ParsingArguments, withParsingOptions } from "../parsing-options.ts";
import { threadsToUse } from "../threads.ts";

interface ParseArguments extends ParsingArguments {
  readonly format?: GraphFormat;
  readonly trees?: string;
}

/** `arcwise graph parse --model M [IN] [-o OUT] ...` */
export const parseGraphsCommand: CommandFactory = (io, done) =>
  required(parseOptions(), "--model <file>").action((input: string, options: ParseArguments) =>
    parse(io, done, input, options),
  );

function parseOptions(): Command {
  const command = new Command("parse")
    .description("find graphs: replaces those of an SDP file, or DEPS of a CoNLL-U file, and keeps the rest")
    .argument("[input]", "the file to parse, with tags", "-");
  return withParsingOptions(command, { what: "graph", trainedBy: "graph train", decoders: GRAPH_DECODERS })
    .addOption(graphFormatOption("the format of the files; by default what the model was trained on"))
    .option(
      "--trees <file>",
      "basic trees of the same sentences, CoNLL-U, for a model that was trained with trees; by default " +
        "those of HEAD and DEPREL",
    )
    .option("--report", "write score and bound of each graph as comments, and how it was found");
}

async function parse(
  io: Io,
  done: (code: number) => void,
  input: string,
  options: ParseArguments,
): Promise<void> {
  const { model, output, format, trees, strict = false } = options;
  const { decoder, restarts, exact, seconds, report } = options;
  if (input === "-" && trees === "-") {
    throw new UsageError("only one of the input and the trees can be the standard input");
  }
  await checkFiles(io, {
    inputs: given({ "--model": model, "--trees": trees }),
    outputs: given({ "--output": output }),
  });
  const settings = { model, decoder, restarts, exact, seconds, report };
  const named = format ?? namedFormat([input]);
  const parser = await blockParser(
    { kind: "graphs", format: named, ...settings },
    { threads: threadsToUse(io, options, "parsing"), apart: io.responsive === true, signal: io.signal },
  );
  const code = await parseFile({
    io,
    input,
    output,
    parser,
    fit: { tagged: false, tagger: false, strict },
    companion: trees === undefined ? undefined : await treesBeside(io, trees),
  });
  if (code !== EXIT.ok) done(code);
}

async function treesBeside(io: Io, path: string): Promise<Companion> {
  const { treeReader } = await import("../graph-trees.ts");
  const reader = treeReader(io, path);
  return {
    next: async (block: Block): Promise<Partial<BatchInput>> => ({
      trees: await reader.next(sentenceIds(block)),
    }),
    // Trees of other sentences may follow.
    finish: async () => {},
  };
}
