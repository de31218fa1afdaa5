import { decoderNames } from "@arcwise/parser/decoding";
import type { PipelinePart } from "@arcwise/pipeline";
import { Command, Option } from "commander";
import { OUTPUT_FORMATS, type OutputFormat } from "../analysis/output-format.ts";
import { type ParsingArguments, withParsingOptions } from "../analysis/parsing-options.ts";
import { INPUT_FORMATS, type InputFormat } from "../analysis/text-source.ts";
import { EXIT, UsageError } from "../errors.ts";
import { checkFiles, given } from "../file-plan.ts";
import type { Io } from "../io.ts";
import { type CommandFactory, integer, required } from "../options.ts";
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
  return withParsingOptions(command, {
    what: "tree",
    trainedBy: "train",
    decoders: decoderNames("trees", "parsing"),
  })
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
  const [{ sentenceSource }, { loadThreads }, { analyseSentences }, { partsOf }] = await Promise.all([
    import("../analysis/source.ts"),
    import("../analysis/load-threads.ts"),
    import("../analysis/analyse-sentences.ts"),
    import("../analysis/parts-of.ts"),
  ]);
  const { model, constraints, output, outputFormat: format, strict = false } = options;
  if (input === "-" && constraints === "-") {
    throw new UsageError("only one of the input and the constraints can be the standard input");
  }
  const { global, tagger: other } = options;
  await checkFiles(io, {
    inputs: given({ "--model": model, "--global": global, "--tagger": other, "--constraints": constraints }),
    outputs: given({ "--output": output }),
  });
  const threads = threadsToUse(io, options, "parsing");
  const source = await sentenceSource(io, input, options.input, { model, lines: false });
  const owned = await partsOf(model);
  const hasTagger = owned.includes("tagger");
  // Words of a CoNLL-U file have tags; the tagger of the model tags other words.
  const usesOwn =
    other === undefined && options.input !== "conllu" && (hasTagger || options.input === "text");
  const isTagged = other !== undefined || usesOwn;
  const parts: PipelinePart[] = usesOwn ? ["tagger", "parser"] : ["parser"];
  if (isTagged && owned.includes("graphs")) parts.push("graphs");
  const { decoder, restarts, exact, seconds, kbest: kBest, marginals, report } = options;
  const search = { decoder, restarts, exact, seconds, global };
  const settings = { tags: isTagged ? "predicted" : "given", kBest, marginals, report } as const;
  const pipeline = await loadThreads(io, { model, parts, tagger: other, ...search }, threads, settings);
  const code = await analyseSentences({
    ...{ io, input, output, format, source, pipeline, settings, constraints },
    fit: { tagged: isTagged, option: `--tagger ${!isTagged && hasTagger ? model : "FILE"}`, strict },
  });
  if (code !== EXIT.ok) done(code);
}
