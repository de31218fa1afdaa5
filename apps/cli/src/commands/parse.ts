import { Command, Option } from "commander";
import { blockParser } from "../block-parser.ts";
import { countSentences } from "../blocks.ts";
import { EXIT, UsageError } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import { inputSource } from "../input-source.ts";
import type { Io } from "../io.ts";
import { type CommandFactory, integer, required } from "../options.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../output-format.ts";
import { type Companion, parseFile } from "../parse-file.ts";
import { type ParsingArguments, withParsingOptions } from "../parsing-options.ts";
import { hasPart } from "../pipeline-part.ts";
import { INPUT_FORMATS, type InputFormat } from "../text-source.ts";
import { threadsToUse } from "../threads.ts";

interface ParseArguments extends ParsingArguments {
  readonly input: InputFormat;
  readonly outputFormat: OutputFormat;
  readonly global?: string;
  readonly kbest?: number;
  readonly marginals?: boolean;
  readonly constraints?: string;
  readonly tagger?: string;
}

/** The built-in decoders, as help lists them: the parser need not be loaded for that. */
export const PARSING_DECODERS = [
  "mst",
  "eisner",
  "projective",
  "hillclimb",
  "ad3",
  "mbr",
  "mbr-projective",
] as const;

/** `arcwise parse --model M [IN] [-o OUT] ...` */
export const parseCommand: CommandFactory = (io, done) =>
  required(parseOptions(), "--model <file>").action((input: string, options: ParseArguments) =>
    parse(io, done, input, options),
  );

function parseOptions(): Command {
  const command = new Command("parse")
    .description("parse sentences: replaces HEAD and DEPREL of a CoNLL-U file and keeps everything else")
    .argument(
      "[input]",
      "the file to parse; CoNLL-U with tags, unless --input or --tagger says otherwise",
      "-",
    );
  return withParsingOptions(command, { what: "tree", trainedBy: "train", decoders: PARSING_DECODERS })
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
        "CoNLL-U; raw text, by a model of train --for text; a word a line, by such a model or with --tagger",
      )
        .choices(INPUT_FORMATS)
        .default("conllu"),
    )
    .addOption(
      new Option("--output-format <format>", "CoNLL-U; or a line of JSON a sentence, as data of displaCy too")
        .choices(OUTPUT_FORMATS)
        .default("conllu"),
    )
    .option("--kbest <k>", "write the k best analyses of each sentence, best first", integer(1, 2 ** 20))
    .option("--marginals", "write the probability of each arc to MISC, as ArcP=0.9731")
    .option(
      "--constraints <file>",
      "the same sentences with HEAD, DEPREL or both given for some words, and _ elsewhere",
    )
    .addHelpText(
      "after",
      "\nThe analyses of --kbest are sentences of their own, with -k1, -k2 ... after their sent_id " +
        "and comments\n# kbest = 1/5 and # score = 12.3456. No tree scores more than the bound of a " +
        "--report.",
    );
}

async function parse(
  io: Io,
  done: (code: number) => void,
  input: string,
  options: ParseArguments,
): Promise<void> {
  const {
    model,
    decoder,
    restarts,
    exact,
    seconds,
    report,
    global,
    kbest: kBest,
    marginals = false,
    constraints,
    output: path,
  } = options;
  if (input === "-" && constraints === "-") {
    throw new UsageError("only one of the input and the constraints can be the standard input");
  }
  await checkFiles(io, {
    inputs: given({
      "--model": model,
      "--global": global,
      "--tagger": options.tagger,
      "--constraints": constraints,
    }),
    outputs: given({ "--output": path }),
  });
  const source = await inputSource(io, input, options.input, { model, lines: false });
  const tagger = options.tagger ?? (await ownTagger(model, options.input));
  const parser = await blockParser(
    { model, decoder, restarts, exact, seconds, global, tagger, kBest, marginals, report },
    { threads: threadsToUse(io, options, "parsing"), apart: io.responsive === true, signal: io.signal },
  );
  const code = await parseFile({
    io,
    input,
    source,
    output: path,
    format: options.outputFormat,
    parser,
    fit: {
      tagged: tagger !== undefined,
      option: `--tagger ${tagger === undefined && (await hasPart(model, "tagger")) ? model : "FILE"}`,
      strict: options.strict === true,
    },
    companion: constraints === undefined ? undefined : await constraintsBeside(io, constraints),
  });
  if (code !== EXIT.ok) done(code);
}

/** Returns the model as the file of the tagger when words have no tags and it has a tagger. */
async function ownTagger(model: string, input: InputFormat): Promise<string | undefined> {
  if (input === "conllu") return undefined;
  return input === "text" || (await hasPart(model, "tagger")) ? model : undefined;
}

async function constraintsBeside(io: Io, path: string): Promise<Companion> {
  const { constraintReader } = await import("../constraints.ts");
  const reader = constraintReader(io, path);
  return {
    // They are those of the sentences in their order, whatever their IDs.
    next: async (block) => ({
      constraints: await reader.next(new Array<undefined>(countSentences(block)).fill(undefined)),
    }),
    finish: () => reader.finish(),
  };
}
