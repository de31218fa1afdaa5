import { integer, required, UsageError } from "@arcwise/cli/command";
import { type Command, Option } from "commander";

const FOLDERS = "folders with files *train.conllu, *dev.conllu, *test.conllu";

/** Declares `--split`: the part of a treebank that is parsed. */
export function splitOption(what: string, splits: readonly string[] = ["train", "dev", "test"]): Option {
  return new Option("--split <name>", what).choices(splits).default("test");
}

/** Declares `--sentences`: the number of sentences used. */
export function sentencesOption(what = "only the first n sentences"): Option {
  return new Option("--sentences <n>", what).argParser(integer(1));
}

/** Declares `--treebank <dir...>`, without which the command cannot run. */
export function withTreebanks(command: Command): Command {
  return required(command.option("--treebank <dir...>", FOLDERS), "--treebank <dir...>");
}

/** Declares `--model <file...>` and `--treebank <dir...>` in pairs, and the selection of sentences. */
export function withModels(command: Command): Command {
  const declared = command
    .option("--model <file...>", "a model for each treebank")
    .option("--treebank <dir...>", FOLDERS)
    .addOption(splitOption("which sentences"))
    .addOption(sentencesOption());
  return required(declared, "--model <file...>", "--treebank <dir...>");
}

/** @throws UsageError when there is not one model for each treebank */
export function checkModels(model: readonly string[], treebank: readonly string[]): void {
  if (model.length === treebank.length) return;
  throw new UsageError(`expected a model for each treebank, got ${model.length} and ${treebank.length}`);
}
