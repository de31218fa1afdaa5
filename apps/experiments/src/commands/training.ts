import type { OutputOptions } from "@arcwise/bench/command";
import { SAMPLE } from "@arcwise/bench/data";
import { epochsOption, integer, type Order, parserOption } from "@arcwise/cli/command";
import type { Command } from "commander";

/** The training of a parser on a treebank. */
export interface TrainingArguments extends OutputOptions {
  readonly treebank: string;
  readonly order: Order;
  readonly sentences?: number | undefined;
  readonly epochs: number;
}

/** The defaults of a command that trains a parser. */
interface TrainingDefaults {
  readonly order: Order;
  readonly epochs: number;
  readonly files?: string;
  readonly sentences?: string;
}

/** Declares the treebank, order, sentences and epochs of a training. */
export function withTraining(command: Command, defaults: TrainingDefaults): Command {
  const { order, epochs, files = "*train.conllu, *dev.conllu" } = defaults;
  const { sentences = "learn from the first sentences only" } = defaults;
  return command
    .option("--treebank <dir>", `a folder with files ${files}`, SAMPLE)
    .addOption(parserOption("--order <n>").default(order))
    .option("--sentences <n>", sentences, integer(1))
    .addOption(epochsOption(epochs));
}
