import { Command } from "commander";
import { graphFormatOption } from "../analysis/graph-files.ts";
import {
  type GraphTrainArguments,
  graphCostsOption,
  graphDecoderOption,
  graphPartsOption,
  networkWeightsOption,
  OWN_TREES,
} from "../graph-training-options.ts";
import { type CommandFactory, integer, required } from "../options.ts";
import { forceThreadsOption, threadsOption } from "../threads.ts";
import { epochsOption, learnerOption, seedOption } from "../training-options.ts";

/** `arcwise graph train --train F [--dev F] --model OUT ...` */
export const trainGraphsCommand: CommandFactory = (io) =>
  required(trainOptions(), "--train <file>", "--model <file>").action(
    async (options: GraphTrainArguments) => {
      const { trainGraphs } = await import("../graph-training.ts");
      await trainGraphs(io, options);
    },
  );

function trainOptions(): Command {
  return new Command("train")
    .description("train a parser of graphs on SDP files, or on DEPS of CoNLL-U files")
    .option("--train <file>", "the graphs to learn from")
    .option("--dev <file>", "graphs to measure on after each epoch")
    .option("--model <file>", "the model file to write")
    .addOption(graphFormatOption())
    .option(
      "--trees <source>",
      `learn with basic trees, too: a CoNLL-U file with the same sentences, or "${OWN_TREES}", HEAD and ` +
        "DEPREL of the CoNLL-U files themselves",
    )
    .option("--dev-trees <file>", "the trees of --dev, where --trees names a file")
    .option(
      "--words <file>",
      "a CoNLL-U file with the same sentences that has UPOS, XPOS and FEATS of the words",
    )
    .option("--dev-words <file>", "that of the sentences of --dev, where there are --words")
    .option("--rules", "learn with the edges that English rules make of the trees: see graph enhance")
    .addOption(graphDecoderOption())
    .addOption(graphPartsOption())
    .addOption(
      learnerOption("one", "how weights are learned (cost-augmented hinge loss with the steps of AdaGrad)"),
    )
    .addOption(graphCostsOption())
    .option(
      "--network <units>",
      "score predicates, edges and labels by a recurrent network, too (128 is usual)",
      integer(4, 1024),
    )
    .option("--network-epochs <n>", "epochs of the network (12)", integer(1))
    .addOption(networkWeightsOption())
    .addOption(epochsOption(8, "epochs over the sentences"))
    .option(
      "--basic-epochs <n>",
      "how many of them, the first ones, go without --parts, which take most of the time (all but the " +
        "last two)",
      integer(0),
    )
    .addOption(seedOption())
    .addOption(threadsOption("train the pruners on n threads, at most one a core; the model is the same"))
    .addOption(forceThreadsOption())
    .option("--resume", "continue a training that was interrupted, from MODEL.checkpoint")
    .addHelpText(
      "after",
      "\nAfter each epoch the state is written to MODEL.checkpoint, as arcwise train does. Sentences of " +
        "--trees and\n--words are matched by their IDs where both files have them; those that are in that " +
        "file alone are\nskipped.",
    );
}
