import { Command, Option } from "commander";
import type { BatchInput } from "../batch.ts";
import { blockParser } from "../block-parser.ts";
import type { Block } from "../blocks.ts";
import { EXIT, UsageError } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import { type GraphFormat, graphFormatOption, namedFormat } from "../graph-files.ts";
import { sentenceIds } from "../graph-ids.ts";
import { GRAPH_DECODERS } from "../graph-training-options.ts";
import type { Io } from "../io.ts";
import { type CommandFactory, integer, positive, required } from "../options.ts";
import { type Companion, parseFile } from "../parse-file.ts";
import { forceThreadsOption, type ThreadArguments, threadsOption, threadsToUse } from "../threads.ts";

interface ParseArguments extends ThreadArguments {
  readonly model: string;
  readonly output: string;
  readonly format?: GraphFormat;
  readonly trees?: string;
  readonly decoder?: string;
  readonly restarts?: number;
  readonly exact?: boolean;
  readonly seconds?: number;
  readonly strict?: boolean;
  readonly report?: boolean;
}

/** `arcwise graph parse --model M [IN] [-o OUT] ...` */
export const parseGraphsCommand: CommandFactory = (io, done) =>
  required(parseOptions(), "--model <file>").action((input: string, options: ParseArguments) =>
    parse(io, done, input, options),
  );

function parseOptions(): Command {
  return new Command("parse")
    .description("find graphs: replaces those of an SDP file, or DEPS of a CoNLL-U file, and keeps the rest")
    .argument("[input]", "the file to parse, with tags", "-")
    .option("--model <file>", "the model file, as graph train writes it")
    .option("-o, --output <file>", "the file to write", "-")
    .addOption(graphFormatOption("the format of the files; by default what the model was trained on"))
    .option(
      "--trees <file>",
      "basic trees of the same sentences, CoNLL-U, for a model that was trained with trees; by default " +
        "those of HEAD and DEPREL",
    )
    .addOption(
      threadsOption("parse on n threads, at most one a core; the output is the same, in the same order"),
    )
    .addOption(forceThreadsOption())
    .addOption(
      new Option(
        "--decoder <name>",
        "how the best graph is found, instead of as in training: " +
          `${GRAPH_DECODERS.join(", ")}, or a module`,
      ),
    )
    .option("--restarts <n>", "climbs a sentence with the decoder hillclimb", integer(1))
    .option("--exact", "with the decoder ad3, search on until each graph is proven to be the best")
    .option(
      "--seconds <n>",
      "time for that proof, a sentence; without it the graph may not be the best",
      positive,
    )
    .option("--strict", "refuse input that lacks tags, features or lemmas that the model was trained with")
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
