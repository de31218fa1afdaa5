import { integer, required, UsageError } from "@arcwise/cli/command";
import { type Command, Option } from "commander";
import { checkFiles, checkTreebanks, type Split } from "../data/treebanks.ts";

const FOLDERS = "folders with files *train.conllu, *dev.conllu, *test.conllu";

/** Declares `--split`: the part of a treebank that is parsed. */
export function splitOption(what: string, splits: readonly string[] = ["train", "dev", "test"]): Option {
  return new Option("--split <name>", what).choices(splits).default("test");
}

/** Declares `--sentences`: the number of sentences used. */
export function sentencesOption(what = "only n sentences, spread evenly over the split"): Option {
  return new Option("--sentences <n>", what).argParser(integer(1));
}

/** Declares `--treebank <dir...>`, without which the command cannot run. */
export function withTreebanks(command: Command): Command {
  return required(command.option("--treebank <dir...>", FOLDERS), "--treebank <dir...>");
}

interface DefaultModel {
  readonly model: string;
  readonly treebank: string;
}

/**
 * Declares `--model <file...>` and `--treebank <dir...>` in pairs, and the selection of sentences.
 *
 * @param standard what is taken if nothing is given; otherwise both are required
 */
export function withModels(command: Command, standard?: DefaultModel): Command {
  const declared = command
    .option("--model <file...>", "a model for each treebank", standard && [standard.model])
    .option("--treebank <dir...>", FOLDERS, standard && [standard.treebank])
    .addOption(splitOption("which sentences"))
    .addOption(sentencesOption());
  return required(declared, "--model <file...>", "--treebank <dir...>");
}

/** @throws UsageError unless all treebanks have equally many models */
export function checkModelSeries(model: readonly string[], treebank: readonly string[]): void {
  if (model.length % treebank.length === 0) return;
  throw new UsageError(
    `expected a model, or equally many models, for each treebank, got ${model.length} and ${treebank.length}`,
  );
}

/**
 * Checks models and treebanks before anything runs.
 *
 * @throws UsageError unless each treebank has one model
 * @throws DataError that names the folders that are not treebanks, or the missing models
 */
export function checkSources(model: readonly string[], treebank: readonly string[], split: Split): void {
  if (model.length !== treebank.length)
    throw new UsageError(`expected a model for each treebank, got ${model.length} and ${treebank.length}`);
  checkTreebanks(treebank, [split]);
  checkFiles(model);
}

/** How decoders are timed. */
export interface TimingArguments {
  readonly timed: number;
  readonly rounds: number;
  readonly time: number;
  readonly warmUp: number;
  readonly quick?: boolean | undefined;
}

/** How decoders are timed with `--quick`. */
export const QUICK_TIMING: TimingArguments = { timed: 50, rounds: 3, time: 40, warmUp: 80 };

/** Declares how contestants are timed in turn, and `--quick`. */
export function withTiming(command: Command, few: Readonly<Record<string, unknown>>): Command {
  const declared = command
    .option("--timed <n>", "sentences of the whole split that are timed", integer(1), 400)
    .option("--rounds <n>", "rounds over all contestants", integer(1), 9)
    .option("--time <ms>", "least processor time of a contestant in a round", integer(1), 150)
    .option("--warm-up <ms>", "processor time of a contestant before", integer(0), 600);
  return withQuick(declared, { ...QUICK_TIMING, ...few });
}

/** Declares `--quick`: the values that options then have where they are not given. */
export function withQuick(command: Command, few: Readonly<Record<string, unknown>>): Command {
  return command
    .option("--quick", "few sentences and short times: to try it out")
    .hook("preAction", (_root, action) => {
      if (action.opts().quick !== true) return;
      for (const [name, value] of Object.entries(few)) {
        const source = action.getOptionValueSource(name) ?? "default";
        if (source === "default") action.setOptionValue(name, value);
      }
    });
}
