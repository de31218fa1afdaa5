import { Command } from "commander";
import type { BatchInput } from "../batch.ts";
import { blockParser } from "../block-parser.ts";
import type { Block } from "../blocks.ts";
import { EXIT, UsageError } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import { type GraphFormat, graphFormatOption, namedFormat } from "../graph-files.ts";
import { sentenceIds } from "../graph-ids.ts";
import { GRAPH_DECODERS } from "../graph-training-options.ts";
import { fileBlocks } from "../input-source.ts";
import type { Io } from "../io.ts";
import { type CommandFactory, required } from "../options.ts";
import { type Companion, parseFile } from "../parse-file.ts";
import { type ParsingArguments, withParsingOptions } from "../parsing-options.ts";
import { threadsToUse } from "../threads.ts";

interface ParseArguments extends ParsingArguments {
  readonly format?: GraphFormat;
  readonly trees?: string;
  readonly words?: string;
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
    .option(
      "--words <file>",
      "a CoNLL-U file with the same sentences that has UPOS, XPOS and FEATS of the words, for a model " +
        "that was trained with them",
    )
    .option("--report", "write score and bound of each graph as comments, and how it was found");
}

async function parse(
  io: Io,
  done: (code: number) => void,
  input: string,
  options: ParseArguments,
): Promise<void> {
  const { model, output, format, trees, words, strict = false } = options;
  const { decoder, restarts, exact, seconds, report } = options;
  if ([input, trees, words].filter((file) => file === "-").length > 1) {
    throw new UsageError("only one of the input, the trees and the words can be the standard input");
  }
  await checkFiles(io, {
    inputs: given({ "--model": model, "--trees": trees, "--words": words }),
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
    source: fileBlocks(io, input),
    output,
    format: "conllu",
    parser,
    fit: { tagged: false, option: "--words FILE", strict },
    companion: await companionOf(io, trees, words),
  });
  if (code !== EXIT.ok) done(code);
}

/** Reads the trees and the words of a block where there are files of them. */
async function companionOf(
  io: Io,
  trees: string | undefined,
  words: string | undefined,
): Promise<Companion | undefined> {
  if (trees === undefined && words === undefined) return undefined;
  const { treeReader } = await import("../graph-trees.ts");
  const { wordReader } = await import("../graph-words.ts");
  const ofTrees = trees === undefined ? undefined : treeReader(io, trees);
  const ofWords = words === undefined ? undefined : wordReader(io, words);
  return {
    next: async (block: Block): Promise<Partial<BatchInput>> => {
      const ids = sentenceIds(block);
      return { trees: await ofTrees?.next(ids), words: await ofWords?.next(ids) };
    },
    // Other sentences may follow.
    finish: async () => {},
  };
}
