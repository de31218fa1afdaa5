import { Command } from "commander";
import { withTrainingEncoder } from "../analysis/encoders.ts";
import { graphFormatOption } from "../analysis/graph-files.ts";
import { type CommandFactory, requiredUnless } from "../command/options.ts";
import { type ShortHelp, withShortHelp } from "../command/short-help.ts";
import { addGraphFlags } from "../settings/graph-settings.ts";
import { threadsOption } from "../threads/threads.ts";
import type { GraphTrainArguments } from "../training/graph-training.ts";
import { verboseOption } from "../training/training-display.ts";

/** `arcwise graph train --train F [--dev F] --model OUT ...` */
export const trainGraphsCommand: CommandFactory = (io) => {
  const command = new Command("train")
    .description("train a parser of graphs on SDP files, or on DEPS of CoNLL-U files")
    .option("--train <file>", "the graphs to learn from")
    .option("--dev <file>", "graphs to measure on after each epoch")
    .option("--model <file>", "the model file to write")
    .addOption(graphFormatOption())
    .option(
      "--trees <source>",
      'learn with basic trees as well: a CoNLL-U file with the same sentences, or "columns", HEAD and ' +
        "DEPREL of the CoNLL-U files themselves",
    )
    .option("--dev-trees <file>", "the trees of --dev, where --trees names a file")
    .option(
      "--words <file>",
      "a CoNLL-U file with the same sentences that has UPOS, XPOS and FEATS of the words",
    )
    .option("--dev-words <file>", "the words of --dev, where --words names a file");
  withTrainingEncoder(addGraphFlags(command))
    .option("--print-settings", "write all settings of the training as JSON to the standard output, and end")
    .addOption(threadsOption("train the pruners on n threads; the model is the same", 1))
    .option("--resume", "continue a training that was interrupted, from MODEL.checkpoint")
    .addOption(verboseOption());
  withShortHelp(command, { ...SHORT_HELP, after: AFTER_HELP });
  return requiredUnless("printSettings", command, "--train <file>", "--model <file>").action(
    async (options: GraphTrainArguments) => {
      const { trainGraphs } = await import("../training/graph-training.ts");
      await trainGraphs(io, options, command);
    },
  );
};

const SHORT_HELP: ShortHelp = {
  options: {
    "--train": "the graphs to learn from, .sdp or .conllu (required)",
    "--dev": "graphs to measure on after each epoch",
    "--model": "the model file to write (required)",
    "--preset": "linear, fast, balanced (the default) or accurate",
    "--trees": "basic trees as well: a CoNLL-U file, or columns",
    "--words": "a CoNLL-U file with UPOS, XPOS and FEATS of the words",
    "--decoder": "how the best graph is found: basic or ad3",
    "--settings": "a JSON file, or one setting",
    "--threads": "threads for the pruners; the model is the same",
    "--resume": "continue an interrupted training from MODEL.checkpoint",
  },
  examples: [
    ["arcwise graph train --train train.sdp --dev dev.sdp --model graphs.model", ""],
    ["arcwise graph train --train a.conllu --trees columns --model enhanced.model", ""],
    ["arcwise graph train --train train.sdp --model graphs.model --preset accurate", ""],
  ],
};

const AFTER_HELP =
  "\nAfter each epoch the state is written to MODEL.checkpoint, as arcwise train does. Sentences of " +
  "--trees and\n--words are matched by their IDs where both files have them; sentences that only one " +
  "of the files has are\nskipped.";
