import { describeDecoders, SEARCH_OPTIONS } from "@arcwise/parser/decoding";
import { Command, Option } from "commander";
import { isText } from "../analysis/inputs.ts";
import {
  checkLayout,
  formatOfOutput,
  layoutOption,
  OUTPUT_FORMAT_HELP,
  WRITTEN_FORMATS,
} from "../analysis/output-format.ts";
import {
  type CommandFactory,
  firstOption,
  forceThreadsOption,
  integer,
  positive,
  type ShortHelp,
  share,
  threadsOption,
  uncertainOption,
  withEncoderOption,
  withQueueOption,
  withShortHelp,
  withStoreOptions,
} from "../command/options.ts";
import { EXIT, UsageError } from "../errors.ts";
import { INPUT_FORMATS } from "../files/input.ts";
import type { ParseArguments, ParseRequest } from "./parse-inputs.ts";

/** `arcwise parse MODEL [INPUT...] [-o OUT] ...`: words of CoNLL-U files keep their tags. */
export const parseCommand = analysisCommand(
  "parse",
  "parse text or CoNLL-U files: replaces HEAD and DEPREL, and the graph of DEPS (--deps); or graphs of SDP files, by " +
    "their model",
);

/** `arcwise run MODEL [INPUT...] [-o OUT] ...`: words of CoNLL-U files are tagged anew. */
export const runCommand = analysisCommand(
  "run",
  "cut raw text into sentences and words, tag them, and parse them: parse with --tags predicted",
);

function analysisCommand(command: ParseRequest["command"], description: string): CommandFactory {
  return (io, done) =>
    analysisOptions(new Command(command).description(description)).action(
      async (first: string | undefined, others: string[], options: ParseArguments) => {
        const { model = first, output, outputFormat: given } = options;
        const isFolder = options.queue !== undefined || options.store !== undefined;
        const outputFormat = isFolder ? given : formatOfOutput({ output, given, formats: WRITTEN_FORMATS });
        checkLayout(options.layout, outputFormat);
        if (
          model === undefined ||
          (options.model === undefined && /\s/.test(model) && (await isText(model)))
        ) {
          const { modelAdvice } = await import("../analysis/model-names.ts");
          throw new UsageError(await modelAdvice(command, model));
        }
        const args = options.model === undefined || first === undefined ? others : [first, ...others];
        const { parseInputs } = await import("./parse-inputs.ts");
        const code = await parseInputs(io, { command, model, args, options: { ...options, outputFormat } });
        if (code !== EXIT.ok) done(code);
      },
    );
}

function analysisOptions(command: Command): Command {
  command
    .argument("[model]", "the model: a file that train wrote, or a package: english is @arcwise/english")
    .argument(
      "[inputs...]",
      "files, - (the standard input), or texts: arguments that are not files and have spaces or no ending",
    );
  withStoreOptions(withQueueOption(withEncoderOption(withSearchOptions(command))))
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
        .default(undefined, "given for parse, predicted for run"),
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

/** Adds the options for files, threads and the search of the best tree. */
function withSearchOptions(command: Command): Command {
  return command
    .option("--model <file>", "the model file, as train writes it")
    .option("-o, --output <file>", "the file to write", "-")
    .addOption(
      threadsOption("parse on n threads, at most one per core; the output is the same, in the same order"),
    )
    .addOption(forceThreadsOption())
    .addOption(
      new Option(
        "--decoder <name>",
        `how the best tree is found, instead of as in training: ${describeDecoders("trees", "parsing")}; graphs: ` +
          `${describeDecoders("graphs", "parsing")}; or by the decoder of a module`,
      ),
    )
    .option("--restarts <n>", SEARCH_OPTIONS.restarts.help, integer(1))
    .option("--exact", SEARCH_OPTIONS.exact.help)
    .option("--seconds <n>", SEARCH_OPTIONS.seconds.help, positive)
    .option(
      "--trees <file>",
      "for a model of graphs that was trained with trees: CoNLL-U with basic trees of the same sentences; by default HEAD " +
        "and DEPREL of the input",
    )
    .option(
      "--words <file>",
      "for a model of graphs that was trained with words: CoNLL-U with UPOS, XPOS and FEATS of the same sentences",
    )
    .option("--strict", "refuse input that lacks tags, features or lemmas that the model was trained with");
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
