import { describeDecoders, SEARCH_OPTIONS } from "@arcwise/parser/decoding";
import { type Command, Option } from "commander";
import {
  type EncoderArguments,
  forceThreadsOption,
  integer,
  positive,
  type ThreadArguments,
  threadsOption,
  withEncoderOption,
} from "../command/options.ts";

/** The options that all commands that parse have. */
export interface ParsingArguments extends ThreadArguments, EncoderArguments {
  readonly model?: string;
  readonly output: string;
  readonly decoder?: string;
  readonly restarts?: number;
  readonly exact?: boolean;
  readonly seconds?: number;
  /** The trees and the tags of other files, for a model of graphs. */
  readonly trees?: string;
  readonly words?: string;
  readonly strict?: boolean;
  readonly report?: boolean;
}

/** Adds the options that all commands that parse have, except `--report`. */
export function withParsingOptions(command: Command): Command {
  command
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
  return withEncoderOption(command);
}
